import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import {
  createModelStream,
  httpTransport,
  isToolPart,
  textOf,
  toolNameOf,
  type ChatMessage,
} from 'sluice/core'
import { anthropic, auto, openaiChat, openaiChatFormat, openaiResponses } from 'sluice/formats'
import { createSseDecoder } from '../../src/transport/sse.ts'
import { cuttings } from '../support/cuts.ts'

/** Failures reported in public: bytes, and what is right. */
interface Case {
  readonly id: string
  readonly fact: string
  readonly input: {
    readonly kind: string
    readonly wire: string
    readonly chunks?: readonly string[]
    readonly chunksHex?: readonly string[]
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly option?: string
  }
  readonly check: Readonly<Partial<Check>>
}

interface Check {
  text: string
  reasoning: string
  finish: string
  notFinish: string
  finishOneOf: readonly string[]
  rawFinish: string
  errors: number
  errorMessage: string
  errorKind: string
  usage: { prompt_tokens: number; completion_tokens: number }
  toolCalls: readonly { id?: string; name: string; args: string; state?: string }[]
  uniqueIds: boolean
  events: readonly string[]
  messages: number
  onFinishCalls: number
  handlerCalls: number
  forbidden: readonly string[]
  forbiddenInMessage: readonly string[]
}

const file = new URL('../fixtures/cases/field-reports.json', import.meta.url)
const cases = (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]).filter(
  ({ input }) => input.kind === 'bytes',
)

const bytesOf = ({ chunks = [], chunksHex }: Case['input']): Uint8Array =>
  chunksHex === undefined
    ? new TextEncoder().encode(chunks.join(''))
    : new Uint8Array(Buffer.from(chunksHex.join(''), 'hex'))

/** The reports' words for an end, in ours. */
const ENDS: Readonly<Record<string, string>> = {
  stop: 'complete stop',
  tool_calls: 'requires-action tool-calls',
  length: 'incomplete length',
  paused: 'incomplete paused',
  unknown: 'incomplete unknown',
  interrupted: 'incomplete interrupted',
  error: 'incomplete error',
}

const formatOf = ({ wire, option }: Case['input']) => {
  if (option !== undefined) return openaiChatFormat({ thinkTags: true })
  return { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic }[wire] ?? auto
}

interface Reading {
  readonly message: ChatMessage
  readonly finishes: number
  readonly errors: number
  readonly handled: number
}

/** Reads bytes through everything that a page has: transport, format, store. */
async function read(input: Case['input'], chunks: readonly Uint8Array[]): Promise<Reading> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk)
      controller.close()
    },
  })
  const { status = 200, headers = { 'content-type': 'text/event-stream' } } = input
  const [onFinish, onError, onToolCall] = [vi.fn(), vi.fn(), vi.fn()]
  const stream = createModelStream({
    transport: httpTransport({
      url: 'http://localhost/',
      format: formatOf(input),
      fetch: async () => new Response(body, { status, headers }),
    }),
    onFinish,
    onError,
    onToolCall,
    generateId: () => 'm',
  })
  const message = await stream.start('q')
  return {
    message,
    finishes: onFinish.mock.calls.length,
    errors: onError.mock.calls.length,
    handled: onToolCall.mock.calls.length,
  }
}

/** Without what is made up anew for each reading: ids of requests, and of calls that came without one. */
const comparable = (message: ChatMessage): string =>
  JSON.stringify({ ...message, requestIds: [] }).replaceAll(/"call_[\w-]{22}"/g, '"call_…"')

const reasoningOf = ({ parts }: ChatMessage): string =>
  parts.map((part) => (part.type === 'reasoning' ? (part as { text: string }).text : '')).join('')

const endOf = ({ status }: ChatMessage): string =>
  'reason' in status ? `${status.type} ${status.reason}` : status.type

function expectRight({ check }: Case, { message, finishes, errors, handled }: Reading): void {
  const error = message.status.type === 'incomplete' ? message.status.error : undefined
  if (check.text !== undefined) expect(textOf(message)).toBe(check.text)
  if (check.reasoning !== undefined) expect(reasoningOf(message)).toBe(check.reasoning)
  if (check.finish !== undefined) expect(endOf(message)).toBe(ENDS[check.finish])
  if (check.notFinish !== undefined) expect(endOf(message)).not.toBe(ENDS[check.notFinish])
  if (check.finishOneOf !== undefined) {
    expect(check.finishOneOf.map((word) => ENDS[word])).toContain(endOf(message))
  }
  if (check.rawFinish !== undefined) {
    expect(message.rawFinishReason ?? error?.message).toContain(check.rawFinish)
  }
  if (check.errors !== undefined) expect(errors).toBe(check.errors)
  if (check.errorMessage !== undefined) expect(error?.message).toContain(check.errorMessage)
  if (check.errorKind !== undefined) expect(error?.code).toBe(check.errorKind)
  if (check.usage !== undefined) {
    expect(message.usage).toMatchObject({
      inputTokens: check.usage.prompt_tokens,
      outputTokens: check.usage.completion_tokens,
    })
  }
  if (check.toolCalls !== undefined) {
    const calls = message.parts.filter(isToolPart)
    expect(calls.map((call) => [toolNameOf(call), call.argsText])).toEqual(
      check.toolCalls.map(({ name, args }) => [name, args]),
    )
    for (const [place, { id, state }] of check.toolCalls.entries()) {
      if (id !== undefined) expect(calls[place]?.toolCallId).toBe(id)
      expect(calls[place]?.state).toBe(state === 'incomplete' ? 'output-error' : 'input-available')
    }
    if (check.uniqueIds === true) {
      expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(calls.length)
    }
  }
  if (check.handlerCalls !== undefined) expect(handled).toBe(check.handlerCalls)
  expect(finishes).toBe(1)
  for (const word of check.forbidden ?? []) expect(JSON.stringify(message)).not.toContain(word)
  for (const word of check.forbiddenInMessage ?? []) expect(error?.message).not.toContain(word)
}

test('there are cases', () => expect(cases.length).toBe(39))

describe.each(cases)('$id', (report) => {
  const { input, check } = report
  const bytes = bytesOf(input)

  test('as it was reported, and at other cuts', async () => {
    if (input.wire === 'sse' || input.wire === 'sse-text') {
      for (const chunks of cuttings(bytes)) {
        const events: string[] = []
        const decoder = createSseDecoder({ onRecord: ({ data }) => events.push(data) })
        for (const chunk of chunks) decoder.push(chunk)
        decoder.end()
        expect(events).toEqual(check.events)
      }
      return
    }
    const whole = await read(input, [bytes])
    expectRight(report, whole)
    const others = cuttings(bytes, { every: Math.max(1, Math.ceil(bytes.length / 40)), random: 40 })
    for (const chunks of others) {
      const again = await read(input, chunks)
      expect(comparable(again.message)).toBe(comparable(whole.message))
    }
  })
})
