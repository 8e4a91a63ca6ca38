import type { EventBody, Usage } from '../protocol/events.ts'
import type { WireRecord } from '../protocol/format.ts'
import {
  CUT_MESSAGE,
  jsonRecord,
  type RecordWriter,
  type WritableFormat,
  type WriterContext,
} from './writer.ts'

/** Writes OpenAI Responses streams. */
export const openaiResponsesWriter: WritableFormat = { name: 'openai-responses', createWriter }

interface Item {
  readonly index: number
  readonly id: string
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'function' | 'custom'
  readonly call: { readonly id: string; readonly name: string } | undefined
  text: string
  closed: boolean
}

function createWriter({ id, model, created }: WriterContext): RecordWriter {
  const items = new Map<string, Item>()
  let sequence = 0

  function record(type: string, more: object): WireRecord {
    const value = { type, sequence_number: sequence, ...more }
    sequence += 1
    return jsonRecord(value, type)
  }

  function response(status: string, more: object = {}): object {
    const output = [...items.values()].filter((item) => item.closed).map(itemOf)
    return { ...EMPTY_RESPONSE, id, created_at: created, model, status, output, ...more }
  }

  function open(key: string, kind: Item['kind'], call?: Item['call']): [Item, WireRecord[]] {
    const known = items.get(key)
    if (known !== undefined) return [known, []]
    const index = items.size
    const item: Item = {
      index,
      id: `${PREFIX[kind]}_${id}_${index}`,
      kind,
      call,
      text: '',
      closed: false,
    }
    items.set(key, item)
    const records = [
      record('response.output_item.added', {
        output_index: index,
        item: { ...itemOf(item), ...opening(kind) },
      }),
    ]
    const place = { item_id: item.id, output_index: index }
    if (kind === 'text' || kind === 'refusal') {
      records.push(
        record('response.content_part.added', { ...place, content_index: 0, part: partOf(item) }),
      )
    } else if (kind === 'reasoning') {
      records.push(
        record('response.reasoning_summary_part.added', {
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        }),
      )
    }
    return [item, records]
  }

  function grow(key: string, kind: Item['kind'], delta: string): WireRecord[] {
    const [item, records] = open(key, kind)
    if (delta === '' || item.closed) return records
    item.text += delta
    const place = { item_id: item.id, output_index: item.index }
    const more =
      kind === 'text'
        ? { ...place, content_index: 0, logprobs: [] }
        : kind === 'refusal'
          ? { ...place, content_index: 0 }
          : kind === 'reasoning'
            ? { ...place, summary_index: 0 }
            : place
    return [...records, record(`${EVENT[kind]}.delta`, { ...more, delta })]
  }

  function close(item: Item): WireRecord[] {
    if (item.closed) return []
    item.closed = true
    const place = { item_id: item.id, output_index: item.index }
    const records: WireRecord[] = []
    if (item.kind === 'text' || item.kind === 'refusal') {
      const whole =
        item.kind === 'text' ? { text: item.text, logprobs: [] } : { refusal: item.text }
      records.push(record(`${EVENT[item.kind]}.done`, { ...place, content_index: 0, ...whole }))
      records.push(
        record('response.content_part.done', { ...place, content_index: 0, part: partOf(item) }),
      )
    } else if (item.kind === 'reasoning') {
      records.push(
        record(`${EVENT.reasoning}.done`, { ...place, summary_index: 0, text: item.text }),
      )
      records.push(
        record('response.reasoning_summary_part.done', {
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text: item.text },
        }),
      )
    } else {
      const whole = item.kind === 'function' ? { arguments: item.text } : { input: item.text }
      records.push(record(`${EVENT[item.kind]}.done`, { ...place, ...whole }))
    }
    return [
      ...records,
      record('response.output_item.done', { output_index: item.index, item: itemOf(item) }),
    ]
  }

  function closeAll(): WireRecord[] {
    // A call that never became whole is not told as one.
    return [...items.values()].flatMap((item) => (item.call === undefined ? close(item) : []))
  }

  function write(event: EventBody): readonly WireRecord[] {
    switch (event.type) {
      case 'start':
        return [
          record('response.created', { response: response('in_progress') }),
          record('response.in_progress', { response: response('in_progress') }),
        ]
      case 'text_delta':
        return grow(event.part, 'text', event.text)
      case 'refusal_delta':
        return grow(event.part, 'refusal', event.text)
      case 'reasoning_delta':
        return grow(event.part, 'reasoning', event.text)
      case 'part_end': {
        const item = items.get(event.part)
        return item === undefined ? [] : close(item)
      }
      case 'tool_start': {
        if (event.runs !== 'client') return []
        const kind = event.inputKind === 'text' ? 'custom' : 'function'
        return open(event.toolCallId, kind, { id: event.toolCallId, name: event.name })[1]
      }
      case 'tool_delta': {
        const item = items.get(event.toolCallId)
        return item === undefined ? [] : grow(event.toolCallId, item.kind, event.argsText)
      }
      case 'tool_complete': {
        const item = items.get(event.toolCallId)
        if (item === undefined) return []
        const rest = item.text === '' ? grow(event.toolCallId, item.kind, event.argsText) : []
        return [...rest, ...close(item)]
      }
      case 'done':
        return [...closeAll(), end(event)]
      case 'error':
        return [...closeAll(), failed(event.code, event.message)]
      case 'cancelled':
      case 'interrupted':
        return [...closeAll(), failed('server_error', CUT_MESSAGE)]
      default:
        return []
    }
  }

  function end({ finishReason, usage }: Extract<EventBody, { type: 'done' }>): WireRecord {
    const reason =
      finishReason === 'content-filter'
        ? 'content_filter'
        : finishReason === 'length' || finishReason === 'context-window'
          ? 'max_output_tokens'
          : undefined
    const status = reason === undefined ? 'completed' : 'incomplete'
    const more = {
      ...(reason !== undefined && { incomplete_details: { reason } }),
      ...(usage && { usage: responsesUsage(usage) }),
    }
    return record(`response.${status}`, { response: response(status, more) })
  }

  function failed(code: string, message: string): WireRecord {
    return record('response.failed', { response: response('failed', { error: { code, message } }) })
  }

  return { write }
}

