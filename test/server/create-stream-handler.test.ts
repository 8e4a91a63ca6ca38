import { afterEach, describe, expect, test } from 'vitest'
import { memoryEventLog, type StreamHandlerOptions } from 'sluice/server'
import { scriptedModel } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'
import {
  allEvents,
  ask,
  question,
  serveChat,
  sseBlocks,
  sseEvents,
  textIn,
  type TestServer,
} from '../support/chat-server.ts'

const text = 'The keeper opens the sluice, and the water finds its own level by and by.'

const open: TestServer[] = []
const serve = async (options: Partial<StreamHandlerOptions> = {}): Promise<string> => {
  const server = await serveChat({
    model: scriptedModel({ text, tokenMs: 5 }),
    log: memoryEventLog(),
    ...options,
  })
  open.push(server)
  return server.url
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const seqs = (events: readonly { seq: number; from?: number | undefined }[]): number[] =>
  events.flatMap(({ seq, from = seq }) =>
    Array.from({ length: seq - from + 1 }, (_, place) => from + place),
  )

describe('POST', () => {
  test('streams an answer from start to done, each seq once', async () => {
    const requestId = createId()
    const response = await ask(await serve(), { requestId, messageId: 'm1' })
    expect(response.status).toBe(200)
    const events = await allEvents(response)
    expect(events[0]).toMatchObject({
      v: 1,
      requestId,
      seq: 1,
      type: 'start',
      messageId: 'm1',
      replayable: true,
      heartbeatMs: 5000,
    })
    expect(textIn(events)).toBe(text)
    expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' })
    expect(seqs(events)).toEqual(Array.from({ length: events.at(-1)?.seq ?? 0 }, (_, i) => i + 1))
  })

  test('has the headers of protocol §5', async () => {
    const requestId = createId()
    const response = await ask(await serve(), { requestId })
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'sluice-request-id': requestId,
    })
    expect(headers).not.toHaveProperty('content-length')
    await response.body?.cancel()
  })

  test('begins with retry, and gives each event its id and one data line', async () => {
    const requestId = createId()
    const blocks: string[] = []
    for await (const block of sseBlocks(await ask(await serve(), { requestId }))) blocks.push(block)
    expect(blocks[0]).toBe('retry: 1000')
    expect(blocks[1]).toMatch(new RegExp(`^id: ${requestId}:1\ndata: \\{.*"type":"start".*\\}$`))
  })

  test('speaks NDJSON where it is asked for', async () => {
    const response = await ask(await serve(), {}, { headers: { accept: 'application/x-ndjson' } })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await response.text()).trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'start', seq: 1 })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'done' })
  })

  test('sends headers and start before the model says anything', async () => {
    const model = scriptedModel({ text, queueMs: 60_000 })
    const response = await ask(await serve({ model }))
    const first = await sseEvents(response).next()
    expect(first.value).toMatchObject({ type: 'start' })
    expect(model.generated).toBe(0)
  })

  test('the same request again attaches; the model is called once', async () => {
    const model = scriptedModel({ text, tokenMs: 5 })
    const url = await serve({ model })
    const requestId = createId()
    const [first, second] = await Promise.all([
      ask(url, { requestId }).then(allEvents),
      ask(url, { requestId }).then(allEvents),
    ])
    expect(model.calls).toBe(1)
    expect(textIn(first)).toBe(text)
    expect(textIn(second)).toBe(text)
  })

  test('another body under the same id is a conflict', async () => {
    const url = await serve()
    const requestId = createId()
    await allEvents(await ask(url, { requestId }))
    const response = await ask(url, { requestId, messages: [question('Something else')] })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: { code: 'conflict' } })
  })

  test.each([
    ['a short id', { requestId: 'short' }, 400, 'bad-request-id'],
    ['an id of other characters', { requestId: 'a'.repeat(21) + '/' }, 400, 'bad-request-id'],
    ['no messages', { messages: undefined }, 400, 'bad-request'],
    [
      'messages of another shape',
      { messages: [{ role: 'user', content: 'x' }] },
      400,
      'bad-request',
    ],
  ])('refuses %s and says what to do', async (_, body, status, code) => {
    const response = await ask(await serve(), body)
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe(code)
    expect(error.message).not.toBe('')
  })

  test('refuses what is not JSON, and what is too long', async () => {
    const url = await serve({ limits: { bodyBytes: 300 } })
    const post = (body: string, type = 'application/json'): Promise<Response> =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await post('{')).status).toBe(400)
    expect((await post('[]')).status).toBe(400)
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await ask(url, { padding: 'x'.repeat(300) })).status).toBe(413)
  })

  test('a client without an id gets one, and stops the model by leaving', async () => {
    const model = scriptedModel({ text, tokenMs: 20 })
    const url = await serve({ model })
    const leaving = new AbortController()
    const response = await fetch(url, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [question()] }),
    })
    const events = sseEvents(response)
    const first = await events.next()
    expect(first.value).toMatchObject({ type: 'start', replayable: false })
    await events.next()
    leaving.abort()
    await expect(drain(events)).rejects.toThrow('aborted')
    await expect.poll(() => model.generated).toBeGreaterThan(0)
    const stopped = await settled(() => model.generated)
    expect(stopped).toBeLessThan(text.split(' ').length)
  })
})

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

