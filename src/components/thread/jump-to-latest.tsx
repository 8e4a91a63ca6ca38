'use client'
import { ArrowDown } from 'lucide-react'
import { useState, type ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useThread } from './thread-context.ts'

function focusLatest(control: Element): void {
  const messages = control.closest('.sluice-thread')?.querySelectorAll<HTMLElement>('[data-role]')
  messages?.[messages.length - 1]?.focus({ preventScroll: true })
}

/** Messages that came since the reader left the end. */
function useMissed(count: number, isFollowing: boolean): number {
  const [seen, setSeen] = useState(count)
  if (isFollowing && seen !== count) setSeen(count)
  return Math.max(0, count - seen)
}

/** State of {@link JumpToLatest}, as `data-*`. */
export type JumpToLatestState = { readonly shown: boolean; readonly missed: number }

/** Leads back to the end, and to following it. Seen only where something is left below. */
export function JumpToLatest(props: PartProps<'button', JumpToLatestState>): ReactElement {
  const labels = useLabels()
  const { source, follow } = useThread()
  const missed = useMissed(source.messages.length, follow.isFollowing)
  const shown = !follow.isFollowing && !follow.isAtEnd
  const name = labels.thread.jumpToLatest(missed)
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-jump',
      'aria-label': name,
      title: name,
      onClick: ({ currentTarget }) => {
        follow.jumpToLatest()
        // The button goes away with what it was pressed for.
        focusLatest(currentTarget)
      },
      children: (
        <>
          <Icon of={ArrowDown} />
          {missed > 0 && <span aria-hidden>{missed}</span>}
        </>
      ),
    },
    { shown, missed },
  )
}
