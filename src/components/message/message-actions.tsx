'use client'
import { RotateCcw } from 'lucide-react'
import type { ReactElement } from 'react'
import { textOf, type ChatMessage } from '../../protocol/message.ts'
import { removeHidden } from '../../safety/hidden-characters.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { useCommands } from '../commands.ts'
import { writeClipboard } from '../copy/clipboard.ts'
import { copyIcons } from '../copy/icons.ts'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { Toolbar } from '../toolbar.tsx'
import { useCopy, type CopyState } from '../copy/use-copy.ts'
import { useMessage } from './message-context.ts'

/** Copies the message as Markdown and as rich text, without what could not be seen of it, and says whether it worked. Nothing where there is no text. */
export function MessageCopy(
  props: PartProps<'button', { readonly state: CopyState }>,
): ReactElement | null {
  const labels = useLabels()
  const message = useMessage()
  const { text } = removeHidden(textOf(message))
  const { state, copy } = useCopy(() =>
    writeClipboard({
      text: Promise.resolve(text),
      html: import('../../markdown/html.ts').then(({ renderToHtml }) => renderToHtml(text)),
    }),
  )
  if (text === '') return null

  const names = {
    idle: labels.message.copy,
    copied: labels.message.copied,
    failed: labels.message.copyFailed,
  }
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-icon-button',
      'aria-label': names[state],
      title: names[state],
      onClick: copy,
      children: <Icon of={copyIcons[state]} />,
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
