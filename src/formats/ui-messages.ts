import { isToolPart, type ChatMessage, type MessagePart } from '../protocol/message.ts'
import { CUT_MARK, isCut, isUnfit, pair } from './history.ts'

/** A history in AI SDK's own shape, without what would break the next request: see `turnsOf` for the rules. */
export function uiMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return message.parts.length === 0 ? [] : [message]
    if (isUnfit(message)) return []
    const parts = message.parts.filter(isSendable)
    if (!parts.some((part) => part.type !== 'step-start' && part.type !== 'reasoning')) return []
    return [
      { ...message, parts: isCut(message) ? [...parts, { type: 'text', text: CUT_MARK }] : parts },
    ]
  })
}

function isSendable(part: MessagePart): boolean {
  if (isToolPart(part)) return pair(part) !== undefined
  return !((part.type === 'text' || part.type === 'reasoning') && part.text === '')
}
