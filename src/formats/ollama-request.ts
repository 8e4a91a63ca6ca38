import type { JsonObject, JsonValue } from '../protocol/json.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { dataUrl, isCall, resultText, turnsOf, type Step } from './history.ts'

/** A history as the fields of an `/api/chat` request. */
export function ollamaRequest(messages: readonly ChatMessage[]): JsonObject {
  return { messages: ollamaMessages(messages), stream: true }
}

/** A history as Ollama messages. Of files only images in `data:` URLs can be sent. */
export function ollamaMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return turnsOf(messages).flatMap((turn) => {
    switch (turn.role) {
      case 'system':
        return [{ role: 'system', content: turn.text }]
      case 'user': {
        const content = turn.parts
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n\n')
        const images = turn.parts.flatMap((part) =>
          part.type === 'file' ? (dataUrl(part.url)?.data ?? []) : [],
        )
        return [{ role: 'user', content, ...(images.length > 0 && { images }) }]
      }
      case 'assistant':
        return turn.steps.flatMap(stepMessages)
    }
  })
}

function stepMessages({ parts }: Step): JsonObject[] {
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const calls = parts.filter(isCall).filter((call) => call.runs !== 'provider')
  if (content === '' && calls.length === 0) return []
  const toolCalls = calls.map((call): JsonObject => ({
    id: call.id,
    function: { name: call.name, arguments: call.input as JsonValue },
  }))
  return [
    { role: 'assistant', content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) },
    ...calls.map((call): JsonObject => ({
      role: 'tool',
      tool_name: call.name,
      tool_call_id: call.id,
      content: resultText(call.result.value),
    })),
  ]
}
