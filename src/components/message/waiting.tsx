'use client'
import type { ReactNode } from 'react'
import { useLabels } from '../../react/labels/context.tsx'

/** A pulse where the text will begin, as high as its first line, so that nothing jumps. */
export function Waiting(): ReactNode {
  const labels = useLabels()
  return (
    <p className="sluice-waiting">
      <span className="sluice-hidden">{labels.message.waiting}</span>
    </p>
  )
}
