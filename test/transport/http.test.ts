import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createId,
  httpTransport,
  type HttpTransportOptions,
  type Io,
  type StreamEvent,
  type StreamRequest,
} from 'sluice/core'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** A transport to a server that answers by hand, and what that server saw. */
async function rig(
  answer: (request: Seen, response: ServerResponse) => void,
  options: Partial<HttpTransportOptions> = {},
) {
  const seen: Seen[] = []
  const own = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) })
      answer(seen.at(-1)!, response)
    })
  })
  server = own
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  const { port } = own.address() as AddressInfo
  return { seen, transport: httpTransport({ url: `http://127.0.0.1:${port}/chat`, ...options }) }
}

const io = (): Io => ({ signal: new AbortController().signal, onActivity: vi.fn() })
const requestId = createId()
const request: StreamRequest = { requestId, messageId: 'm', messages: [] }
const sse = { 'content-type': 'text/event-stream; charset=utf-8' }
const json = { 'content-type': 'application/json' }

const record = (seq: number, body: object): string =>
  `id: ${requestId}:${seq}\ndata: ${JSON.stringify({ v: 1, requestId, seq, ...body })}\n\n`
const begun = record(1, { type: 'start', messageId: 'm', replayable: true, heartbeatMs: 5000 })
const done = record(2, { type: 'done', finishReason: 'stop' })

async function all(events: AsyncIterable<StreamEvent> | undefined): Promise<StreamEvent[]> {
  const list: StreamEvent[] = []
  for await (const event of events ?? []) list.push(event)
  return list
}

describe('starting', () => {
  test('the request names itself, and events keep what the server gave them', async () => {
    const { seen, transport } = await rig((_, response) =>
      response.writeHead(200, sse).end(begun + done),
    )
    const events = await all(transport.start({ ...request, body: { model: 'm1' } }, io()))
    expect(events.map(({ type, seq }) => `${seq} ${type}`)).toEqual(['1 start', '2 done'])
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: '/chat',
        body: { requestId, messageId: 'm', messages: [], model: 'm1' },
      },
    ])
  })

  test('a connection that ends without a terminal event makes none up', async () => {
    const { transport } = await rig((_, response) => response.writeHead(200, sse).end(begun))
    expect((await all(transport.start(request, io()))).map(({ type }) => type)).toEqual(['start'])
  })

  test('a document is no stream; a refusal is an error with its wait; a lost proxy is a loss', async () => {
    const refuse = async (status: number, headers: Record<string, string>, body: string) => {
      const { transport } = await rig((_, response) =>
        response.writeHead(status, headers).end(body),
      )
      return all(transport.start(request, io()))
    }
    expect(await refuse(200, { 'content-type': 'text/html' }, '<b>Sign in</b>')).toMatchObject([
      { type: 'error', code: 'not-a-stream' },
    ])
    expect(
      await refuse(429, { ...json, 'retry-after': '20' }, '{"error":{"message":"Slow down."}}'),
    ).toMatchObject([{ type: 'error', code: 'rate-limit', retryAfterMs: 20_000, status: 429 }])
    await expect(refuse(502, {}, 'Bad gateway')).rejects.toMatchObject({ code: 'gateway' })
  })
})

test('headers are asked for at every call, and each call is prepared', async () => {
  let token = 0
  const prepared: string[] = []
  const { seen, transport } = await rig(
    ({ method }, response) => {
      if (method === 'POST') response.writeHead(200, sse).end(begun + done)
      else response.writeHead(200, json).end('{"state":"completed","lastSeq":2,"replayable":true}')
    },
    {
      headers: async () => ({ authorization: `Bearer ${++token}` }),
      prepareRequest: (call) => {
        prepared.push(`${call.action} ${call.method}`)
        return call
      },
    },
  )
  await all(transport.start(request, io()))
  await transport.state?.(requestId, io())
  await transport.cancel?.(requestId, io())
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer 1',
    'Bearer 2',
    'Bearer 3',
  ])
  expect(prepared).toEqual(['start POST', 'state GET', 'cancel DELETE'])
})

describe('resuming', () => {
  test('asks for what follows, by address and by header', async () => {
    const { seen, transport } = await rig((_, response) => response.writeHead(200, sse).end(done))
    const events = await all(transport.resume?.(requestId, 1, io()))
    expect(events.map(({ seq }) => seq)).toEqual([2])
    expect(seen).toMatchObject([
      {
        method: 'GET',
        path: `/chat/${requestId}/events?after=1`,
        headers: { 'last-event-id': `${requestId}:1` },
      },
    ])
  })

  test.each([
    [404, 'unknown-stream'],
    [410, 'replay-expired'],
    [401, 'auth'],
  ])('%i is a decision: %s', async (status, code) => {
    const { transport } = await rig((_, response) => response.writeHead(status, json).end('{}'))
    await expect(all(transport.resume?.(requestId, 1, io()))).rejects.toMatchObject({ code })
  })

  test('204: there is nothing left', async () => {
    const { transport } = await rig((_, response) => response.writeHead(204).end())
    expect(await all(transport.resume?.(requestId, 2, io()))).toEqual([])
  })
})

describe('cancelling', () => {
  test('is asked after until the model has stopped', async () => {
    let asked = 0
    const { seen, transport } = await rig((_, response) => {
      const state = asked++ < 1 ? 'running' : 'cancelled'
      response.writeHead(state === 'running' ? 202 : 200, json)
      response.end(
        JSON.stringify({ state, lastSeq: 9, replayable: true, outputTokens: 12, actions: [] }),
      )
    })
    expect(await transport.cancel?.(requestId, io())).toEqual({
      state: 'cancelled',
      outputTokens: 12,
      actions: [],
    })
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'GET'])
  })

  test('a server that is still stopping is not told as unknown: it is asked again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { transport } = await rig((_, response) => {
      response.writeHead(202, json).end('{"state":"running","lastSeq":1,"replayable":true}')
      setImmediate(() => void vi.advanceTimersByTimeAsync(1000))
    })
    const pump = setInterval(() => void vi.advanceTimersByTimeAsync(1000), 5)
    await expect(transport.cancel?.(requestId, io())).rejects.toMatchObject({ code: 'timeout' })
    clearInterval(pump)
    vi.useRealTimers()
  })
})

test('a tool’s result is posted to its call', async () => {
  const { seen, transport } = await rig((_, response) => response.writeHead(200, json).end('{}'))
  await transport.act?.(requestId, { toolCallId: 'c 1', state: 'succeeded', output: 4 }, io())
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: `/chat/${requestId}/actions/c%201`,
      body: { state: 'succeeded', output: 4 },
    },
  ])
})

test('a name in the place of a format is told, with what to do', () => {
  expect(() => httpTransport({ url: '/v1', format: 'openai-chat' as never })).toThrow(
    /import it from 'sluice\/formats'/,
  )
})
