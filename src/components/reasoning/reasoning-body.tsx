'use client'
import type { ReactElement } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { useRendering } from '../rendering.ts'
import { renderPart, type PartProps } from '../part.ts'
import { useReasoning } from './reasoning-context.ts'

/** The thought itself. */
export function ReasoningBody(props: PartProps<'div'>): ReactElement {
  const { part, isThinking } = useReasoning()
  const { extensions } = useRendering()
  return renderPart(
    'div',
    props,
    {
      className: 'sluice-step-body',
      children: (
        <Markdown
          text={part.text}
          streaming={isThinking}
          headingOffset={2}
          extensions={extensions}
        />
      ),
    },
    {},
  )
}
