import type { EventBody } from '../protocol/events.ts'
import { streamError } from '../protocol/errors.ts'
import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import { isRecord, type JsonObject, type ProviderMetadata } from '../protocol/json.ts'
import { createAssembler, type TextKind } from './assembler.ts'
import { uiMessages } from './ui-messages.ts'
import { usageOf } from './usage.ts'
import { count, fields, string, type Fields } from './fields.ts'
import { createRecordReader } from './reader.ts'

/** AI SDK's UI message stream, version 1 (ai 5 to 7). */
export const aiSdkUi: StreamFormat = {
  name: 'ai-sdk-ui',
  framing: 'sse',
  createReader,
  request: (messages) => ({ messages: uiMessages(messages) as unknown as JsonObject[] }),
}

function createReader(emit: (event: EventBody) => void, context: ReaderContext): RecordReader {
  const assembler = createAssembler(emit, context)
  /** An id may be used again in a later step, or after a reset: each opening gets its own key. */
  const texts = new Map<string, string>()
  let opened = 0
  let steps = 0
  let stepBegan = 0
  let sources = 0

  function readObject(value: Fields): void {
    const type = string(value['type'])
    const id = string(value['toolCallId'])
    switch (type) {
      case 'start':
        assembler.start()
        return readMetadata(value['messageMetadata'])
      case 'start-step':
        steps += 1
        if (steps > 1) assembler.step('tool-calls')
        stepBegan = assembler.partCount
        return
      case 'reset-step':
        return assembler.resetSince(stepBegan)
      case 'finish-step':
      case 'tool-approval-response':
      case 'custom':
      case 'steering-message':
        return
      case 'text-start':
      case 'reasoning-start':
        openText(kindOf(type), value)
        return
      case 'text-delta':
      case 'reasoning-delta':
        return assembler.text(
          kindOf(type),
          keyOf(kindOf(type), value),
          string(value['delta']),
          metaOf(value),
        )
      case 'text-end':
      case 'reasoning-end':
        return assembler.partEnd(keyOf(kindOf(type), value), metaOf(value))
      case 'tool-input-start':
        return openCall(value)
      case 'tool-input-delta':
        return assembler.callDelta(id, string(value['inputTextDelta']))
      case 'tool-input-available':
        openCall(value)
        return assembler.callValue(id, value['input'])
      case 'tool-input-error':
        openCall(value)
        return assembler.callBroken(id, textOf(value['input']), string(value['errorText']))
      case 'tool-approval-request':
        return assembler.approval(id, string(value['approvalId']))
      case 'tool-output-available':
        return assembler.callResult(id, {
          state: 'succeeded',
          output: value['output'] ?? null,
          ...(value['preliminary'] === true && { preliminary: true }),
        })
      case 'tool-output-error':
        return assembler.callResult(id, { state: 'failed', error: string(value['errorText']) })
      case 'tool-output-denied':
        return assembler.callResult(id, { state: 'denied' })
      case 'source-url':
      case 'source-document':
        return cite(value)
      case 'file':
      case 'reasoning-file':
        opened += 1
        return assembler.emit({
          type: 'file',
          part: `file-${opened}`,
          mediaType: string(value['mediaType']),
          url: string(value['url']),
        })
      case 'message-metadata':
        return readMetadata(value['messageMetadata'])
      case 'error':
        // The finish record still follows, with the usage.
        return assembler.failLater(
          streamError('vendor', string(value['errorText']) || 'An error occurred.', {
            retryable: true,
          }),
        )
      case 'abort':
        return assembler.finish(undefined, 'cancelled')
      case 'finish': {
        readMetadata(value['messageMetadata'])
        const word = string(value['finishReason'])
        return assembler.finish(word === '' ? undefined : word)
      }
      default:
        if (type.startsWith('data-')) readData(type.slice('data-'.length), value)
        else assembler.skip()
    }
  }

  function openText(kind: TextKind, value: Fields): string {
    opened += 1
    const key = `${kind}-${opened}`
    texts.set(`${kind} ${string(value['id'])}`, key)
    const meta = metaOf(value)
    if (meta !== undefined) assembler.text(kind, key, '', meta)
    return key
  }

  function keyOf(kind: TextKind, value: Fields): string {
    return texts.get(`${kind} ${string(value['id'])}`) ?? openText(kind, { id: value['id'] })
  }

  function openCall(value: Fields): void {
    const id = string(value['toolCallId'])
    const meta = metaOf(value)
    assembler.callStart(id, {
      id,
      name: string(value['toolName']),
      kind: value['inputEncoding'] === 'text' ? 'text' : 'json',
      runs: value['providerExecuted'] === true ? 'provider' : 'client',
      ...(typeof value['dynamic'] === 'boolean' && { dynamic: value['dynamic'] }),
      ...(meta && { meta }),
    })
  }

  function cite(value: Fields): void {
    sources += 1
    const names = ['url', 'title', 'mediaType', 'filename'] as const
    assembler.emit({
      type: 'source',
      part: `source-${sources}`,
      sourceId: string(value['sourceId']) || `source-${sources}`,
      ...Object.fromEntries(
        names.flatMap((name) => (string(value[name]) === '' ? [] : [[name, string(value[name])]])),
      ),
    })
  }

  function readData(name: string, value: Fields): void {
    const id = string(value['id'])
    opened += 1
    assembler.emit({
      type: 'data',
      part: id === '' ? `data-${opened}` : `data:${name}:${id}`,
      name,
      value: value['data'] ?? null,
      ...(id !== '' && { id }),
      ...(value['transient'] === true && { transient: true }),
    })
  }

  function readMetadata(metadata: unknown): void {
    if (!isRecord(metadata)) return
    assembler.emit({ type: 'metadata', value: metadata as JsonObject })
    // Usage is no part of this protocol; applications put AI SDK's own here.
    const usage = fields(metadata['usage'])
    assembler.usage(
      usageOf({
        inputTokens: count(usage['inputTokens']),
        outputTokens: count(usage['outputTokens']),
        reasoningTokens:
          count(usage['reasoningTokens']) ??
          count(fields(usage['outputTokenDetails'])['reasoningTokens']),
        cachedInputTokens:
          count(usage['cachedInputTokens']) ??
          count(fields(usage['inputTokenDetails'])['cacheReadTokens']),
      }),
    )
  }

  return createRecordReader(assembler, { readObject })
}

function kindOf(type: string): TextKind {
  return type.startsWith('reasoning') ? 'reasoning' : 'text'
}

function metaOf(value: Fields): ProviderMetadata | undefined {
  return isRecord(value['providerMetadata'])
    ? (value['providerMetadata'] as ProviderMetadata)
    : undefined
}

function textOf(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}
