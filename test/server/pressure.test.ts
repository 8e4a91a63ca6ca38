import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import {
  createStreamHandler,
  memoryEventLog,
  openAIChatModel,
  type StreamHandler,
} from 'sluice/server'
import { scriptedModel } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'
import type { EventBody } from '../../src/protocol/events.ts'
import { ask, question, serveChat, sseEvents } from '../support/chat-server.ts'

const post = (handler: StreamHandler, requestId = createId()): Promise<Response> =>
  handler(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requestId, messages: [question()] }),
    }),
  )
const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30))
const words = Array.from({ length: 500 }, (_, place) => `word${place}`).join(' ')

test('without a log a reader that stops reading stops the model’s next token', async () => {
  const model = scriptedModel({ text: words })
  const reader = (await post(createStreamHandler({ model }))).body?.getReader()
  await reader?.read()
  await reader?.read()
  await turns()
  const waiting = model.generated
  expect(waiting).toBeLessThan(5)
  await turns()
  expect(model.generated).toBe(waiting)
  await reader?.read()
  await turns()
  expect(model.generated).toBe(waiting + 1)
  await reader?.cancel()
})

test('with a log a reader that never reads neither slows the model nor takes memory', async () => {
  const model = scriptedModel({ text: words })
  const log = memoryEventLog()
  const handler = createStreamHandler({ model, log })
  const requestId = createId()
  const response = await post(handler, requestId)
  await expect.poll(() => model.generated).toBe(500)
  await expect.poll(async () => (await log.read(requestId, 0))?.state).toBe('completed')
  // What it missed comes in few, merged events.
  let text = ''
  let count = 0
  for await (const event of sseEvents(response)) {
    count += 1
    if (event.type === 'text_delta') text += event.text
  }
  expect(text).toBe(words)
  expect(count).toBeLessThan(20)
})

test('a slow log pauses the model', async () => {
  const inner = memoryEventLog()
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let yielded = 0
  async function* model(): AsyncGenerator<EventBody> {
    for (; yielded < 100; yielded += 1) {
      yield { type: 'text_delta', part: 't', text: 'x'.repeat(10_000) }
    }
    yield { type: 'done', finishReason: 'stop' }
  }
  const log = {
    ...inner,
    append: async (...args: Parameters<typeof inner.append>) => {
      if (yielded > 0) await released
      return inner.append(...args)
    },
  }
  const response = await post(createStreamHandler({ model, log }))
  await turns()
  const paused = yielded
  // 256 KiB of what waits, and each piece takes 20,000 bytes.
  expect(paused).toBeGreaterThan(5)
  expect(paused).toBeLessThan(20)
  await turns()
  expect(yielded).toBe(paused)
  release()
  let units = 0
  for await (const event of sseEvents(response)) {
    if (event.type === 'text_delta') units += event.text.length
  }
  expect(units).toBe(1_000_000)
})

test('Stop closes the vendor’s connection within 50 ms, and not a byte follows', async () => {
  const vendor = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => {
      response.write('data: {"choices":[{"index":0,"delta":{"content":"drop "}}]}\n\n')
    }, 5)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const vendorAddress = vendor.address()
  const vendorPort = typeof vendorAddress === 'object' ? (vendorAddress?.port ?? 0) : 0
  // A plain pass-through sees what a network would see.
  let closedAt = 0
  let lastByteAt = 0
  const sockets: Socket[] = []
  const wire = createTcpServer((client) => {
    const upstream = connect(vendorPort, '127.0.0.1')
    sockets.push(client, upstream)
    client.pipe(upstream).on('error', () => {})
    upstream.on('data', (bytes) => {
      if (client.destroyed) return
      lastByteAt = performance.now()
      client.write(bytes)
    })
    client.on('error', () => {})
    client.on('close', () => {
      closedAt = performance.now()
      upstream.destroy()
    })
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const wireAddress = wire.address()
  const port = typeof wireAddress === 'object' ? (wireAddress?.port ?? 0) : 0

  // Counted from the arrival of the Stop: before it lies the test's own way through a busy machine.
  let arrivedAt = 0
  const { url, close } = await serveChat({
    authorize(_request, { action }) {
      if (action === 'cancel') arrivedAt = performance.now()
      return true
    },
    model: openAIChatModel({ baseURL: `http://127.0.0.1:${port}/v1`, model: 'm' }),
    log: memoryEventLog(),
  })
  const stop = async (): Promise<number> => {
    closedAt = 0
    const requestId = createId()
    const events = sseEvents(await ask(url, { requestId }))
    for (let seen = 0; seen < 5; seen += 1) await events.next()
    const outcome = await (await fetch(`${url}/${requestId}`, { method: 'DELETE' })).json()
    expect(outcome).toMatchObject({ state: 'cancelled' })
    await expect.poll(() => closedAt, { interval: 5 }).toBeGreaterThan(0)
    const took = closedAt - arrivedAt
    await turns()
    expect(lastByteAt).toBeLessThanOrEqual(closedAt)
    await events.return()
    return took
  }
  // The best of five: the others measure what else the machine is doing.
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) times.push(await stop())
  expect(Math.min(...times)).toBeLessThan(50)
  await close()
  for (const socket of sockets) socket.destroy()
  vendor.close()
  wire.close()
})
