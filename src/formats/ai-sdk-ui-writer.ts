import type { EventBody, FinishReason } from '../protocol/events.ts'
import type { WireRecord } from '../protocol/format.ts'
import type { ProviderMetadata } from '../protocol/json.ts'
import { DONE, jsonRecord, type RecordWriter, type WritableFormat } from './writer.ts'

/** Writes AI SDK's UI message stream, version 1. */
export const aiSdkUiWriter: WritableFormat = {
  name: 'ai-sdk-ui',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  createWriter,
}

const WORDS: { readonly [R in FinishReason]?: string } = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-window': 'length',
  'tool-calls': 'tool-calls',
  'content-filter': 'content-filter',
  refusal: 'content-filter',
  paused: 'tool-calls',
  interrupted: 'interrupted',
}

function createWriter(): RecordWriter {
  const open = new Map<string, 'text' | 'reasoning'>()
  const calls = new Map<
    string,
    { readonly name: string; readonly dynamic: boolean | undefined; readonly runs: string }
  >()
  const refusals = new Map<string, string>()
  /** Parts of the current step, in order: a reset can withdraw a whole step only. */
  let stepParts: string[] = []

  function delta(
    kind: 'text' | 'reasoning',
    part: string,
    text: string,
    meta: ProviderMetadata | undefined,
  ): WireRecord[] {
    const records: WireRecord[] = []
    if (!open.has(part)) {
      open.set(part, kind)
      stepParts.push(part)
      records.push(jsonRecord({ type: `${kind}-start`, id: part }))
    }
    if (text !== '' || meta !== undefined) {
      records.push(jsonRecord({ type: `${kind}-delta`, id: part, delta: text, ...metadata(meta) }))
    }
    return records
  }

  function end(part: string, meta?: ProviderMetadata): WireRecord[] {
    const kind = open.get(part)
    if (kind === undefined) return []
    open.delete(part)
    return [jsonRecord({ type: `${kind}-end`, id: part, ...metadata(meta) })]
  }

  function endAll(): WireRecord[] {
    return [...open.keys()].flatMap((part) => end(part))
  }

  function write(event: EventBody): readonly WireRecord[] {
    switch (event.type) {
      case 'start':
        return [
          jsonRecord({ type: 'start', messageId: event.messageId }),
          jsonRecord({ type: 'start-step' }),
        ]
      case 'text_delta':
        return delta('text', event.part, event.text, event.meta)
      case 'reasoning_delta':
        return delta('reasoning', event.part, event.text, event.meta)
      case 'refusal_delta': {
        const text = (refusals.get(event.part) ?? '') + event.text
        refusals.set(event.part, text)
        return [jsonRecord({ type: 'data-refusal', id: event.part, data: { text } })]
      }
      case 'part_end':
        return end(event.part, event.meta)
      case 'tool_start': {
        const { toolCallId, name, dynamic, runs } = event
        calls.set(toolCallId, { name, dynamic, runs })
        stepParts.push(event.part)
        return [
          jsonRecord({
            type: 'tool-input-start',
            toolCallId,
            toolName: name,
            ...(event.inputKind === 'text' && { inputEncoding: 'text' }),
            ...callFields(toolCallId),
            ...metadata(event.meta),
          }),
        ]
      }
      case 'tool_delta':
        return [
          jsonRecord({
            type: 'tool-input-delta',
            toolCallId: event.toolCallId,
            inputTextDelta: event.argsText,
          }),
        ]
      case 'tool_complete':
        return [inputRecord(event)]
      case 'tool_approval':
        return [
          jsonRecord({
            type: 'tool-approval-request',
            approvalId: event.approvalId,
            toolCallId: event.toolCallId,
          }),
        ]
      case 'tool_result':
        return [resultRecord(event)]
      case 'source':
        return [jsonRecord(sourceOf(event))]
      case 'file': {
        const { mediaType, url, data = '' } = event
        return [
          jsonRecord({ type: 'file', mediaType, url: url ?? `data:${mediaType};base64,${data}` }),
        ]
      }
      case 'component': {
        const { componentId, name, props } = event
        return [jsonRecord({ type: 'data-component', id: componentId, data: { name, props } })]
      }
      case 'data': {
        const { name, id, value, transient } = event
        return [
          jsonRecord({
            type: `data-${name}`,
            data: value,
            ...(id !== undefined && { id }),
            ...(transient === true && { transient }),
          }),
        ]
      }
      case 'metadata':
        return [jsonRecord({ type: 'message-metadata', messageMetadata: event.value })]
      case 'step':
        stepParts = []
        return [
          ...endAll(),
          jsonRecord({ type: 'finish-step' }),
          jsonRecord({ type: 'start-step' }),
        ]
      case 'reset':
        if (stepParts[0] !== event.part) return []
        stepParts = []
        return [...endAll(), jsonRecord({ type: 'reset-step' })]
      case 'done':
        return close(WORDS[event.finishReason] ?? 'other', event.usage)
      case 'interrupted':
        return close('interrupted', undefined)
      case 'cancelled':
        return [...endAll(), jsonRecord({ type: 'abort' }), DONE]
      case 'error':
        return [...endAll(), jsonRecord({ type: 'error', errorText: event.message }), DONE]
      case 'usage':
      case 'review':
        return []
    }
  }

  function close(finishReason: string, usage: object | undefined): WireRecord[] {
    const more = usage === undefined ? {} : { messageMetadata: { usage } }
    return [
      ...endAll(),
      jsonRecord({ type: 'finish-step' }),
      jsonRecord({ type: 'finish', finishReason, ...more }),
      DONE,
    ]
  }

  function callFields(toolCallId: string): object {
    const call = calls.get(toolCallId)
    return {
      ...(call?.dynamic !== undefined && { dynamic: call.dynamic }),
      ...(call?.runs === 'provider' && { providerExecuted: true }),
    }
  }

  function inputRecord(event: Extract<EventBody, { type: 'tool_complete' }>): WireRecord {
    const { toolCallId, argsText, args } = event
    const base = {
      toolCallId,
      toolName: calls.get(toolCallId)?.name ?? '',
      ...callFields(toolCallId),
    }
    return args === undefined
      ? jsonRecord({
          type: 'tool-input-error',
          ...base,
          input: argsText,
          errorText: 'The arguments are not valid JSON.',
        })
      : jsonRecord({ type: 'tool-input-available', ...base, input: args })
  }

  function resultRecord(event: Extract<EventBody, { type: 'tool_result' }>): WireRecord {
    const { toolCallId, state, output, error, preliminary } = event
    if (state === 'denied') return jsonRecord({ type: 'tool-output-denied', toolCallId })
    if (state === 'succeeded') {
      const more = { ...callFields(toolCallId), ...(preliminary === true && { preliminary }) }
      return jsonRecord({
        type: 'tool-output-available',
        toolCallId,
        output: output ?? null,
        ...more,
      })
    }
    const errorText =
      error ??
      (state === 'unknown'
        ? 'Nobody can tell whether this action took effect.'
        : 'The tool failed.')
    return jsonRecord({
      type: 'tool-output-error',
      toolCallId,
      errorText,
      ...callFields(toolCallId),
    })
  }

  return { write }
}

function sourceOf(event: Extract<EventBody, { type: 'source' }>): object {
  const { sourceId, url, title, mediaType = 'text/plain', filename } = event
  if (url !== undefined)
    return { type: 'source-url', sourceId, url, ...(title !== undefined && { title }) }
  return {
    type: 'source-document',
    sourceId,
    mediaType,
    title: title ?? filename ?? 'Document',
    ...(filename !== undefined && { filename }),
  }
}

function metadata(meta: ProviderMetadata | undefined): object {
  return meta === undefined ? {} : { providerMetadata: meta }
}
