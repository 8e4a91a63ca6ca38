'use client'
import { useState, useSyncExternalStore } from 'react'
import type { ChatActions, ChatOptions, ChatSnapshot, ChatStore } from '../chat/chat-types.ts'
import { createChat } from '../chat/create-chat.ts'
import { useLatest } from './use-latest.ts'

/** What {@link useChat} gives: the snapshot, and what can be done. The functions keep their identity. */
export type UseChat = ChatSnapshot & ChatActions & { readonly chat: ChatStore }

/**
 * Draws a conversation. Renders at most once per animation frame; of the messages only those that changed have a new
 * identity. Takes a store (`{ chat }`), which then is the caller's, or the options of one, which the component creates once:
 * callbacks and `validate` are the newest ones at each use, `transport` is taken at the next send, `id` and `messages` only
 * at creation.
 */
export function useChat(source: { readonly chat: ChatStore } | ChatOptions): UseChat {
  const given = 'chat' in source ? source.chat : undefined
  const options = useLatest<object>(source)
  const [own] = useState(() => given ?? createChat(options as ChatOptions))
  const chat = given ?? own
  const snapshot = useSyncExternalStore(chat.subscribe, chat.getSnapshot, chat.getServerSnapshot)
  const {
    getSnapshot: _get,
    getServerSnapshot: _server,
    subscribe: _sub,
    observe: _obs,
    dispose: _dis,
    ...actions
  } = chat
  return { ...snapshot, ...actions, chat }
}
