import type { JsonObject, JsonValue, ProviderMetadata } from '../protocol/json.ts'
import type { ChatMessage, FilePart, TextPart } from '../protocol/message.ts'
import { dataUrl, isCall, turnsOf, type PairedCall, type Step, type Turn } from './history.ts'

/** A history as the fields of a `streamGenerateContent` request. */
export function geminiRequest(messages: readonly ChatMessage[]): JsonObject {
  const system = turnsOf(messages).flatMap((turn) =>
    turn.role === 'system' ? [{ text: turn.text }] : [],
  )
  return {
    contents: geminiContents(messages),
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
  }
}

/**
 * A history as Gemini contents; system turns are left out, since they are a field of the request. Signatures of thoughts go
 * back on the part that carried them.
 */
export function geminiContents(messages: readonly ChatMessage[]): JsonObject[] {
  return turnsOf(messages).flatMap((turn: Turn) => {
    switch (turn.role) {
      case 'system':
        return []
      case 'user':
        return [{ role: 'user', parts: turn.parts.map(inputPart) }]
      case 'assistant':
        return turn.steps.flatMap(stepContents)
    }
  })
}

function stepContents({ parts }: Step): JsonObject[] {
  const said = parts.flatMap(outputPart)
  if (said.length === 0) return []
  const results = parts
    .filter(isCall)
    .filter((call) => call.runs !== 'provider')
    .map(resultPart)
  return [
    { role: 'model', parts: said },
    ...(results.length === 0 ? [] : [{ role: 'user', parts: results }]),
  ]
}

function inputPart(part: TextPart | FilePart): JsonObject {
  if (part.type === 'text') return { text: part.text }
  const inline = dataUrl(part.url)
  return inline === undefined
    ? { fileData: { mimeType: part.mediaType, fileUri: part.url } }
    : { inlineData: { mimeType: part.mediaType, data: inline.data } }
}

function outputPart(part: Step['parts'][number]): JsonObject[] {
  if (isCall(part)) {
    if (part.runs === 'provider') return []
    return [
      {
        functionCall: { id: part.id, name: part.name, args: part.input as JsonValue },
        ...signature(part.meta),
      },
    ]
  }
  if (part.type === 'text') return [{ text: part.text, ...signature(part.providerMetadata) }]
  const kept = signature(part.providerMetadata)
  if (part.type === 'reasoning' && kept.thoughtSignature !== undefined)
    return [{ text: part.text, thought: true, ...kept }]
  return []
}

function resultPart(call: PairedCall): JsonObject {
  const value = call.result.value as JsonValue
  return {
    functionResponse: {
      id: call.id,
      name: call.name,
      response: call.result.ok ? { output: value } : { error: value },
    },
  }
}

function signature(meta: ProviderMetadata | undefined): { thoughtSignature?: string } {
  const kept = meta?.['google']?.['thoughtSignature']
  return typeof kept === 'string' ? { thoughtSignature: kept } : {}
}
