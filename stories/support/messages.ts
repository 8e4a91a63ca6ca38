import {
  toChatMessage,
  type ChatMessage,
  type ChatMessageInput,
  type MessagePart,
  type MessageStatus,
  type StreamError,
} from 'sluice/core'

const text = (value: string): MessagePart => ({ type: 'text', text: value, state: 'done' })

/** What a person wrote. */
export const said = (value: string, more: Partial<ChatMessageInput> = {}): ChatMessage =>
  toChatMessage({ id: `said ${value}`, role: 'user', parts: [text(value)], ...more })

/** An answer, complete unless said otherwise. */
export function answered(
  content: string | MessagePart[],
  status: MessageStatus = { type: 'complete', reason: 'stop' },
  more: Partial<ChatMessageInput> = {},
): ChatMessage {
  const parts = typeof content === 'string' ? [text(content)] : content
  const id = `answered ${JSON.stringify(content)}`
  return { ...toChatMessage({ id, role: 'assistant', parts, ...more }), status }
}

/** A failure as a server reports it. */
export const failure = (error: Omit<StreamError, 'retryable'>): MessageStatus => ({
  type: 'incomplete',
  reason: 'error',
  error: { ...error, retryable: true },
})
