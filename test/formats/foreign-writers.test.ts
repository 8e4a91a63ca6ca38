import { EventType, type BaseEvent } from '@ag-ui/core'
import { EventEncoder } from '@ag-ui/encoder'
import { toHttpResponse, toServerSentEventsResponse, type StreamChunk } from '@tanstack/ai'
import {
  createUIMessageStream,
  createUIMessageStreamResponse,
  streamText,
  tool,
  type ToolSet,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { collectMessage, isToolPart, readModelStream, type ChatMessage } from 'sluice/core'
import { toNodeListener } from 'sluice/server/node'
import { listen } from '../support/chat-server.ts'

// Streams as others' own writers make them, over real HTTP, read by their name and recognised by themselves.

const words = ['水門を', '少しずつ', ' 👩‍👩‍👧 by', ' and by.']
const answer = words.join('')
const args = { city: '大阪', note: 'a "quoted" \\ line\n👍' }
const argsText = JSON.stringify(args)
const argsCuts = [argsText.slice(0, 9), argsText.slice(9, 30), argsText.slice(30)]

/** What one ends as, written differently by each. */
type Ending = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'error'

const statuses: Readonly<Record<Ending | 'cut', { type: string; reason: string }>> = {
  stop: { type: 'requires-action', reason: 'tool-calls' },
  tool_calls: { type: 'requires-action', reason: 'tool-calls' },
  length: { type: 'incomplete', reason: 'length' },
  content_filter: { type: 'incomplete', reason: 'content-filter' },
  error: { type: 'incomplete', reason: 'error' },
  cut: { type: 'incomplete', reason: 'interrupted' },
}

interface Writer {
  /** The writer's response to a request. */
  readonly respond: (ending: Ending) => Promise<Response> | Response
  readonly formats: readonly ('ai-sdk-ui' | 'ag-ui' | 'tanstack' | 'auto')[]
}

const aiReasons = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
} as const

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 4, text: 4, reasoning: 0 },
}

const inputSchema = z.object({ city: z.string(), note: z.string() })
// Its own type of a tool does not fit its own type of tools where optional properties are exact.
const tools = { weather: tool({ inputSchema }) } as unknown as ToolSet

/** AI SDK's, of a run of its own `streamText`. */
function aiSdkRun(ending: Ending): Response {
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: 'stream-start', warnings: [] },
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Water ' },
        { type: 'reasoning-delta', id: 'r', delta: 'flows.' },
        { type: 'reasoning-end', id: 'r' },
        { type: 'text-start', id: 't' },
        ...words.map((delta) => ({ type: 'text-delta', id: 't', delta }) as const),
        { type: 'text-end', id: 't' },
        { type: 'tool-input-start', id: 'c', toolName: 'weather' },
        ...argsCuts.map((delta) => ({ type: 'tool-input-delta', id: 'c', delta }) as const),
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'weather', input: argsText },
        ending === 'error'
          ? { type: 'error', error: new Error('The model fell over.') }
          : { type: 'finish', usage, finishReason: { unified: aiReasons[ending], raw: undefined } },
      ]),
    }),
  })
  return streamText({ model, tools, prompt: 'Hello', onError: () => {} }).toUIMessageStreamResponse(
    {
      onError: (error) => String(error),
    },
  )
}

/** AI SDK's, written part by part. */
function aiSdkWriter(ending: Ending): Response {
  const stream = createUIMessageStream({
    onError: String,
    execute({ writer }) {
      writer.write({ type: 'start' })
      writer.write({ type: 'reasoning-start', id: 'r' })
      writer.write({ type: 'reasoning-delta', id: 'r', delta: 'Water flows.' })
      writer.write({ type: 'reasoning-end', id: 'r' })
      writer.write({ type: 'text-start', id: 't' })
      for (const delta of words) writer.write({ type: 'text-delta', id: 't', delta })
      writer.write({ type: 'text-end', id: 't' })
      writer.write({ type: 'tool-input-start', toolCallId: 'c', toolName: 'weather' })
      for (const inputTextDelta of argsCuts)
        writer.write({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta })
      writer.write({
        type: 'tool-input-available',
        toolCallId: 'c',
        toolName: 'weather',
        input: args,
      })
      if (ending === 'error') throw new Error('The model fell over.')
      writer.write({ type: 'finish', finishReason: aiReasons[ending] })
    },
  })
  return createUIMessageStreamResponse({ stream })
}

const run = { threadId: 'thread', runId: 'run' }

type Written = BaseEvent & Record<string, unknown>

