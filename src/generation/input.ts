import { NO_COUNTS, type ChatMessage } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { StreamInput } from './stream-types.ts'

/** What a stream is asked, with its messages made whole. */
export interface Question {
  readonly messages: readonly ChatMessage[]
  readonly messageId?: string | undefined
  readonly onto?: ChatMessage | undefined
  readonly continues?: string | undefined
}

/** Reads what a stream is asked: a text, a history, or a history with what the answer goes on from. */
export function questionOf(input: StreamInput, generateId: () => string): Question {
  if (typeof input === 'string') {
    const message: ChatMessage = {
      id: generateId(),
      role: 'user',
      parts: [{ type: 'text', text: input }],
      status: { type: 'complete', reason: 'stop' },
      requestIds: [],
      counters: NO_COUNTS,
    }
    return { messages: [message] }
  }
  if ('messages' in input) return { ...input, messages: input.messages.map(toChatMessage) }
  return { messages: input.map(toChatMessage) }
}