const PREFIX = {
  text: 'msg',
  refusal: 'msg',
  reasoning: 'rs',
  function: 'fc',
  custom: 'ctc',
} as const

const EVENT = {
  text: 'response.output_text',
  refusal: 'response.refusal',
  reasoning: 'response.reasoning_summary_text',
  function: 'response.function_call_arguments',
  custom: 'response.custom_tool_call_input',
} as const

const EMPTY_RESPONSE = {
  object: 'response',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: null,
}

function partOf({ kind, text }: Item): object {
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] }
}

function opening(kind: Item['kind']): object {
  if (kind === 'text' || kind === 'refusal') return { content: [], status: 'in_progress' }
  return kind === 'reasoning' ? { summary: [] } : { status: 'in_progress' }
}

function itemOf(item: Item): object {
  const { id, kind, call, text } = item
  const status = 'completed'
  switch (kind) {
    case 'text':
    case 'refusal':
      return { id, type: 'message', role: 'assistant', status, content: [partOf(item)] }
    case 'reasoning':
      return { id, type: 'reasoning', summary: [{ type: 'summary_text', text }] }
    case 'function':
      return {
        id,
        type: 'function_call',
        status,
        call_id: call?.id,
        name: call?.name,
        arguments: text,
      }
    case 'custom':
      return {
        id,
        type: 'custom_tool_call',
        status,
        call_id: call?.id,
        name: call?.name,
        input: text,
      }
  }
}

function responsesUsage({
  inputTokens = 0,
  outputTokens = 0,
  cachedInputTokens = 0,
  reasoningTokens = 0,
}: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