function* agUiEvents(): Generator<Written> {
  yield { type: EventType.RUN_STARTED, ...run }
  yield { type: EventType.REASONING_START, messageId: 'r' }
  yield { type: EventType.REASONING_MESSAGE_START, messageId: 'r', role: 'reasoning' }
  yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId: 'r', delta: 'Water flows.' }
  yield { type: EventType.REASONING_MESSAGE_END, messageId: 'r' }
  yield { type: EventType.REASONING_END, messageId: 'r' }
  yield { type: EventType.TEXT_MESSAGE_START, messageId: 'm', role: 'assistant' }
  for (const delta of words) yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta }
  yield { type: EventType.TEXT_MESSAGE_END, messageId: 'm' }
  yield { type: EventType.TOOL_CALL_START, toolCallId: 'c', toolCallName: 'weather' }
  for (const delta of argsCuts) yield { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c', delta }
  yield { type: EventType.TOOL_CALL_END, toolCallId: 'c' }
}

/** AG-UI's encoder, which knows no reason but success. */
function agUi(ending: Ending): Response {
  const encoder = new EventEncoder()
  const last = (): Written[] => {
    if (ending === 'error') return [{ type: EventType.RUN_ERROR, message: 'The model fell over.' }]
    const outcome = { type: 'success' }
    return [{ type: EventType.RUN_FINISHED, ...run, outcome }]
  }
  const frames = [...agUiEvents(), ...last()].map((event) => encoder.encode(event))
  return new Response(frames.join(''), { headers: { 'content-type': encoder.getContentType() } })
}

/** TanStack's types are those of an older AG-UI than the newest, whose events it writes all the same. */
async function* tanstackChunks(ending: Ending): AsyncGenerator<StreamChunk> {
  for (const event of agUiEvents()) yield event as unknown as StreamChunk
  if (ending === 'error') throw new Error('The model fell over.')
  const last: Written = { type: EventType.RUN_FINISHED, ...run, finishReason: ending }
  yield last as unknown as StreamChunk
}

const writers: Readonly<Record<string, Writer>> = {
  'AI SDK’s streamText': { respond: aiSdkRun, formats: ['ai-sdk-ui', 'auto'] },
  'AI SDK’s UI message writer': { respond: aiSdkWriter, formats: ['ai-sdk-ui', 'auto'] },
  'AG-UI’s encoder': { respond: agUi, formats: ['ag-ui', 'auto'] },
  'TanStack AI’s event stream': {
    respond: (ending) => toServerSentEventsResponse(tanstackChunks(ending)),
    formats: ['tanstack', 'auto'],
  },
  'TanStack AI’s lines of JSON': {
    respond: (ending) => toHttpResponse(tanstackChunks(ending)),
    formats: ['tanstack', 'auto'],
  },
}

/** The response without its end: cut in the record that tells of it. */
async function cut(response: Response): Promise<Response> {
  const body = await response.text()
  const end = body.search(/"type":"(finish|RUN_FINISHED)"/)
  expect(end).toBeGreaterThan(0)
  return new Response(body.slice(0, end), response)
}

async function readOver(
  { respond }: Writer,
  ending: Ending | 'cut',
  format: Writer['formats'][number],
): Promise<ChatMessage> {
  const server = await listen(
    toNodeListener(async () => (ending === 'cut' ? cut(await respond('stop')) : respond(ending))),
  )
  onTestFinished(() => server.close())
  return collectMessage(readModelStream(await fetch(server.url), { format }))
}

const cases = Object.entries(writers).flatMap(([name, writer]) =>
  writer.formats.flatMap((format) =>
    (Object.keys(statuses) as (Ending | 'cut')[])
      .filter((ending) => name !== 'AG-UI’s encoder' || ['stop', 'error', 'cut'].includes(ending))
      .map((ending) => ({ name, writer, format, ending })),
  ),
)

describe('what others’ servers write', () => {
  test.each(cases)('$name, as $format, ending by $ending', async ({ writer, format, ending }) => {
    const message = await readOver(writer, ending, format)
    const texts = (type: 'text' | 'reasoning'): string =>
      message.parts.flatMap((part) => (part.type === type ? part.text : [])).join('')
    expect(texts('reasoning')).toBe('Water flows.')
    expect(texts('text')).toBe(answer)
    const call = message.parts.find(isToolPart)
    expect(call).toMatchObject({ toolCallId: 'c' })
    // Arguments are arguments only of an answer that was ended.
    if (ending === 'stop' || ending === 'tool_calls') expect(call?.input).toEqual(args)
    expect(message.status).toMatchObject(statuses[ending])
  })
})
