import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createModelStream, httpTransport, textOf, type ModelStream } from 'sluice/core'
import { openaiChat } from 'sluice/formats'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { manualClock, scriptedModel } from 'sluice/testing'
import type { EventBody } from '../../src/protocol/events.ts'
import { listen, serveChat, type TestServer } from '../support/chat-server.ts'
import { faultProxy, type FaultProxy } from '../support/fault-proxy.ts'

// The field reports on reconnecting and networks that need a real connection, by their ids.

const open: (TestServer | FaultProxy)[] = []
const streams: ModelStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.dispose()
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const streamTo = (url: string, limits = {}): ModelStream => {
  const stream = createModelStream({ transport: httpTransport({ url }), limits })
  streams.push(stream)
  return stream
}

test('B81: a second and a third drop ask for what follows the same event', async () => {
  const asked: (string | null)[] = []
  let requestId = ''
  const events = (response: ServerResponse, first: number, ...bodies: EventBody[]): void => {
    for (const [place, body] of bodies.entries()) {
      const seq = first + place
      const event = { v: 1, requestId, seq, ...body }
      response.write(`id: ${requestId}:${seq}\ndata: ${JSON.stringify(event)}\n\n`)
    }
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    if (incoming.method === 'POST') {
      requestId = (JSON.parse(body) as { requestId: string }).requestId
      const start: EventBody = { type: 'start', messageId: 'm', replayable: true, heartbeatMs: 0 }
      events(response, 1, start, { type: 'text_delta', part: 'p', text: 'one ' })
      // Once it has been read.
      setTimeout(() => response.destroy(), 30)
      return
    }
    asked.push(incoming.headers['last-event-id']?.toString() ?? null)
    if (asked.length < 4) {
      response.destroy()
      return
    }
    events(
      response,
      3,
      { type: 'text_delta', part: 'p', text: 'two' },
      { type: 'done', finishReason: 'stop' },
    )
    response.end()
  }
  const server = createServer((incoming, response) => void answer(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const message = await streamTo(`http://127.0.0.1:${port}/api/chat`, { random: () => 0 }).start(
    'q',
  )
  server.close()
  expect(textOf(message)).toBe('one two')
  expect(asked).toEqual(Array.from({ length: 4 }, () => `${requestId}:2`))
})

test('B82: a server that was started anew knows nothing of the old run; no text of a new one is joined to it', async () => {
  let listener = toNodeListener(
    createStreamHandler({
      model: scriptedModel({ text: 'Hello, and more of it', tokenMs: 20 }),
      log: memoryEventLog(),
    }),
  )
  const server = await listen((incoming, outgoing) => listener(incoming, outgoing))
  open.push(server)
  const stream = streamTo(server.url, { random: () => 0 })
  const answer = stream.start('q')
  await expect.poll(() => stream.getSnapshot().text).toMatch(/^Hello/)
  listener = toNodeListener(
    createStreamHandler({ model: scriptedModel({ text: 'Hi' }), log: memoryEventLog() }),
  )
  server.server.closeAllConnections()
  const message = await answer
  expect(message.status).toMatchObject({
    type: 'incomplete',
    reason: 'interrupted',
    error: { code: 'unknown-stream' },
  })
  expect('Hello, and more of it'.startsWith(textOf(message))).toBe(true)
  const next = await stream.retry()
  expect(next && textOf(next)).toBe('Hi')
  expect(stream.getSnapshot().text).toBe('Hi')
})

test('B171: an answer that comes in one block after 10 s is whole, ends once, and was told as stalled', async () => {
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`
  const block = [
    ...['one ', 'two ', 'three'].map((content) =>
      chunk({ delta: { content }, finish_reason: null }),
    ),
    chunk({ delta: {}, finish_reason: 'stop' }),
    'data: [DONE]\n\n',
  ].join('')
  const clock = manualClock()
  let send = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = () => {
        controller.enqueue(new TextEncoder().encode(block))
        controller.close()
      }
    },
  })
  const ends: (string | undefined)[] = []
  const stream = createModelStream({
    transport: httpTransport({
      url: 'http://localhost/',
      format: openaiChat,
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    }),
    clock,
    onFinish: ({ finishReason }) => ends.push(finishReason),
  })
  const answer = stream.start('q')
  await clock.advance(9_000)
  expect(stream.getSnapshot().status).toBe('submitted')
  await clock.advance(1_000)
  expect(stream.getSnapshot().connection).toBe('stalled')
  send()
  const message = await answer
  expect(textOf(message)).toBe('one two three')
  expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
  expect(ends).toEqual(['stop'])
})

test('B171: our server forbids its proxies to hold it back, and an answer that one collapses is whole all the same', async () => {
  const text = 'The water is held back, and comes all at once.'
  const server = await serveChat({
    model: scriptedModel({ text, tokenMs: 5 }),
    log: memoryEventLog(),
  })
  const proxy = await faultProxy(Number(new URL(server.url).port), 'blocks', 'in the middle')
  open.push(proxy, server)
  let headers = new Headers()
  const stream = createModelStream({
    transport: httpTransport({
      url: `http://127.0.0.1:${proxy.port}/api/chat`,
      fetch: async (...request) => {
        const response = await fetch(...request)
        headers = response.headers
        return response
      },
    }),
  })
  streams.push(stream)
  const message = await stream.start('q')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'content-encoding': 'identity',
  })
  expect(textOf(message)).toBe(text)
})

test('B173: seven idle chats hold no connection open, and what two views share is one stream', async () => {
  let running = 0
  let requests = 0
  const handler = toNodeListener(
    createStreamHandler({
      model: scriptedModel({ text: 'ok', tokenMs: 5 }),
      log: memoryEventLog(),
    }),
  )
  const server = await listen((incoming, outgoing) => {
    running += 1
    requests += 1
    outgoing.once('close', () => (running -= 1))
    handler(incoming, outgoing)
  })
  open.push(server)
  const tabs = Array.from({ length: 7 }, () => streamTo(server.url))
  for (const stream of tabs) {
    // Two views each.
    stream.subscribe(() => {})
    stream.subscribe(() => {})
  }
  expect([running, requests]).toEqual([0, 0])
  const message = await tabs[6]?.start('q')
  expect(message && textOf(message)).toBe('ok')
  expect(requests).toBe(1)
  await expect.poll(() => running).toBe(0)
})
