'use client'
import { Check, Copy, RotateCcw, TriangleAlert } from 'lucide-react'
import { use, useEffect, useState, type ReactElement } from 'react'
import { textOf, type ChatMessage } from '../../protocol/message.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { AnnouncerContext } from '../../react/use-announcer.ts'
import { useCommands } from '../commands.ts'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { Toolbar } from '../toolbar.tsx'
import { useMessage } from './message-context.ts'

const shownFor = 2000

type CopyState = 'idle' | 'copied' | 'failed'

/** Copies the message as Markdown, and says whether it worked. Nothing where there is no text. */
export function MessageCopy(
  props: PartProps<'button', { readonly state: CopyState }>,
): ReactElement | null {
  const labels = useLabels()
  const message = useMessage()
  const announcer = use(AnnouncerContext)
  const [state, setState] = useState<CopyState>('idle')

  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownFor)
    return () => clearTimeout(timer)
  }, [state])

  const text = textOf(message)
  if (text === '') return null

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      announcer?.copied()
    } catch {
      setState('failed')
    }
  }
  const names = {
    idle: labels.message.copy,
    copied: labels.message.copied,
    failed: labels.message.copyFailed,
  }
  const icons = { idle: Copy, copied: Check, failed: TriangleAlert }
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-icon-button',
      'aria-label': names[state],
      title: names[state],
      onClick: () => void copy(),
      children: <Icon of={icons[state]} />,
    },
    { state },
  )
}

/** Asks for this answer again; nothing where the thread cannot. */
export function MessageRegenerate(props: PartProps<'button'>): ReactElement | null {
  const labels = useLabels()
  const { id } = useMessage()
  const { regenerate } = useCommands()
  if (regenerate === undefined) return null
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-icon-button',
      'aria-label': labels.message.regenerate,
      title: labels.message.regenerate,
      onClick: () => void regenerate({ messageId: id }),
      children: <Icon of={RotateCcw} />,
    },
    {},
  )
}

/** Props of {@link MessageActions}. */
export type MessageActionsProps = PartProps<'div'> & {
  readonly message?: ChatMessage | undefined
}

/** What can be done with a message, in one toolbar: seen on hover, on focus and on touch screens. */
export function MessageActions({ message: given, ...props }: MessageActionsProps): ReactElement {
  const labels = useLabels()
  const message = useMessage(given)
  return (
    <Toolbar
      aria-label={labels.message.actions}
      {...props}
      className={`sluice-message-actions ${props.className ?? ''}`.trim()}
    >
      {props.children ?? (
        <>
          <MessageCopy />
          {message.role === 'assistant' && <MessageRegenerate />}
        </>
      )}
    </Toolbar>
  )
}
