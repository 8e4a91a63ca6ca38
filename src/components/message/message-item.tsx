'use client'
import { memo, type FunctionComponent, type ReactNode } from 'react'
import type { ChatMessage } from '../../protocol/message.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { StatusBadge } from './status-badge.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageParts } from './message-parts.tsx'
import { MessageSources } from './message-sources.tsx'
import { MessageRoot } from './message-root.tsx'

function Delivery({ message }: { readonly message: ChatMessage }): ReactNode {
  const labels = useLabels().message
  if (message.delivery === undefined) return null
  const words = { queued: labels.queued, sending: labels.sending, failed: labels.notSent }
  return <p className="sluice-delivery">{words[message.delivery]}</p>
}

/**
 * A message with all its parts, as the list draws it. It is drawn again only when the message itself is a new value,
 * so that what was said before costs nothing while an answer grows.
 */
export const MessageItem: FunctionComponent<{
  readonly message: ChatMessage
}> = memo(function MessageItem(props: { readonly message: ChatMessage }): ReactNode {
  const { message } = props
  return (
    <MessageRoot message={message}>
      <MessageParts />
      <MessageSources />
      <Delivery message={message} />
      <StatusBadge />
      {message.status.type !== 'running' && <MessageActions />}
    </MessageRoot>
  )
})
