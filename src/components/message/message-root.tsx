'use client'
import type { ReactElement } from 'react'
import type { ChatMessage } from '../../protocol/message.ts'
import type { Labels } from '../../react/labels/labels.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { MessageProvider } from './message-context.ts'

const headings = (labels: Labels): Readonly<Record<ChatMessage['role'], string>> => ({
  user: labels.message.userSaid,
  assistant: labels.message.assistantSaid,
  system: labels.message.systemSaid,
})

/** State of {@link MessageRoot}, as `data-*`. */
export type MessageRootState = {
  readonly role: ChatMessage['role']
  /** Of an assistant's message. */
  readonly status: ChatMessage['status']['type'] | undefined
  readonly reason: string | undefined
  /** Of a user's message that has not arrived. */
  readonly delivery: ChatMessage['delivery']
  readonly continued: boolean
}

/** Props of {@link MessageRoot}. */
export type MessageRootProps = PartProps<'article', MessageRootState> & {
  readonly message: ChatMessage
}

/** One message: an article that begins with a heading which says who speaks. */
export function MessageRoot({ message, children, ...props }: MessageRootProps): ReactElement {
  const labels = useLabels()
  const { role, status } = message
  const isAnswer = role === 'assistant'
  const isContinued = message.continues !== undefined
  const state: MessageRootState = {
    role,
    status: isAnswer ? status.type : undefined,
    reason: isAnswer && 'reason' in status ? status.reason : undefined,
    delivery: message.delivery,
    continued: isContinued,
  }
  return (
    <MessageProvider value={message}>
      {renderPart(
        'article',
        props,
        {
          className: 'sluice-message',
          tabIndex: -1,
          children: (
            <>
              <h2 className="sluice-hidden">{headings(labels)[role]}</h2>
              {isContinued && <p className="sluice-seam">{labels.message.continued}</p>}
              {children}
            </>
          ),
        },
        state,
      )}
    </MessageProvider>
  )
}
