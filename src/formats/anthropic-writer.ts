import type { EventBody, FinishReason, Usage } from '../protocol/events.ts'
import type { WireRecord } from '../protocol/format.ts'
import {
  CUT_MESSAGE,
  jsonRecord,
  type RecordWriter,
  type WritableFormat,
  type WriterContext,
} from './writer.ts'

/** Writes Anthropic Messages streams. */
export const anthropicWriter: WritableFormat = { name: 'anthropic', createWriter }

const WORDS: { readonly [R in FinishReason]?: string } = {
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'context-window': 'model_context_window_exceeded',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  refusal: 'refusal',
  paused: 'pause_turn',
}

function createWriter({ id, model }: WriterContext): RecordWriter {
  let blocks = 0
  /** The one open block of text. Blocks of text never interleave; a call stays open beside them until it is whole. */
  let open: { readonly part: string; readonly index: number } | undefined
  const calls = new Map<string, { readonly index: number; sent: boolean }>()

  function record(type: string, more: object): WireRecord {
    return jsonRecord({ type, ...more }, type)
  }

  function close(): WireRecord[] {
    const index = open?.index
    open = undefined
    return index === undefined ? [] : [record('content_block_stop', { index })]
  }

  function delta(part: string, block: object, change: object): WireRecord[] {
    const records: WireRecord[] = []
    if (open?.part !== part) {
      records.push(...close())
      open = { part, index: blocks }
      records.push(record('content_block_start', { index: blocks, content_block: block }))
      blocks += 1
    }
    return [...records, record('content_block_delta', { index: open.index, delta: change })]
  }

  function write(event: EventBody): readonly WireRecord[] {
    switch (event.type) {
      case 'start':
        return [record('message_start', { message: messageOf(id, model) })]
      case 'text_delta':
      case 'refusal_delta':
        return delta(
          event.part,
          { type: 'text', text: '', citations: null },
          { type: 'text_delta', text: event.text },
        )
      case 'reasoning_delta':
        return delta(
          event.part,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: event.text },
        )
      case 'part_end':
        return open?.part === event.part ? close() : []
      case 'tool_start': {
        if (event.runs !== 'client') return []
        const index = blocks
        blocks += 1
        calls.set(event.toolCallId, { index, sent: false })
        const block = { type: 'tool_use', id: event.toolCallId, name: event.name, input: {} }
        return [...close(), record('content_block_start', { index, content_block: block })]
      }
      case 'tool_delta':
        return piece(event.toolCallId, event.argsText)
      case 'tool_complete': {
        const call = calls.get(event.toolCallId)
        if (call === undefined) return []
        const rest = call.sent ? [] : piece(event.toolCallId, event.argsText)
        return [...rest, record('content_block_stop', { index: call.index })]
      }
      case 'done':
        return [
          ...close(),
          record('message_delta', {
            delta: {
              stop_reason: WORDS[event.finishReason] ?? 'end_turn',
              stop_sequence: null,
              stop_details: null,
              container: null,
            },
            usage: anthropicUsage(event.usage ?? {}),
          }),
          record('message_stop', {}),
        ]
      case 'error':
        return [failure(TYPES[event.code] ?? 'api_error', event.message)]
      case 'cancelled':
      case 'interrupted':
        return [failure('api_error', CUT_MESSAGE)]
      default:
        return []
    }
  }

  function piece(toolCallId: string, text: string): WireRecord[] {
    const call = calls.get(toolCallId)
    if (call === undefined || text === '') return []
    call.sent = true
    return [
      record('content_block_delta', {
        index: call.index,
        delta: { type: 'input_json_delta', partial_json: text },
      }),
    ]
  }

  function failure(type: string, message: string): WireRecord {
    return record('error', { error: { type, message } })
  }

  return { write }
}

const TYPES: Readonly<Record<string, string>> = {
  auth: 'authentication_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  'bad-request': 'invalid_request_error',
  'context-length': 'invalid_request_error',
  'too-large': 'request_too_large',
  'rate-limit': 'rate_limit_error',
  quota: 'billing_error',
  overloaded: 'overloaded_error',
  timeout: 'timeout_error',
}

function messageOf(id: string, model: string): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    container: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  }
}

/** Anthropic counts cached input apart from the rest. */
function anthropicUsage({ inputTokens, outputTokens = 0, cachedInputTokens = 0 }: Usage): object {
  return {
    output_tokens: outputTokens,
    ...(inputTokens !== undefined && { input_tokens: inputTokens - cachedInputTokens }),
    ...(cachedInputTokens > 0 && { cache_read_input_tokens: cachedInputTokens }),
  }
}
