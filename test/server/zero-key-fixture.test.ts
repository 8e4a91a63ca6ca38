import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { readModelStream } from 'sluice/core'
import type { Model } from '../../src/protocol/transport.ts'
import { collectMessage } from '../../src/protocol/settle.ts'
import { textOf } from '../../src/protocol/message.ts'
import { createId } from '../../src/protocol/ids.ts'
import { allEvents, question, textIn } from '../support/chat-server.ts'

// The mock of the second source document, byte for byte on the wire: eight tokens, 80 ms each.
const TOKENS = ['流式', '传输', '把', '等待', '变成', '逐步', '呈现', '。']
const encoder = new TextEncoder()
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
let serverLog: string[] = []
let url = ''

const server = createServer((request, response) => {
  let finished = false
  request.on('close', () => {
    if (!finished) serverLog.push('[server] client disconnected -> generation stopped')
  })
  void (async () => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    for (const token of TOKENS) {
      if (response.destroyed) return
      const chunk = { choices: [{ delta: { content: token }, finish_reason: null }] }
      response.write(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`))
      await sleep(80)
    }
    finished = true
    const done = {
      choices: [{ delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
    }
    response.write(encoder.encode(`data: ${JSON.stringify(done)}\n\n`))
    response.write(encoder.encode('data: [DONE]\n\n'))
    response.end()
  })()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('No port.')
  url = `http://127.0.0.1:${address.port}/v1/chat/stream`
})
beforeEach(() => (serverLog = []))
afterAll(() => server.close())

const upstream: Model = (_request, { signal }) => fetch(url, { signal })

test('read whole: the text, and stop', async () => {
  const message = await collectMessage(readModelStream(await fetch(url), { format: 'openai-chat' }))
  expect(textOf(message)).toBe('流式传输把等待变成逐步呈现。')
  expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
  expect(message.usage).toMatchObject({ inputTokens: 10, outputTokens: 8 })
  expect(serverLog).toEqual([])
})

test('stopped after 320 ms: the text so far, cancelled, and the server has stopped', async () => {
  const stop = new AbortController()
  const response = await fetch(url, { signal: stop.signal })
  setTimeout(() => stop.abort(), 320)
  const message = await collectMessage(
    readModelStream(response, { format: 'openai-chat', signal: stop.signal }),
  )
  // At 320 ms it is 流式传输把等待 on a machine that is not busy.
  expect(textOf(message)).not.toBe('')
  expect(textOf(message)).not.toBe(TOKENS.join(''))
  expect(TOKENS.join('')).toContain(textOf(message))
  expect(message.status).toEqual({ type: 'incomplete', reason: 'cancelled' })
  expect(message.finishReason).toBeUndefined()
  await expect.poll(() => serverLog).toEqual(['[server] client disconnected -> generation stopped'])
})

test('behind our handler: the format is recognised, and DELETE reaches it', async () => {
  const handler = createStreamHandler({ model: upstream, log: memoryEventLog() })
  const ask = (requestId: string): Promise<Response> =>
    handler(
      new Request('http://localhost/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, messages: [question()] }),
      }),
    )
  const whole = await allEvents(await ask(createId()))
  expect(textIn(whole)).toBe('流式传输把等待变成逐步呈现。')
  expect(whole.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' })

  const requestId = createId()
  const answer = allEvents(await ask(requestId))
  await sleep(320)
  const stopped = await handler(
    new Request(`http://localhost/api/chat/${requestId}`, { method: 'DELETE' }),
  )
  expect(await stopped.json()).toMatchObject({ state: 'cancelled' })
  expect((await answer).at(-1)).toMatchObject({ type: 'cancelled', by: 'user' })
  await expect.poll(() => serverLog).toEqual(['[server] client disconnected -> generation stopped'])
})
