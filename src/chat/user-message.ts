import { NO_COUNTS, type ChatMessage } from '../protocol/message.ts'
import type { MessageDraft } from './chat-types.ts'

/** The message that a draft becomes. */
export function userMessage(id: string, draft: MessageDraft): ChatMessage {
  const { parts, metadata } = contentOf(draft)
  return {
    id,
    role: 'user',
    ...(metadata !== undefined && { metadata }),
    parts,
    status: { type: 'complete', reason: 'stop' },
    requestIds: [],
    counters: NO_COUNTS,
    delivery: 'sending',
  }
}

/** The same message, arrived or not. */
export function withDelivery(message: ChatMessage, delivery: ChatMessage['delivery']): ChatMessage {
  const { delivery: _before, ...rest } = message
  return delivery === undefined ? rest : { ...rest, delivery }
}

function contentOf(draft: MessageDraft): Pick<ChatMessage, 'parts' | 'metadata'> {
  if (typeof draft === 'string') return { parts: [{ type: 'text', text: draft }] }
  if ('parts' in draft) return { parts: [...draft.parts], metadata: draft.metadata }
  const text = draft.text === '' ? [] : [{ type: 'text' as const, text: draft.text }]
  return { parts: [...(draft.files ?? []), ...text], metadata: draft.metadata }
}
