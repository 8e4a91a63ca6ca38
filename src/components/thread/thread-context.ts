'use client'
import { createContext, use, type Context } from 'react'
import type { ChatMessage } from '../../protocol/message.ts'
import type { StickToBottom } from '../../react/use-stick-to-bottom.ts'
import type { AnswerCommands } from '../commands.ts'

/** What the parts of a thread need; the value of `useChat` is one. */
export interface ThreadSource extends AnswerCommands {
  readonly messages: readonly ChatMessage[]
  /** `ready`, `submitted`, `streaming` or `error`. */
  readonly status: string
  sendMessage?(message: { readonly text: string }): unknown
  stop?(): unknown
  /** Messages that wait for the answer before them. Present: one may be sent while another is answered. */
  readonly queue?: readonly unknown[] | undefined
}

/** A thread as its parts see it. */
export interface ThreadValue {
  readonly source: ThreadSource
  readonly follow: StickToBottom
  /** Sends, and shows the reader what was sent. */
  readonly send: (text: string) => void
  /** Puts the cursor into the text box; on touch screens, whose keyboard would cover the page, onto the conversation. */
  readonly focusComposer: () => void
}

const ThreadContext = createContext<ThreadValue | undefined>(undefined)

/** Gives the parts below it their thread. */
export const ThreadProvider: Context<ThreadValue | undefined> = ThreadContext

/** The thread around. */
export function useThread(): ThreadValue {
  const thread = use(ThreadContext)
  if (thread === undefined) throw new Error('This part needs a Thread.Root around it.')
  return thread
}

/** The thread around, where there is one. */
export function useOptionalThread(): ThreadValue | undefined {
  return use(ThreadContext)
}
