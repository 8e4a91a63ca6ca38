import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { createAssembler } from './assembler.ts'
import { usageOf, vendorMeta } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import { endingOf, type Ending } from './finish.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** Gemini's newer API, Interactions. */
export const geminiInteractions: StreamFormat = {
  name: 'gemini-interactions',
  framing: 'sse',
  createReader,
}

const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['requires_continuation', 'paused'],
])

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  let sources = 0
  let files = 0
  /** Arguments given with the call's start, used where no piece of them follows. */
  const given = new Map<string, unknown>()

  function readObject(value: Fields, event: string | undefined): void {
    const type = string(value['event_type']) || (event ?? '')
    const key = `step-${count(value['index']) ?? 0}`
    switch (type) {
      case 'interaction.created':
        return assembler.start(string(fields(value['interaction'])['model']))
      case 'interaction.status_update':
        return
      case 'step.start':
        return startStep(key, fields(value['step']))
      case 'step.delta':
        return readDelta(key, fields(value['delta']))
      case 'step.stop':
        return stopStep(key)
      case 'interaction.completed':
        return readEnd(fields(value['interaction']))
      case 'error':
        return assembler.fail(vendorError(value))
      default:
        if (value['error'] != null) assembler.fail(vendorError(value))
        else assembler.skip()
    }
  }

  function startStep(key: string, step: Fields): void {
    const type = string(step['type'])
    if (!type.endsWith('_call')) return
    const isFunction = type === 'function_call'
    assembler.callStart(key, {
      id: string(step['id']),
      name: string(step['name']) || type.replace(/_call$/, ''),
      runs: isFunction ? 'client' : 'provider',
    })
    if (step['arguments'] != null) given.set(key, step['arguments'])
  }

  function readDelta(key: string, delta: Fields): void {
    const type = string(delta['type'])
    switch (type) {
      case 'text':
        return assembler.text('text', key, string(delta['text']))
      case 'thought_summary':
        return assembler.text('reasoning', key, string(fields(delta['content'])['text']))
      case 'thought_signature':
        return assembler.text(
          'reasoning',
          key,
          '',
          vendorMeta('google', { thoughtSignature: string(delta['signature']) }),
        )
      case 'arguments_delta':
        given.delete(key)
        return assembler.callDelta(key, string(delta['arguments']))
      case 'text_annotation_delta':
        for (const annotation of list(delta['annotations'])) cite(fields(annotation))
        return
      case 'image':
      case 'audio':
      case 'video':
      case 'document':
        return readFile(delta)
      default:
        if (type.endsWith('_result')) return readResult(delta)
        if (type.endsWith('_call')) given.set(key, delta['arguments'] ?? {})
        else assembler.skip()
    }
  }

  function stopStep(key: string): void {
    if (!assembler.hasCall(key)) return assembler.partEnd(key)
    if (given.has(key)) assembler.callValue(key, given.get(key))
    else assembler.callComplete(key)
  }

  function readResult(delta: Fields): void {
    const failed = delta['is_error'] === true
    assembler.callResult(string(delta['call_id']), {
      state: failed ? 'failed' : 'succeeded',
      ...(failed
        ? { error: string(delta['result']) || 'The tool failed.' }
        : { output: delta['result'] ?? null }),
    })
  }

  function readFile(delta: Fields): void {
    const url = string(delta['uri'])
    const data = string(delta['data'])
    if (url === '' && data === '') return assembler.skip()
    files += 1
    const mediaType = string(delta['mime_type'])
    assembler.emit({
      type: 'file',
      part: `file-${files}`,
      mediaType,
      ...(url === '' ? { data } : { url }),
    })
  }

  function cite(annotation: Fields): void {
    const url = string(annotation['url']) || string(annotation['source'])
    if (url === '') return
    sources += 1
    const part = `source-${sources}`
    const title = string(annotation['title'])
    assembler.emit({ type: 'source', part, sourceId: part, url, ...(title !== '' && { title }) })
  }

  function readEnd(interaction: Fields): void {
    const usage = fields(interaction['usage'])
    const output = count(usage['total_output_tokens'])
    const thoughts = count(usage['total_thought_tokens'])
    assembler.usage(
      usageOf({
        inputTokens: count(usage['total_input_tokens']),
        outputTokens: output === undefined ? undefined : output + (thoughts ?? 0),
        reasoningTokens: thoughts,
        cachedInputTokens: count(usage['total_cached_tokens']),
      }),
    )
    const status = string(interaction['status'])
    if (status === 'failed') return assembler.fail(vendorError({ error: interaction['error'] }))
    if (status !== '' && status !== 'in_progress' && status !== 'queued') {
      assembler.finish(status, ENDINGS.get(status) ?? endingOf(status))
    }
    assembler.sentinel()
  }

  return createRecordReader(assembler, { readObject })
}
