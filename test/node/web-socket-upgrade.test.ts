import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createModelStream, textOf, webSocketTransport } from 'sluice/core'
import { createStreamHandler, memoryEventLog, type StreamHandlerOptions } from 'sluice/server'
import { webSocketUpgrade, type WebSocketUpgradeOptions } from 'sluice/server/node'
import { scriptedModel } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'
import { question } from '../support/chat-server.ts'

const text = 'The keeper opens the sluice, and the water finds its own level by and by.'
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function serve(
  options: Partial<StreamHandlerOptions> = {},
  upgrade: WebSocketUpgradeOptions = {},
): Promise<string> {
  const handler = createStreamHandler({
    model: scriptedModel({ text, tokenMs: 5 }),
    log: memoryEventLog(),
    ...options,
  })
  const server = createServer()
  server.on('upgrade', webSocketUpgrade(handler, upgrade))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `ws://127.0.0.1:${port}/api/chat`
}

type Message = Readonly<Record<string, unknown>>

/** Opens a connection, and reads it until it is closed or a message is the last one wanted. */
async function talk(
  url: string,
  send: object | string,
  isLast: (message: Message) => boolean = () => false,
): Promise<Message[]> {
  const socket = new WebSocket(url)
  const messages: Message[] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(typeof send === 'string' ? send : JSON.stringify(send)))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message
      messages.push(message)
      if (isLast(message)) socket.close()
    })
  })
  return messages
}

const start = (requestId: string): object => ({
  type: 'start',
  requestId,
  body: { messages: [question()] },
})

describe('messages', () => {
  test('start: an ack, each event as one message, then the connection is closed', async () => {
    const requestId = createId()
    const messages = await talk(await serve(), start(requestId))
    expect(messages[0]).toEqual({ type: 'ack', of: 'start', requestId, ok: true })
    expect(messages[1]).toMatchObject({ v: 1, requestId, seq: 1, type: 'start' })
    expect(messages.at(-1)).toMatchObject({ type: 'done' })
    expect(
      messages
        .map((message) => (typeof message['text'] === 'string' ? message['text'] : ''))
        .join(''),
    ).toBe(text)
  })

  test('resume: what came after, and nothing where there is nothing left', async () => {
    const url = await serve()
    const requestId = createId()
    const whole = await talk(url, start(requestId))
    const last = Number(whole.at(-1)?.['seq'])
    const rest = await talk(url, { type: 'resume', requestId, after: 3 })
    expect(rest[1]).toMatchObject({ from: 4 })
    expect(rest.at(-1)).toMatchObject({ type: 'done', seq: last })
    const none = await talk(url, { type: 'resume', requestId, after: last })
    expect(none).toEqual([{ type: 'ack', of: 'resume', requestId, ok: true, code: 'nothing-left' }])
  })

  test('cancel: what really happened', async () => {
    const model = scriptedModel({ text, tokenMs: 50 })
    const url = await serve({ model })
    const requestId = createId()
    const reading = talk(url, start(requestId))
    await expect.poll(() => model.generated).toBeGreaterThan(1)
    const isAck = (message: Message): boolean => message['type'] === 'ack'
    const [ack] = await talk(url, { type: 'cancel', requestId }, isAck)
    expect(ack).toMatchObject({ of: 'cancel', ok: true, state: 'cancelled' })
    expect(ack?.['outputTokens']).toBe(model.generated)
    expect((await reading).at(-1)).toMatchObject({ type: 'cancelled' })
  })

  test.each<[string, object | string, string]>([
    ['no JSON', 'hello', 'bad-request'],
    ['another shape', { type: 'start' }, 'bad-request'],
    [
      'an unknown stream',
      { type: 'resume', requestId: 'u'.repeat(22), after: 0 },
      'unknown-stream',
    ],
    ['an unknown cancel', { type: 'cancel', requestId: 'u'.repeat(22) }, 'unknown-stream'],
    ['bad fields', { type: 'start', requestId: 'u'.repeat(22), body: {} }, 'bad-request'],
  ])('%s is refused in words', async (_, message, code) => {
    const [ack] = await talk(await serve(), message, () => true)
    expect(ack).toMatchObject({ type: 'ack', ok: false, code })
    expect(ack?.['message']).not.toBe('')
  })
})

test('authorize sees the headers of the upgrade', async () => {
  const seen: (string | null)[] = []
  const url = await serve({
    authorize(request) {
      seen.push(request.headers.get('cookie'))
      return false
    },
  })
  const socket = new WebSocket(url, { headers: { cookie: 'session=1' } })
  const requestId = createId()
  socket.on('open', () => socket.send(JSON.stringify(start(requestId))))
  const ack = await new Promise<Message>((resolve) => {
    socket.on('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as Message))
  })
  socket.close()
  expect(ack).toMatchObject({ ok: false, code: 'unknown-stream' })
  expect(seen).toEqual(['session=1'])
})

test('a page of another origin is kept out unless it is let in', async () => {
  const open = (url: string, origin: string): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, { origin })
      socket.on('open', () => {
        socket.close()
        resolve(101)
      })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => {})
    })
  const closed = await serve()
  expect(await open(closed, 'https://evil.example')).toBe(403)
  expect(await open(closed, closed.replace('ws:', 'http:').replace('/api/chat', ''))).toBe(101)
  const named = await serve({}, { allowOrigin: (origin) => origin === 'https://app.example' })
  expect(await open(named, 'https://app.example')).toBe(101)
  expect(await open(named, 'https://evil.example')).toBe(403)
})

test('a connection that closes is a disconnect, and the client comes back for the rest', async () => {
  const url = await serve({ model: scriptedModel({ text, tokenMs: 20 }) })
  let connections = 0
  class Dropped extends WebSocket {
    constructor(address: string | URL) {
      super(address)
      connections += 1
      if (connections > 1) return
      let seen = 0
      this.on('message', () => {
        seen += 1
        if (seen === 5) this.terminate()
      })
    }
  }
  const stream = createModelStream({
    transport: webSocketTransport({
      url,
      WebSocket: Dropped as unknown as typeof globalThis.WebSocket,
    }),
  })
  const message = await stream.start('Hello')
  expect(connections).toBe(2)
  expect(textOf(message)).toBe(text)
  expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
  stream.dispose()
})
