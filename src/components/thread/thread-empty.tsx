'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useThread } from './thread-context.ts'

/** What stands where nothing was said yet: a greeting, or its children. */
export function ThreadEmpty(props: PartProps<'div'>): ReactElement | null {
  const labels = useLabels()
  const { source } = useThread()
  if (source.messages.length > 0) return null
  return renderPart(
    'div',
    props,
    {
      className: 'sluice-empty',
      children: <p className="sluice-greeting">{labels.thread.greeting}</p>,
    },
    {},
  )
}
