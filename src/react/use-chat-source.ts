'use client'
import { useMemo } from 'react'
import type { ChatOptions, ChatStore } from '../chat/chat-types.ts'
import { httpTransport } from '../transport/http.ts'

/** Where a conversation comes from: an address, a transport, or a store of the caller's. */
export type ChatSource =
  | { readonly chat: ChatStore; readonly url?: undefined; readonly transport?: undefined }
  | (ChatOptions & { readonly chat?: undefined; readonly url?: undefined })
  | (Omit<ChatOptions, 'transport'> & {
      /** Where the stream handler is mounted. */
      readonly url: string
      readonly chat?: undefined
      readonly transport?: undefined
    })

/** Turns a {@link ChatSource} into what `useChat` takes. */
export function useChatSource(source: ChatSource): { readonly chat: ChatStore } | ChatOptions {
  const { url } = source
  const transport = useMemo(() => (url === undefined ? undefined : httpTransport({ url })), [url])
  if (source.chat !== undefined) return { chat: source.chat }
  if (transport === undefined) return source as ChatOptions
  return { ...source, transport }
}
