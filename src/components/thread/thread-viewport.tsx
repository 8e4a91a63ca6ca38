'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { useMergedRef } from '../merged-ref.ts'
import { renderPart, type PartProps } from '../part.ts'
import { useThread } from './thread-context.ts'

/** State of {@link ThreadViewport}, as `data-*`. */
export type ThreadViewportState = {
  readonly following: boolean
  readonly atEnd: boolean
}

/** The region that scrolls. Follows the answer for as long as the reader wants it. */
export function ThreadViewport({
  ref: given,
  children,
  ...props
}: PartProps<'section', ThreadViewportState>): ReactElement {
  const labels = useLabels()
  const { setViewport, setContent, isFollowing, isAtEnd } = useThread().follow
  const ref = useMergedRef<HTMLElement>(setViewport, given)
  return renderPart(
    'section',
    props,
    {
      ref,
      className: 'sluice-viewport',
      'aria-label': labels.thread.conversation,
      tabIndex: 0,
      children: (
        <div ref={setContent} className="sluice-column">
          {children}
        </div>
      ),
    },
    { following: isFollowing, atEnd: isAtEnd },
  )
}
