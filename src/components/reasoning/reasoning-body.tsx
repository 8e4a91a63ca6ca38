'use client'
import type { ReactElement } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useReasoning } from './reasoning-context.ts'

/** The thought itself. */
export function ReasoningBody(props: PartProps<'div'>): ReactElement {
  const { part, isThinking } = useReasoning()
  return renderPart(
    'div',
    props,
    {
      className: 'sluice-step-body',
      children: <Markdown text={part.text} streaming={isThinking} headingOffset={2} />,
    },
    {},
  )
}
