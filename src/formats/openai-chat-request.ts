import type { ChatMessage, FilePart, TextPart } from '../protocol/message.ts'
import type { JsonObject } from '../protocol/json.ts'
import { isCall, resultText, turnsOf, type Step } from './history.ts'

/** A history as the fields of a Chat Completions request. */
export function openaiChatRequest(messages: readonly ChatMessage[]): JsonObject {
  return {
    messages: openaiChatMessages(messages),
    stream: true,
    stream_options: { include_usage: true },
  }
}

/** A history as Chat Completions messages. Thoughts are left out: servers refuse or ignore them. */
export function openaiChatMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return turnsOf(messages).flatMap((turn) => {
    switch (turn.role) {
      case 'system':
        return [{ role: 'system', content: turn.text }]
      case 'user':
        return [{ role: 'user', content: userContent(turn.parts) }]
      case 'assistant':
        return turn.steps.flatMap(assistantMessages)
    }
  })
}

function userContent(parts: readonly (TextPart | FilePart)[]): JsonObject[] | string {
  if (parts.every((part) => part.type === 'text'))
    return parts.map((part) => part.text).join('\n\n')
  return parts.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.mediaType.startsWith('image/'))
      return { type: 'image_url', image_url: { url: part.url } }
    return { type: 'file', file: { filename: part.filename ?? 'file', file_data: part.url } }
  })
}

function assistantMessages({ parts }: Step): JsonObject[] {
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim()
  const calls = parts.filter(isCall).filter((call) => call.runs !== 'provider')
  const content = text === '' ? null : text
  if (calls.length === 0) return content === null ? [] : [{ role: 'assistant', content }]
  return [
    {
      role: 'assistant',
      content,
      tool_calls: calls.map((call): JsonObject =>
        call.kind === 'text'
          ? {
              id: call.id,
              type: 'custom',
              custom: { name: call.name, input: resultText(call.input) },
            }
          : {
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.input) },
            },
      ),
    },
    ...calls.map((call): JsonObject => ({
      role: 'tool',
      tool_call_id: call.id,
      content: resultText(call.result.value),
    })),
  ]
}
