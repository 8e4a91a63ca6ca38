'use client'
import { useEffect, useSyncExternalStore } from 'react'

/** Puts a formula into an element. @throws what KaTeX says of a source that it can't read. */
export type RenderFormula = (source: string, host: HTMLElement, isDisplay: boolean) => void

let loaded: RenderFormula | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

async function load(): Promise<void> {
  const { default: katex } = await import('katex')
  loaded = (source, host, isDisplay) =>
    katex.render(source, host, {
      displayMode: isDisplay,
      output: 'htmlAndMathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: 40,
      maxExpand: 500,
    })
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** KaTeX, once it has loaded; what fails is tried again with the next formula. */
export function useKatex(): RenderFormula | undefined {
  const render = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => undefined,
  )
  useEffect(() => {
    if (loaded !== undefined) return
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      reportError(error)
    })
  }, [])
  return render
}
