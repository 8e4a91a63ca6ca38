'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { renderPart, type PartProps } from '../part.ts'

/** How to send and how to break a line, in small text. Hidden on touch screens, where it does not hold. */
export function ComposerHint(props: PartProps<'p'>): ReactElement {
  const labels = useLabels()
  return renderPart('p', props, { className: 'sluice-hint', children: labels.composer.hint }, {})
}
