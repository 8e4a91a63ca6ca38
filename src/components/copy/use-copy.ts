'use client'
import { use, useEffect, useState } from 'react'
import { AnnouncerContext } from '../../react/use-announcer.ts'

const shownMs = 2000

/** What a button that copies shows. */
export type CopyState = 'idle' | 'copied' | 'failed'

/** Runs `write`, says for two seconds whether it worked, and tells screen readers. */
export function useCopy(write: () => Promise<void>): {
  readonly state: CopyState
  readonly copy: () => void
} {
  const announcer = use(AnnouncerContext)
  const [state, setState] = useState<CopyState>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    write().then(
      () => {
        setState('copied')
        announcer?.copied()
      },
      () => setState('failed'),
    )
  }
  return { state, copy }
}
