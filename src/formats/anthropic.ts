import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { isRecord, type JsonObject } from '../protocol/json.ts'
import { anthropicRequest } from './anthropic-request.ts'
import { createAssembler } from './assembler.ts'
import { usageOf, vendorMeta } from './usage.ts'
import { count, fields, string, type Fields } from './fields.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** Anthropic Messages. */
export const anthropic: StreamFormat = {
  name: 'anthropic',
  framing: 'sse',
  createReader,
  request: anthropicRequest,
}

/** The events of the API; a name that is none of these may carry anything (Anthropic's versioning policy). */
const EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
  'message',
])

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  /** Keys of the open blocks. A compatible server may use one index for all, so that each block gets its own key. */
  const blocks = new Map<number, string>()
  let opened = 0
  let sources = 0
  let usage: Fields = {}

  function readObject(value: Fields, event: string | undefined): void {
    const type = typeof value['type'] === 'string' ? value['type'] : event
    switch (type) {
      case 'message_start': {
        const message = fields(value['message'])
        assembler.start(typeof message['model'] === 'string' ? message['model'] : undefined)
        return readUsage(message['usage'])
      }
      case 'content_block_start':
        return readBlock(indexOf(value), fields(value['content_block']))
      case 'content_block_delta':
        return readDelta(indexOf(value), fields(value['delta']))
      case 'content_block_stop':
        return closeBlock(indexOf(value))
      case 'message_delta':
        return readEnd(value)
      case 'message_stop':
        return assembler.sentinel()
      case 'error':
        return assembler.fail(vendorError(value))
      case 'ping':
        return
      default:
        // Servers that imitate the API may send a bare error.
        if (isRecord(value['error'])) assembler.fail(vendorError(value))
        else assembler.skip()
    }
  }

  function readBlock(index: number, block: Fields): void {
    const type = string(block['type'])
    blocks.delete(index)
    const key = keyOf(index)
    switch (type) {
      case 'text':
        return assembler.text('text', key, string(block['text']))
      case 'thinking':
        assembler.text('reasoning', key, string(block['thinking']))
        if (string(block['signature']) !== '') sign(key, string(block['signature']))
        return
      case 'redacted_thinking':
        return assembler.text(
          'reasoning',
          key,
          '',
          vendorMeta('anthropic', { redactedData: string(block['data']) }),
        )
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        assembler.callStart(key, {
          id: string(block['id']),
          name: string(block['name']),
          ...(type !== 'tool_use' && { runs: 'provider', meta: vendorMeta('anthropic', { type }) }),
        })
        // Some compatible servers send the whole input here, and no deltas.
        if (Object.keys(fields(block['input'])).length > 0)
          assembler.callDelta(key, JSON.stringify(block['input']))
        return
      case 'container_upload':
        // A file put where tools run: nothing of the answer.
        return
      default:
        if (type.endsWith('_tool_result')) readResult(type, block)
        else assembler.skip()
    }
  }

  function readDelta(index: number, delta: Fields): void {
    const key = keyOf(index)
    switch (delta['type']) {
      case 'text_delta':
        return assembler.text('text', key, string(delta['text']))
      case 'thinking_delta':
        return assembler.text('reasoning', key, string(delta['thinking']))
      case 'signature_delta':
        return sign(key, string(delta['signature']))
      case 'input_json_delta':
        return assembler.callDelta(key, string(delta['partial_json']))
      case 'citations_delta':
        return cite(key, fields(delta['citation']))
      default:
        assembler.skip()
    }
  }

  function closeBlock(index: number): void {
    const key = keyOf(index)
    if (assembler.hasCall(key)) assembler.callComplete(key)
    else assembler.partEnd(key)
    blocks.delete(index)
  }

  function keyOf(index: number): string {
    const known = blocks.get(index)
    if (known !== undefined) return known
    const key = `block-${opened}`
    opened += 1
    blocks.set(index, key)
    return key
  }

  function sign(key: string, signature: string): void {
    assembler.text('reasoning', key, '', vendorMeta('anthropic', { signature }))
  }

  /** The result of a tool that ran at the vendor: an array on success, an object with an error code on failure. */
  function readResult(type: string, block: Fields): void {
    const content = block['content']
    const failed = isRecord(content) && typeof content['error_code'] === 'string'
    const id = string(block['tool_use_id'])
    assembler.callResult(id, {
      state: failed || block['is_error'] === true ? 'failed' : 'succeeded',
      ...(failed ? { error: string(content['error_code']) } : { output: content }),
      meta: vendorMeta('anthropic', { resultType: type }),
    })
  }

  function cite(block: string, citation: Fields): void {
    const url = string(citation['url']) || string(citation['source'])
    const title = string(citation['title']) || string(citation['document_title'])
    sources += 1
    const part = `source-${sources}`
    const start = count(citation['start_char_index'])
    const end = count(citation['end_char_index'])
    const place: JsonObject = {
      citedText: string(citation['cited_text']),
      type: string(citation['type']),
      block,
    }
    if (start !== undefined && end !== undefined) Object.assign(place, { start, end })
    assembler.emit({
      type: 'source',
      part,
      sourceId: part,
      ...(url !== '' && { url }),
      ...(title !== '' && { title }),
      ...(url === '' && { mediaType: 'text/plain' }),
      meta: vendorMeta('anthropic', place),
    })
  }

  function readEnd(value: Fields): void {
    readUsage(value['usage'])
    const delta = fields(value['delta'])
    const word = delta['stop_reason']
    if (typeof word === 'string' && word !== '') assembler.finish(word)
  }

  /** Each report is cumulative, and restates only some of the counts. */
  function readUsage(report: unknown): void {
    if (!isRecord(report)) return
    usage = {
      ...usage,
      ...Object.fromEntries(Object.entries(report).filter(([, value]) => value != null)),
    }
    const input = count(usage['input_tokens'])
    const cached = count(usage['cache_read_input_tokens'])
    const details = fields(usage['output_tokens_details'])
    assembler.usage(
      usageOf({
        inputTokens:
          input === undefined
            ? undefined
            : input + (cached ?? 0) + (count(usage['cache_creation_input_tokens']) ?? 0),
        outputTokens: count(usage['output_tokens']),
        cachedInputTokens: cached,
        reasoningTokens: count(details['thinking_tokens']),
      }),
    )
  }

  return createRecordReader(assembler, {
    readObject,
    isForeign: (event) => !EVENTS.has(event),
  })
}

function indexOf(value: Fields): number {
  return typeof value['index'] === 'number' ? value['index'] : 0
}
