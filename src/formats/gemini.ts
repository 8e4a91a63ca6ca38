import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import type { ProviderMetadata } from '../protocol/json.ts'
import { createAssembler } from './assembler.ts'
import { usageOf, vendorMeta } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import type { Ending } from './finish.ts'
import { createPartialArgs, type PartialArgs } from './gemini-partial-args.ts'
import { geminiRequest } from './gemini-request.ts'
import { geminiSources } from './gemini-sources.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** Gemini `streamGenerateContent`, as an event stream (`alt=sse`) or as the JSON array that it is without. */
export const gemini: StreamFormat = {
  name: 'gemini',
  framing: 'any',
  createReader,
  request: geminiRequest,
}

const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'paused'],
  ...[
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
    'MODEL_ARMOR',
    'ESCALATION',
    'PUP_LIMITED_DISABLED',
  ].map((word) => [word, 'content-filter'] as const),
  ...[
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MALFORMED_RESPONSE',
    'MISSING_THOUGHT_SIGNATURE',
    'LANGUAGE',
    'NO_IMAGE',
    'IMAGE_OTHER',
  ].map((word) => [word, { error: 'vendor' }] as const),
  ['MALFORMED_FUNCTION_CALL', { error: 'invalid-tool-arguments' }],
])

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  let calls = 0
  let files = 0
  let partial: { readonly key: string; readonly args: PartialArgs } | undefined
  /** The newest candidate's metadata: each record tells all that is known so far. */
  let cited: Fields = {}

  function readObject(value: Fields): void {
    if (value['error'] != null) return assembler.fail(vendorError(value))
    assembler.start(string(value['modelVersion']))
    readUsage(fields(value['usageMetadata']))
    const candidates = list(value['candidates']).map(fields)
    const candidate =
      candidates.find(({ index }) => index === undefined || index === 0) ?? candidates[0]
    if (candidate !== undefined) return readCandidate(candidate)
    const blocked = string(fields(value['promptFeedback'])['blockReason'])
    if (blocked !== '' && !blocked.endsWith('UNSPECIFIED'))
      assembler.finish(undefined, 'content-filter')
  }

  function readCandidate(candidate: Fields): void {
    for (const part of list(fields(candidate['content'])['parts'])) readPart(fields(part))
    for (const name of ['groundingMetadata', 'citationMetadata', 'urlContextMetadata']) {
      if (candidate[name] != null) cited = { ...cited, [name]: candidate[name] }
    }
    const word = string(candidate['finishReason'])
    if (word === '') return
    const message = string(candidate['finishMessage'])
    assembler.finish(word, ENDINGS.get(word) ?? 'other', message === '' ? undefined : message)
  }

  function readPart(part: Fields): void {
    const signature = string(part['thoughtSignature'])
    const meta =
      signature === '' ? undefined : vendorMeta('google', { thoughtSignature: signature })
    if (typeof part['text'] === 'string') {
      const kind = part['thought'] === true ? 'reasoning' : 'text'
      assembler.text(kind, kind, part['text'], meta)
    } else if (part['functionCall'] != null) readCall(fields(part['functionCall']), meta)
    else if (part['executableCode'] != null) readCode(fields(part['executableCode']))
    else if (part['codeExecutionResult'] != null)
      readCodeResult(fields(part['codeExecutionResult']))
    else if (part['toolCall'] != null) readHosted(fields(part['toolCall']))
    else if (part['toolResponse'] != null) {
      const response = fields(part['toolResponse'])
      assembler.callResult(string(response['id']), {
        state: 'succeeded',
        output: response['response'] ?? null,
      })
    } else if (part['inlineData'] != null) {
      const { mimeType, data } = fields(part['inlineData'])
      assembler.emit({
        type: 'file',
        part: nextFile(),
        mediaType: string(mimeType),
        data: string(data),
      })
    } else if (part['fileData'] != null) {
      const { mimeType, fileUri } = fields(part['fileData'])
      assembler.emit({
        type: 'file',
        part: nextFile(),
        mediaType: string(mimeType),
        url: string(fileUri),
      })
    } else assembler.skip()
  }

  function nextFile(): string {
    files += 1
    return `file-${files}`
  }

  function nextCall(): string {
    calls += 1
    return `${calls}`
  }

  /** Calls come whole; two alike are two. On Vertex the arguments may come in pieces, each with its path. */
  function readCall(call: Fields, meta: ProviderMetadata | undefined): void {
    const name = string(call['name'])
    if (partial === undefined || name !== '') {
      settlePartial()
      if (name === '') return assembler.skip()
      const key = nextCall()
      assembler.callStart(key, { id: string(call['id']), name, ...(meta && { meta }) })
      if (call['partialArgs'] === undefined && call['willContinue'] !== true) {
        return assembler.callValue(key, call['args'] ?? {})
      }
      partial = { key, args: createPartialArgs() }
    }
    for (const piece of list(call['partialArgs'])) partial.args.add(fields(piece))
    if (call['willContinue'] !== true) settlePartial()
  }

  function settlePartial(): void {
    if (partial === undefined) return
    assembler.callValue(partial.key, partial.args.value)
    partial = undefined
  }

  function readCode({ code }: Fields): void {
    const key = nextCall()
    assembler.callStart(key, { name: 'code_execution', kind: 'text', runs: 'provider' })
    assembler.callComplete(key, string(code))
  }

  function readCodeResult({ outcome, output }: Fields): void {
    const key = `${calls}`
    if (!assembler.hasCall(key)) return assembler.skip()
    const isFine = outcome === undefined || outcome === 'OUTCOME_OK'
    assembler.callResult(
      key,
      isFine
        ? { state: 'succeeded', output: string(output) }
        : { state: 'failed', error: string(output) || string(outcome) },
    )
  }

  function readHosted(call: Fields): void {
    const key = nextCall()
    const name = string(call['toolType']).toLowerCase() || 'tool'
    assembler.callStart(key, { id: string(call['id']), name, runs: 'provider' })
    assembler.callValue(key, call['args'] ?? {})
  }

  function readUsage(usage: Fields): void {
    const candidates = count(usage['candidatesTokenCount'])
    const thoughts = count(usage['thoughtsTokenCount'])
    const hasOutput =
      candidates !== undefined || thoughts !== undefined || usage['promptTokenCount'] !== undefined
    assembler.usage(
      usageOf({
        inputTokens: count(usage['promptTokenCount']),
        outputTokens: hasOutput ? (candidates ?? 0) + (thoughts ?? 0) : undefined,
        reasoningTokens: thoughts,
        cachedInputTokens: count(usage['cachedContentTokenCount']),
      }),
    )
  }

  return createRecordReader(assembler, {
    readObject,
    settle() {
      for (const source of geminiSources(cited, assembler.textOf('text'))) assembler.emit(source)
    },
  })
}
