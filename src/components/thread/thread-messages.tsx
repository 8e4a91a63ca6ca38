'use client'
import type { ReactElement } from 'react'
import { MessageList, type MessageListProps } from '../message/message-list.tsx'
import { useThread } from './thread-context.ts'

/** The messages of the thread around: a `MessageList` that needs no props. */
export function ThreadMessages(props: Partial<MessageListProps>): ReactElement {
  const { source } = useThread()
  return <MessageList messages={source.messages} {...props} />
}
