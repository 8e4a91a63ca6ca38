import {
  toChatMessage,
  type ChatMessage,
  type ChatMessageInput,
  type ErrorCode,
  type IncompleteReason,
  type MessagePart,
  type MessageStatus,
} from 'sluice/core'

/** What a person wrote. */
export const userMessage = (id: string, text: string): ChatMessage =>
  toChatMessage({ id, role: 'user', parts: [{ type: 'text', text }] })

/** An answer in a given state, of one text or of any parts. */
export function answer(
  id: string,
  content: string | MessagePart[],
  status: MessageStatus = { type: 'complete', reason: 'stop' },
  more: Partial<ChatMessageInput> = {},
): ChatMessage {
  const isRunning = status.type === 'running'
  const parts: MessagePart[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content, state: isRunning ? 'streaming' : 'done' }]
      : content
  // `toChatMessage` takes a stored `running` for a stream that was lost.
  return { ...toChatMessage({ id, role: 'assistant', parts, ...more }), status }
}

/** An answer that is not complete, and why. */
export const cut = (reason: IncompleteReason, text = 'The gates'): ChatMessage =>
  answer(`cut-${reason}`, text, { type: 'incomplete', reason })

/** An answer that failed. */
export const failed = (code: ErrorCode, retryAfterMs?: number): ChatMessage =>
  answer(`failed-${code}`, [], {
    type: 'incomplete',
    reason: 'error',
    error: {
      code,
      message: `as the server put it: ${code}`,
      retryable: false,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  })
