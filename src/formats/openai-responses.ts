import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { createAssembler, type TextKind } from './assembler.ts'
import { usageOf } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import { endingOf } from './finish.ts'
import { createResponseItems } from './openai-responses-items.ts'
import { openaiResponsesRequest } from './openai-responses-request.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** OpenAI Responses, as an event stream or as the text frames of its WebSocket mode. */
export const openaiResponses: StreamFormat = {
  name: 'openai-responses',
  framing: 'sse',
  createReader,
  request: openaiResponsesRequest,
}

/** Events that tell nothing which another event does not tell, or nothing that belongs to an answer. */
const SILENT =
  /^(keepalive|response\.(queued|in_progress|audio\..*|steer\..*|compaction\..*|mcp_list_tools\..*)|response\..*_call\.(in_progress|searching|interpreting|generating|completed|failed|partial_image)|response\.(shell_call_.*|content_part\.added|reasoning_summary_part\..*))$/

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  const items = createResponseItems(assembler)

  function readObject(value: Fields, event: string | undefined): void {
    const type = string(value['type']) || (event ?? '')
    switch (type) {
      case 'response.created':
        return assembler.start(string(fields(value['response'])['model']))
      case 'response.output_item.added':
        return items.added(value)
      case 'response.output_item.done':
        return items.done(value)
      case 'response.output_text.delta':
        return text('text', value, 'delta')
      case 'response.output_text.done':
        return text('text', value, 'text')
      case 'response.refusal.delta':
        return text('refusal', value, 'delta')
      case 'response.refusal.done':
        return text('refusal', value, 'refusal')
      case 'response.reasoning_text.delta':
        return items.thought(value, string(value['delta']), false)
      case 'response.reasoning_text.done':
        return items.thought(value, string(value['text']), true)
      case 'response.reasoning_summary_text.delta':
        return items.thought(value, string(value['delta']), false)
      case 'response.reasoning_summary_text.done':
        return items.thought(value, string(value['text']), true)
      case 'response.content_part.done':
        return
      case 'response.output_text.annotation.added':
        return items.cite(value)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
      case 'response.mcp_call_arguments.delta':
      case 'response.code_interpreter_call_code.delta':
        return assembler.callDelta(items.keyOf(value), string(value['delta']))
      case 'response.function_call_arguments.done':
      case 'response.mcp_call_arguments.done':
        return assembler.callComplete(items.keyOf(value), string(value['arguments']))
      case 'response.custom_tool_call_input.done':
        return assembler.callComplete(items.keyOf(value), string(value['input']))
      case 'response.code_interpreter_call_code.done':
        return assembler.callComplete(items.keyOf(value), string(value['code']))
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return readEnd(fields(value['response']), type.slice('response.'.length))
      case 'error':
        return assembler.fail(vendorError(value))
      default:
        if (SILENT.test(type)) return
        if (type === '' && value['object'] === 'response') return assembler.fail(NOT_A_STREAM)
        if (type === '' && value['error'] != null) return assembler.fail(vendorError(value))
        assembler.skip()
    }
  }

  function text(kind: TextKind, value: Fields, field: string): void {
    const part = items.partOf(value)
    if (field === 'delta') assembler.text(kind, part, string(value['delta']))
    else assembler.settle(kind, part, string(value[field]))
  }

  /** Status and details decide, not the event's name: some servers send `completed` for every end. */
  function readEnd(response: Fields, named: string): void {
    readUsage(response['usage'])
    const status = string(response['status']) || named
    if (status === 'failed') {
      const error = vendorError({ error: response['error'] })
      if (error.code !== 'content-filter') return assembler.fail(error)
      assembler.finish(status, 'content-filter')
      return assembler.sentinel()
    }
    for (const item of list(response['output'])) items.repeated(fields(item))
    if (status === 'incomplete') {
      const reason = string(fields(response['incomplete_details'])['reason'])
      const ending =
        reason === 'content_filter' ? 'content-filter' : reason === 'steered' ? 'paused' : 'length'
      assembler.finish(named, ending)
    } else if (status === 'queued' || status === 'in_progress') return assembler.end()
    else assembler.finish(named, endingOf(status))
    assembler.sentinel()
  }

  function readUsage(value: unknown): void {
    const usage = fields(value)
    assembler.usage(
      usageOf({
        inputTokens: count(usage['input_tokens']),
        outputTokens: count(usage['output_tokens']),
        cachedInputTokens: count(fields(usage['input_tokens_details'])['cached_tokens']),
        reasoningTokens: count(fields(usage['output_tokens_details'])['reasoning_tokens']),
      }),
    )
  }

  return createRecordReader(assembler, {
    readObject,
    isForeign: (event) => !/^(response\.|error$|message$)/.test(event),
  })
}

const NOT_A_STREAM = {
  code: 'not-a-stream',
  message: 'The model server answered with one whole response instead of a stream.',
  retryable: false,
} as const
