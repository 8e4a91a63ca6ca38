'use client'
import { ChevronRight } from 'lucide-react'
import type { ReactElement } from 'react'
import { Icon } from './icon.tsx'
import { renderPart, type PartProps } from './part.ts'

/** The line of a step that opens: its words, and a mark that it does. */
export function stepSummary(words: string, props: PartProps<'summary'>): ReactElement {
  return renderPart(
    'summary',
    props,
    {
      children: (
        <>
          <span className="sluice-step-words">{words}</span>
          <Icon of={ChevronRight} />
        </>
      ),
    },
    {},
  )
}
