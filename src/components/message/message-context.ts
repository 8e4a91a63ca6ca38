'use client'
import { createContext, use, type Context } from 'react'
import type { ChatMessage } from '../../protocol/message.ts'

const MessageContext = createContext<ChatMessage | undefined>(undefined)

/** Gives the parts below it their message. */
export const MessageProvider: Context<ChatMessage | undefined> = MessageContext

const LastMessageContext = createContext<string | undefined>(undefined)

/** Tells the messages below it which of them is the last. */
export const LastMessageProvider: Context<string | undefined> = LastMessageContext

/** Whether a message is the last one: most of what can be done is done to that. One that stands alone is. */
export function useIsLast(message: ChatMessage): boolean {
  const last = use(LastMessageContext)
  return last === undefined || last === message.id
}

/** The message given, else that of the `Message.Root` around. */
export function useMessage(given?: ChatMessage | undefined): ChatMessage {
  const around = use(MessageContext)
  const message = given ?? around
  if (message === undefined)
    throw new Error('A part of a message needs a Message.Root around it, or a `message`.')
  return message
}
