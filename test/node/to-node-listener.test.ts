import { createConnection } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { toNodeListener } from 'sluice/server/node'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { manualClock, scriptedModel } from 'sluice/testing'
import { ask, listen, sseBlocks, type TestServer } from '../support/chat-server.ts'

const open: TestServer[] = []
const serve = async (...handler: Parameters<typeof listen>): Promise<string> => {
  const server = await listen(...handler)
  open.push(server)
  return server.url
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

test('sends headers and the first bytes before the model says anything', async () => {
  const model = scriptedModel({ text: 'Late.', queueMs: 60_000 })
  const url = new URL(await serve(toNodeListener(createStreamHandler({ model }))))
  const body = JSON.stringify({
    messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  })
  const socket = createConnection(Number(url.port), url.hostname)
  socket.write(
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  let text = ''
  for await (const bytes of socket) {
    text += String(bytes)
    if (text.includes('"start"')) break
  }
  const head = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase()
  expect(head).toContain('http/1.1 200')
  expect(head).toContain('\r\ncontent-encoding: identity')
  expect(head).toContain('\r\ntransfer-encoding: chunked')
  expect(head).not.toContain('\r\nconnection: close')
  expect(text).toContain('retry: 1000')
  expect(model.generated).toBe(0)
})

test('a heartbeat comes every 5 s while the model is silent', async () => {
  const clock = manualClock()
  const model = scriptedModel({ text: 'Late.', queueMs: 16_000, clock })
  const log = memoryEventLog({ clock })
  const url = await serve(toNodeListener(createStreamHandler({ model, log, clock })))
  const blocks: string[] = []
  const response = await ask(url)
  const reading = (async () => {
    for await (const block of sseBlocks(response)) blocks.push(block.split('\n', 1)[0] ?? '')
  })()
  await clock.advance(4_999)
  expect(blocks).toHaveLength(2)
  await clock.advance(1)
  await expect.poll(() => blocks.length).toBe(3)
  await clock.advance(11_000)
  await reading
  const shape = blocks.map((line) => line.split(/[ :]/, 1)[0])
  expect(shape).toEqual(['retry', 'id', '', '', '', 'id', 'id', 'id', 'id'])
})

test('a socket that closes ends the delivery, also while nothing is said', async () => {
  let signal: AbortSignal | undefined
  const url = await serve(
    toNodeListener(async (request) => {
      signal = request.signal
      return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    }),
  )
  const leaving = new AbortController()
  await fetch(url, { signal: leaving.signal })
  leaving.abort()
  await expect.poll(() => signal?.aborted).toBe(true)
})

test('asks the body for more only as fast as the socket takes it', async () => {
  let pulled = 0
  let cancelled = false
  const chunk = new Uint8Array(64 * 1024)
  const url = await serve(
    toNodeListener(
      async () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              pulled += chunk.byteLength
              controller.enqueue(chunk)
            },
            cancel() {
              cancelled = true
            },
          }),
        ),
    ),
  )
  const leaving = new AbortController()
  await fetch(url, { signal: leaving.signal })
  await expect
    .poll(async () => {
      const before = pulled
      await new Promise((resolve) => setTimeout(resolve, 100))
      return pulled === before
    })
    .toBe(true)
  // What the kernel's two buffers hold, and no more.
  expect(pulled).toBeLessThan(32 * 1024 * 1024)
  leaving.abort()
  await expect.poll(() => cancelled).toBe(true)
})

test('a body that fails breaks the connection and never ends cleanly', async () => {
  const url = await serve(
    toNodeListener(
      async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('half'))
            },
            pull(controller) {
              controller.error(new Error('lost'))
            },
          }),
        ),
    ),
  )
  const response = await fetch(url)
  await expect(response.text()).rejects.toThrow('terminated')
})

test('hands on method, headers, cookies, status and the whole path', async () => {
  let seen: Request | undefined
  const url = await serve(
    toNodeListener(async (request) => {
      seen = request
      const headers = new Headers({ 'x-one': '1' })
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      return new Response(await request.text(), { status: 201, headers })
    }),
  )
  const response = await fetch(`${url}//x?y=1`, {
    method: 'PUT',
    body: 'naïve',
    headers: { 'x-two': '2' },
  })
  expect(response.status).toBe(201)
  expect(await response.text()).toBe('naïve')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(seen?.url).toBe(`${url}//x?y=1`)
  expect(seen?.method).toBe('PUT')
  expect(seen?.headers.get('x-two')).toBe('2')
})
