import type { JsonObject } from '../protocol/json.ts'
import type { ChatMessage, FilePart, TextPart } from '../protocol/message.ts'
import { isCall, resultText, turnsOf, type PairedCall, type Step } from './history.ts'

/** A history as the fields of a Responses request. */
export function openaiResponsesRequest(messages: readonly ChatMessage[]): JsonObject {
  return { input: openaiResponsesInput(messages), stream: true }
}

/** A history as Responses input items. A thought goes back only with what proves it to the vendor. */
export function openaiResponsesInput(messages: readonly ChatMessage[]): JsonObject[] {
  return turnsOf(messages).flatMap((turn) => {
    switch (turn.role) {
      case 'system':
        return [{ role: 'system', content: turn.text }]
      case 'user':
        return [{ role: 'user', content: turn.parts.map(inputPart) }]
      case 'assistant':
        return turn.steps.flatMap(itemsOf)
    }
  })
}

function inputPart(part: TextPart | FilePart): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  if (part.mediaType.startsWith('image/'))
    return { type: 'input_image', image_url: part.url, detail: 'auto' }
  const isData = part.url.startsWith('data:')
  return isData
    ? { type: 'input_file', filename: part.filename ?? 'file', file_data: part.url }
    : { type: 'input_file', file_url: part.url }
}

function itemsOf({ parts }: Step): JsonObject[] {
  const results: JsonObject[] = []
  const items = parts.flatMap((part): JsonObject[] => {
    if (isCall(part)) {
      if (part.runs === 'provider') return []
      results.push(resultItem(part))
      return [callItem(part)]
    }
    if (part.type === 'text')
      return [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }]
    if (part.type !== 'reasoning') return []
    const kept = part.providerMetadata?.['openai']
    const encrypted = kept?.['encryptedContent']
    if (typeof encrypted !== 'string') return []
    const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
    return [{ type: 'reasoning', id: kept?.['itemId'], summary, encrypted_content: encrypted }]
  })
  return [...items, ...results]
}

function callItem(call: PairedCall): JsonObject {
  return call.kind === 'text'
    ? { type: 'custom_tool_call', call_id: call.id, name: call.name, input: resultText(call.input) }
    : {
        type: 'function_call',
        call_id: call.id,
        name: call.name,
        arguments: JSON.stringify(call.input),
      }
}

function resultItem(call: PairedCall): JsonObject {
  const type = call.kind === 'text' ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: call.id, output: resultText(call.result.value) }
}
