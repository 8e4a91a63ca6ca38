import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { createAssembler } from './assembler.ts'
import { usageOf } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import { ollamaRequest } from './ollama-request.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** Ollama's own API, `/api/chat` and `/api/generate`. */
export const ollama: StreamFormat = {
  name: 'ollama',
  framing: 'ndjson',
  createReader,
  request: ollamaRequest,
}

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  let calls = 0
  let files = 0

  function readObject(value: Fields): void {
    if (value['error'] != null) return assembler.fail(vendorError(value))
    assembler.start(string(value['model']))
    const message = fields(value['message'])
    assembler.text(
      'reasoning',
      'reasoning',
      string(message['thinking']) ||
        string(message['reasoning_content']) ||
        string(value['thinking']),
    )
    assembler.text('text', 'text', string(message['content']) || string(value['response']))
    for (const call of list(message['tool_calls'])) readCall(fields(call))
    for (const image of list(message['images'])) {
      files += 1
      assembler.emit({
        type: 'file',
        part: `file-${files}`,
        mediaType: 'image/png',
        data: string(image),
      })
    }
    if (value['done'] === true) readEnd(value)
  }

  /** A call comes whole, its arguments as a value; older servers leave out the id. */
  function readCall(call: Fields): void {
    const source = fields(call['function'])
    const name = string(source['name'])
    if (name === '') return assembler.skip()
    const key = `${calls}`
    calls += 1
    assembler.callStart(key, { id: string(call['id']), name })
    const value = source['arguments']
    if (typeof value === 'string') assembler.callDelta(key, value)
    else assembler.callValue(key, value)
  }

  function readEnd(value: Fields): void {
    assembler.usage(
      usageOf({
        inputTokens: count(value['prompt_eval_count']),
        outputTokens: count(value['eval_count']),
        reasoningTokens: undefined,
        cachedInputTokens: undefined,
      }),
    )
    const reason = string(value['done_reason'])
    // A runner that died says `done` without a reason and without its counts.
    if (reason !== '') assembler.finish(reason)
    else if (value['eval_count'] !== undefined) assembler.finish(undefined)
    assembler.sentinel()
  }

  return createRecordReader(assembler, { readObject })
}
