import type { JsonObject, JsonValue } from '../protocol/json.ts'
import type { ChatMessage, FilePart, ReasoningPart, TextPart } from '../protocol/message.ts'
import {
  dataUrl,
  isCall,
  resultText,
  turnsOf,
  type PairedCall,
  type Step,
  type Turn,
} from './history.ts'

/** A history as the fields of a Messages request. */
export function anthropicRequest(messages: readonly ChatMessage[]): JsonObject {
  const system = turnsOf(messages).flatMap((turn) => (turn.role === 'system' ? [turn.text] : []))
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: anthropicMessages(messages),
    // The API has no default; a model's own cap is lower or higher, which `body` can say.
    max_tokens: 8192,
    stream: true,
  }
}

/**
 * A history as Messages turns; system turns are left out, since they are a field of the request. A thought goes back only
 * with its signature, without which the API refuses the whole request.
 */
export function anthropicMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return turnsOf(messages).flatMap(turnMessages)
}

function turnMessages(turn: Turn): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', content: turn.parts.map(inputBlock) }]
    case 'assistant':
      return turn.steps.flatMap(stepMessages)
  }
}

function stepMessages({ parts }: Step): JsonObject[] {
  const content = parts.flatMap(outputBlocks)
  if (content.length === 0) return []
  const results = parts
    .filter(isCall)
    .flatMap((call) => (call.runs === 'provider' ? [] : [resultBlock(call)]))
  return [
    { role: 'assistant', content },
    ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
  ]
}

function outputBlocks(part: Step['parts'][number]): JsonObject[] {
  if (isCall(part)) return callBlocks(part)
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning':
      return thoughtBlocks(part)
    case 'file':
      return []
  }
}

function thoughtBlocks(part: ReasoningPart): JsonObject[] {
  const kept = part.providerMetadata?.['anthropic']
  const redacted = kept?.['redactedData']
  if (typeof redacted === 'string') return [{ type: 'redacted_thinking', data: redacted }]
  const signature = kept?.['signature']
  if (typeof signature !== 'string' || signature === '') return []
  return [{ type: 'thinking', thinking: part.text, signature }]
}

function callBlocks(call: PairedCall): JsonObject[] {
  const input = call.input as JsonValue
  if (call.runs !== 'provider') return [{ type: 'tool_use', id: call.id, name: call.name, input }]
  // A vendor's own tool goes back as its two blocks, or not at all.
  const kept = call.meta?.['anthropic']
  const type = kept?.['type']
  const resultType = kept?.['resultType']
  if (typeof type !== 'string' || typeof resultType !== 'string') return []
  return [
    { type, id: call.id, name: call.name, input },
    { type: resultType, tool_use_id: call.id, content: call.result.value as JsonValue },
  ]
}

function resultBlock(call: PairedCall): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: resultText(call.result.value),
    ...(!call.result.ok && { is_error: true }),
  }
}

function inputBlock(part: TextPart | FilePart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const inline = dataUrl(part.url)
  const source =
    inline === undefined
      ? { type: 'url', url: part.url }
      : { type: 'base64', media_type: part.mediaType || inline.mediaType, data: inline.data }
  return { type: part.mediaType.startsWith('image/') ? 'image' : 'document', source }
}