/** Waits until a number stands still for 100 ms. */
async function settled(read: () => number): Promise<number> {
  for (;;) {
    const before = read()
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (read() === before) return before
  }
}

describe('GET events', () => {
  test('replays what came after the cursor, by query and by Last-Event-ID', async () => {
    const url = await serve()
    const requestId = createId()
    const whole = await allEvents(await ask(url, { requestId }))
    const byQuery = await allEvents(await fetch(`${url}/${requestId}/events?after=4`))
    const byHeader = await allEvents(
      await fetch(`${url}/${requestId}/events`, {
        headers: { 'last-event-id': `${requestId}:4` },
      }),
    )
    const last = whole.at(-1)?.seq ?? 0
    for (const events of [byQuery, byHeader]) {
      expect(seqs(events)).toEqual(Array.from({ length: last - 4 }, (_, place) => place + 5))
    }
    expect(textIn(byQuery)).toBe(textIn(whole.slice(4)))
  })

  test('follows a run that goes on', async () => {
    const url = await serve({ model: scriptedModel({ text, tokenMs: 10 }) })
    const requestId = createId()
    const first = sseEvents(await ask(url, { requestId }))
    await first.next()
    await first.next()
    await first.return()
    const events = await allEvents(await fetch(`${url}/${requestId}/events?after=0`))
    expect(textIn(events)).toBe(text)
  })

  test('answers 204 to a reader that has everything', async () => {
    const url = await serve()
    const requestId = createId()
    const last = (await allEvents(await ask(url, { requestId }))).at(-1)?.seq ?? 0
    const response = await fetch(`${url}/${requestId}/events?after=${last}`)
    expect(response.status).toBe(204)
  })

  test('answers 404 to an unknown stream and to a cursor of another one', async () => {
    const url = await serve()
    const requestId = createId()
    await allEvents(await ask(url, { requestId }))
    const unknown = await fetch(`${url}/${createId()}/events`)
    const foreign = await fetch(`${url}/${requestId}/events`, {
      headers: { 'last-event-id': `${createId()}:2` },
    })
    const beyond = await fetch(`${url}/${requestId}/events?after=9999`)
    for (const response of [unknown, foreign, beyond]) {
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: 'unknown-stream' } })
    }
  })

  test('answers 410 once the events are no longer kept', async () => {
    let now = 0
    const log = memoryEventLog({
      retentionMs: 1000,
      clock: { now: () => now, setTimeout: () => undefined, clearTimeout: () => {} },
    })
    const url = await serve({ log })
    const requestId = createId()
    await allEvents(await ask(url, { requestId }))
    now = 1001
    const response = await fetch(`${url}/${requestId}/events`)
    expect(response.status).toBe(410)
    expect(await response.json()).toMatchObject({ error: { code: 'replay-expired' } })
    const state = await (await fetch(`${url}/${requestId}`)).json()
    expect(state).toMatchObject({
      state: 'completed',
      replayable: false,
      finishReason: 'stop',
      outputTokens: text.split(' ').length,
    })
  })
})

describe('GET state', () => {
  test('tells of a run that goes on and of one that is done', async () => {
    const url = await serve({ model: scriptedModel({ text, tokenMs: 10 }) })
    const requestId = createId()
    const events = sseEvents(await ask(url, { requestId }))
    await events.next()
    const running = await (await fetch(`${url}/${requestId}`)).json()
    expect(running).toMatchObject({ state: 'running', replayable: true, actions: [] })
    await drain(events)
    const done = await (await fetch(`${url}/${requestId}`)).json()
    expect(done).toMatchObject({
      state: 'completed',
      finishReason: 'stop',
      outputTokens: text.split(' ').length,
    })
  })
})
