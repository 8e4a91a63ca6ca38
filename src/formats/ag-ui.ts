import type { EventBody } from '../protocol/events.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { isRecord, type JsonValue } from '../protocol/json.ts'
import { agUiRequest } from './ag-ui-request.ts'
import { createAssembler, type TextKind } from './assembler.ts'
import { usageOf, vendorMeta } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import { applyPatch } from './json-patch.ts'
import { createRecordReader } from './reader.ts'
import { vendorError } from './vendor-error.ts'

/** AG-UI 1.0. */
export const agUi: StreamFormat = {
  name: 'ag-ui',
  framing: 'sse',
  createReader,
  request: agUiRequest,
}

/** TanStack AI: AG-UI's events, with its own words in `metadata.tanstack`; as an event stream or as lines of JSON. */
export const tanstack: StreamFormat = {
  name: 'tanstack',
  framing: 'any',
  createReader,
  request: agUiRequest,
}

/** Events of a run that belong to no answer. */
const SILENT: ReadonlySet<string> = new Set([
  'STEP_STARTED',
  'STEP_FINISHED',
  'TEXT_MESSAGE_END',
  'REASONING_START',
  'REASONING_END',
  'THINKING_START',
  'THINKING_END',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
  'RAW',
  'ACTIVITY_DELTA',
])

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  /** Messages of another role than the assistant's: no answer text. */
  const foreign = new Set<string>()
  let openText = ''
  let openThought = ''
  let openCall = ''
  let state: JsonValue = {}
  let made = 0

  function readObject(envelope: Fields): void {
    // A durable stream puts each event beside its offset.
    const value = isRecord(envelope['chunk']) ? envelope['chunk'] : envelope
    const type = string(value['type'])
    if (value['subagentRunId'] !== undefined && type !== 'RUN_ERROR') return
    if (assembler.finished && BEGINS.test(type)) assembler.step()
    const id = string(value['messageId'])
    switch (type) {
      case 'RUN_STARTED':
        return assembler.start(string(tanstackOf(value)['model']))
      case 'TEXT_MESSAGE_START':
        if (!isAssistant(value)) foreign.add(id)
        openText = id
        return
      case 'TEXT_MESSAGE_CONTENT':
        return text('text', id, value)
      case 'TEXT_MESSAGE_CHUNK':
        if (id !== '') openText = id
        if (id !== '' && !isAssistant(value)) foreign.add(id)
        return text('text', openText, value)
      case 'REASONING_MESSAGE_START':
      case 'THINKING_TEXT_MESSAGE_START':
        openThought = id
        return
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        if (id !== '') openThought = id
        return text('reasoning', openThought, value)
      case 'REASONING_MESSAGE_END':
      case 'THINKING_TEXT_MESSAGE_END':
        return
      case 'REASONING_ENCRYPTED_VALUE':
        return assembler.text(
          'reasoning',
          `reasoning:${string(value['entityId'])}`,
          '',
          vendorMeta('agUi', { encryptedValue: string(value['encryptedValue']) }),
        )
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_CHUNK':
      case 'TOOL_CALL_END':
      case 'TOOL_CALL_RESULT':
        return readCall(type, value)
      case 'STATE_SNAPSHOT':
        return setState(value['snapshot'] as JsonValue)
      case 'STATE_DELTA':
        return setState(applyPatch(state, list(value['delta'])))
      case 'MESSAGES_SNAPSHOT':
        return readSnapshot(list(value['messages']))
      case 'ACTIVITY_SNAPSHOT':
        return data(string(value['activityType']) || 'activity', value['content'], id)
      case 'CUSTOM':
        return data(string(value['name']) || 'custom', value['value'])
      case 'RUN_FINISHED':
        return readEnd(value)
      case 'RUN_ERROR':
        readUsage(value)
        return assembler.fail(vendorError({ message: value['message'], code: value['code'] }))
      default:
        if (SILENT.has(type)) return
        if (type === '' && value['error'] != null) assembler.fail(vendorError(value))
        else assembler.skip()
    }
  }

  function text(kind: TextKind, id: string, value: Fields): void {
    if (!foreign.has(id)) assembler.text(kind, `${kind}:${id}`, string(value['delta']))
  }

  function readCall(type: string, value: Fields): void {
    const named = string(value['toolCallId'])
    const id = named === '' ? openCall : named
    const name = string(value['toolCallName']) || string(value['toolName'])
    if (name !== '' && !assembler.hasCall(id)) assembler.callStart(id, { id, name })
    if (type !== 'TOOL_CALL_RESULT' && named !== '') openCall = id
    if (type === 'TOOL_CALL_ARGS' || type === 'TOOL_CALL_CHUNK')
      assembler.callDelta(id, string(value['delta']))
    else if (type === 'TOOL_CALL_END') {
      const input = tanstackOf(value)['input'] ?? value['input']
      if (input === undefined) assembler.callComplete(id)
      else assembler.callValue(id, input)
    } else if (type === 'TOOL_CALL_RESULT') {
      const failed = tanstackOf(value)['state'] === 'output-error'
      const { content } = value
      if (failed)
        assembler.callResult(id, { state: 'failed', error: string(content) || 'The tool failed.' })
      else assembler.callResult(id, { state: 'succeeded', output: content ?? null })
    }
  }

  /** A snapshot tells whole texts again: what was missed of a streamed one is added, never repeated. */
  function readSnapshot(messages: readonly unknown[]): void {
    for (const message of messages.map(fields)) {
      const part = `text:${string(message['id'])}`
      if (isAssistant(message) && assembler.textOf(part) !== '')
        assembler.settle('text', part, string(message['content']))
    }
  }

  function setState(next: JsonValue): void {
    state = next
    data('state', next, 'state')
  }

  function data(name: string, value: unknown, id = ''): void {
    made += 1
    const part = id === '' ? `data-${made}` : `data:${name}:${id}`
    assembler.emit({ type: 'data', part, name, value: value ?? null, ...(id !== '' && { id }) })
  }

  function readUsage(value: Fields): void {
    // Several models may have worked on one run: theirs is the sum.
    const reports = Array.isArray(value['usage']) ? value['usage'].map(fields) : []
    const sum = (name: string): number | undefined => {
      const counts = reports.flatMap((report) => count(report[name]) ?? [])
      return counts.length === 0 ? undefined : counts.reduce((total, next) => total + next, 0)
    }
    const older = fields(
      tanstackOf(value)['usage'] ?? (isRecord(value['usage']) ? value['usage'] : undefined),
    )
    assembler.usage(
      usageOf({
        inputTokens:
          sum('inputTokens') ?? count(older['promptTokens']) ?? count(older['inputTokens']),
        outputTokens:
          sum('outputTokens') ?? count(older['completionTokens']) ?? count(older['outputTokens']),
        reasoningTokens: sum('reasoningTokens'),
        cachedInputTokens: sum('cachedInputTokens'),
      }),
    )
  }

  function readEnd(value: Fields): void {
    readUsage(value)
    const outcome = fields(value['outcome'])
    const type = string(outcome['type'])
    const reason = string(tanstackOf(value)['finishReason']) || string(value['finishReason'])
    if (type === 'interrupt') {
      for (const interrupt of list(outcome['interrupts']).map(fields)) {
        const callId = string(interrupt['toolCallId'])
        const expires = interrupt['expiresAt']
        const at = typeof expires === 'number' ? expires : Date.parse(string(expires))
        if (callId !== '')
          assembler.approval(callId, string(interrupt['id']), Number.isNaN(at) ? undefined : at)
      }
      assembler.finish(type, 'paused')
    } else {
      const word = reason || type
      assembler.finish(word === '' ? undefined : word)
    }
    // With tools that run on the server this may be one turn of several.
    if (reason !== 'tool_calls') assembler.sentinel()
  }

  return createRecordReader(assembler, { readObject })
}

/** Events with which the next model call of a run begins. */
const BEGINS =
  /^(RUN_STARTED|TEXT_MESSAGE_(START|CONTENT|CHUNK)|REASONING_|TOOL_CALL_(START|CHUNK))/

function tanstackOf(value: Fields): Fields {
  return fields(fields(value['metadata'])['tanstack'])
}

function isAssistant(value: Fields): boolean {
  return value['role'] === undefined || value['role'] === null || value['role'] === 'assistant'
}
