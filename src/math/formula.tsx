'use client'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { Block, InlineNode } from '../markdown/block.ts'
import { useLabels } from '../react/labels/context.tsx'
import { useKatex } from './katex.ts'
import { inTurn } from './turns.ts'

/** Longer sources are shown as written. */
const maxLength = 4000

/** What closes a formula, by what opened it. */
const closers: Readonly<Record<string, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' }

/** A formula in the line. While it is being written it is shown as written, and its dollar with it: it may be money. */
export function MathInline({
  node,
}: {
  readonly node: Extract<InlineNode, { kind: 'custom' }>
}): ReactNode {
  const [open = '$', isOpen] = node.info.split(' ')
  const isDisplay = open === '$$' || open === '\\['
  if (isOpen !== undefined) return open === '$' ? `$${node.text}` : node.text
  return (
    <span className="sluice-math" data-source={open + node.text + (closers[open] ?? '')}>
      <Formula source={node.text} isDisplay={isDisplay} />
    </span>
  )
}

/** A formula of its own, in its own scroll region. */
export function MathBlock({
  block,
}: {
  readonly block: Extract<Block, { kind: 'custom' }>
}): ReactNode {
  const labels = useLabels()
  const { text, info, closed } = block
  const source = `${info}\n${text}\n${closed ? (closers[info] ?? '') : ''}`.trimEnd()
  return (
    <div
      className="sluice-math-block"
      role="region"
      aria-label={labels.markdown.formula}
      tabIndex={0}
      data-source={source}
    >
      {closed ? (
        <Formula source={text} isDisplay />
      ) : (
        <span className="sluice-math-source">{text}</span>
      )}
    </div>
  )
}

interface FormulaProps {
  readonly source: string
  readonly isDisplay: boolean
}

/** The source until KaTeX has drawn it, and where it can't. */
function Formula({ source, isDisplay }: FormulaProps): ReactNode {
  const render = useKatex()
  const host = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  useLayoutEffect(() => {
    if (render === undefined || source.length > maxLength) return undefined
    return inTurn(() => {
      if (host.current === null) return
      try {
        render(source, host.current, isDisplay)
        setDrawn(true)
      } catch {
        // What a model wrote wrong is no failure of the page: it stays as written.
        host.current.replaceChildren()
        setDrawn(false)
      }
    })
  }, [render, source, isDisplay])
  return (
    <>
      <span ref={host} dir="ltr" />
      {!isDrawn && (
        <span className="sluice-math-source" dir="ltr">
          {source}
        </span>
      )}
    </>
  )
}
