'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import type { PartProps } from '../part.ts'
import { stepSummary } from '../step-summary.tsx'
import { useReasoning } from './reasoning-context.ts'

/** The line that is always seen: that the model thinks, or for how long it did. */
export function ReasoningSummary(props: PartProps<'summary'>): ReactElement {
  const labels = useLabels()
  const { isThinking, watched } = useReasoning()
  const words = isThinking
    ? labels.reasoning.thinking
    : watched === undefined
      ? labels.reasoning.thought
      : labels.reasoning.thoughtFor(labels.duration(watched))
  return stepSummary(words, props)
}
