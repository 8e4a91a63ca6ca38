import { afterEach, describe, expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog, type StreamHandlerOptions } from 'sluice/server'
import { manualClock, scriptedModel } from 'sluice/testing'
import type { EventBody, StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'
import {
  allEvents,
  ask,
  question,
  serveChat,
  sseEvents,
  textIn,
  type TestServer,
} from '../support/chat-server.ts'

const words = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ')
const workedExample = { text: words, queueMs: 120, prefillMs: 280, tokenMs: 50 }

const open: TestServer[] = []
const serve = async (options: StreamHandlerOptions): Promise<string> => {
  const server = await serveChat(options)
  open.push(server)
  return server.url
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Asks, and comes back once the answer has begun. */
async function read(
  url: string,
  requestId: string,
): Promise<{ readonly end: Promise<StreamEvent[]> }> {
  const source = sseEvents(await ask(url, { requestId }))
  const first = await source.next()
  const events = first.done === true ? [] : [first.value]
  const rest = async (): Promise<StreamEvent[]> => {
    for await (const event of source) events.push(event)
    return events
  }
  return { end: rest() }
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

const stop = (url: string): Promise<Response> => fetch(url, { method: 'DELETE' })

describe.each([
  ['with a log', () => ({ log: memoryEventLog() })],
  ['without a log', () => ({})],
])('DELETE, %s', (_name, more) => {
  test('stops the model, and its count is the model’s own, at once and 500 ms later', async () => {
    const clock = manualClock()
    const model = scriptedModel({ ...workedExample, clock })
    const url = await serve({ model, clock, ...more() })
    const requestId = createId()
    const events = await read(url, requestId)
    await clock.advance(999)
    const response = await stop(`${url}/${requestId}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      state: 'cancelled',
      outputTokens: 12,
      actions: [],
    })
    expect(model.generated).toBe(12)
    expect((await events.end).at(-1)).toMatchObject({
      type: 'cancelled',
      by: 'user',
      outputTokens: 12,
    })
    await clock.advance(500)
    expect(model.generated).toBe(12)
    expect(clock.pending).toBe(0)
  })

  test('has stopped the model’s loop within 50 ms of its arrival', async () => {
    let [arrived, ended] = [0, 0]
    const scripted = scriptedModel(workedExample)
    const url = await serve({
      ...more(),
      async *model(request, io) {
        try {
          yield* scripted(request, io) as AsyncIterable<EventBody>
        } finally {
          ended = performance.now()
        }
      },
      authorize(_request, { action }) {
        if (action === 'cancel') arrived = performance.now()
        return true
      },
    })
    const requestId = createId()
    const events = await read(url, requestId)
    await expect.poll(() => scripted.generated).toBeGreaterThan(2)
    await stop(`${url}/${requestId}`)
    expect(ended - arrived).toBeGreaterThanOrEqual(0)
    expect(ended - arrived).toBeLessThan(50)
    await events.end
  })

  test('of an answer that is done says so', async () => {
    const url = await serve({ model: scriptedModel({ text: 'All of it.' }), ...more() })
    const requestId = createId()
    await allEvents(await ask(url, { requestId }))
    const response = await stop(`${url}/${requestId}`)
    expect(await response.json()).toMatchObject({ state: 'completed', outputTokens: 3 })
  })

  test('twice answers the same', async () => {
    const url = await serve({ model: scriptedModel(workedExample), ...more() })
    const requestId = createId()
    const events = await read(url, requestId)
    const first: unknown = await (await stop(`${url}/${requestId}`)).json()
    const second: unknown = await (await stop(`${url}/${requestId}`)).json()
    expect(second).toEqual(first)
    await events.end
  })

  test('that overtakes its POST keeps the model from being called, for 60 s', async () => {
    const clock = manualClock()
    const model = scriptedModel({ text: words })
    const log = 'log' in more() ? { log: memoryEventLog({ clock }) } : {}
    const url = await serve({ model, clock, ...log })
    const [early, late] = [createId(), createId()]
    for (const id of [early, late]) expect((await stop(`${url}/${id}`)).status).toBe(404)
    await clock.advance(59_000)
    const events = await allEvents(await ask(url, { requestId: early }))
    expect(events.map(({ type }) => type)).toEqual(['start', 'cancelled'])
    expect(events.at(-1)).toMatchObject({ outputTokens: 0 })
    expect(model.calls).toBe(0)
    await clock.advance(2_000)
    const other = await allEvents(await ask(url, { requestId: late }))
    expect(textIn(other)).toBe(words)
  })

  test('of a model that does not listen answers 202 running, and the truth later', async () => {
    const clock = manualClock()
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    async function* deaf(): AsyncGenerator<EventBody> {
      yield { type: 'text_delta', part: 't', text: 'One' }
      await released
    }
    const log = 'log' in more() ? { log: memoryEventLog({ clock }) } : {}
    const handler = createStreamHandler({ model: deaf, clock, ...log })
    const requestId = createId()
    const call = (method: string, path = '', body?: object): Promise<Response> =>
      handler(
        new Request(`http://localhost/api/chat${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
    const answer = allEvents(await call('POST', '', { requestId, messages: [question()] }))
    await clock.advance(0)
    const stopping = call('DELETE', `/${requestId}`)
    await clock.advance(5_000)
    const response = await stopping
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({ state: 'running' })
    release()
    expect((await answer).at(-1)).toMatchObject({ type: 'cancelled', outputTokens: 1 })
    const truth = await (await call('DELETE', `/${requestId}`)).json()
    expect(truth).toMatchObject({ state: 'cancelled', outputTokens: 1 })
  })

  test('a model that finishes all the same has completed', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    async function* deaf(): AsyncGenerator<EventBody> {
      yield { type: 'text_delta', part: 't', text: 'Whole' }
      await released
      yield { type: 'text_delta', part: 't', text: ' answer' }
      yield { type: 'done', finishReason: 'stop' }
    }
    const url = await serve({ model: deaf, ...more() })
    const requestId = createId()
    const events = await read(url, requestId)
    const stopping = stop(`${url}/${requestId}`)
    setTimeout(release, 20)
    expect(await (await stopping).json()).toMatchObject({ state: 'completed' })
    expect(textIn(await events.end)).toBe('Whole answer')
  })
})

describe('a connection that closes', () => {
  test('with a log is a disconnect: the run goes on, and ends after the grace time', async () => {
    const clock = manualClock()
    const model = scriptedModel({ text: words, tokenMs: 10_000, clock })
    const handler = createStreamHandler({ model, clock, log: memoryEventLog({ clock }) })
    const requestId = createId()
    const leaving = new AbortController()
    const response = await handler(
      new Request('http://localhost/api/chat', {
        method: 'POST',
        signal: leaving.signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, messages: [question()] }),
      }),
    )
    const events = sseEvents(response)
    await events.next()
    leaving.abort()
    await clock.advance(29_000)
    const state = async (): Promise<unknown> =>
      (await handler(new Request(`http://localhost/api/chat/${requestId}`))).json()
    expect(await state()).toMatchObject({ state: 'running' })
    expect(model.generated).toBe(3)
    await clock.advance(2_000)
    expect(await state()).toMatchObject({ state: 'cancelled', outputTokens: 3 })
  })

  test('a reader that comes back in time keeps the run going', async () => {
    const clock = manualClock()
    const model = scriptedModel({ text: words, tokenMs: 10_000, clock })
    const handler = createStreamHandler({ model, clock, log: memoryEventLog({ clock }) })
    const requestId = createId()
    const post = await handler(
      new Request('http://localhost/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, messages: [question()] }),
      }),
    )
    await clock.advance(0)
    await post.body?.cancel()
    await clock.advance(20_000)
    const replay = await handler(new Request(`http://localhost/api/chat/${requestId}/events`))
    const answer = allEvents(replay)
    await clock.advance(400_000)
    expect(textIn(await answer)).toBe(words)
  })

  test('detach lets a run finish without readers', async () => {
    const clock = manualClock()
    const model = scriptedModel({ text: words, tokenMs: 10_000, clock })
    const log = memoryEventLog({ clock })
    const handler = createStreamHandler({ model, clock, log, detach: true })
    const requestId = createId()
    const post = await handler(
      new Request('http://localhost/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, messages: [question()] }),
      }),
    )
    await post.body?.cancel()
    await clock.advance(400_000)
    const state = await handler(new Request(`http://localhost/api/chat/${requestId}`))
    expect(await state.json()).toMatchObject({ state: 'completed' })
  })

  test('without a log stops the model at once', async () => {
    const model = scriptedModel(workedExample)
    const url = await serve({ model })
    const requestId = createId()
    const leaving = new AbortController()
    const response = await ask(url, { requestId }, { signal: leaving.signal })
    const events = sseEvents(response)
    await events.next()
    await expect.poll(() => model.generated).toBeGreaterThan(0)
    leaving.abort()
    const state = async (): Promise<{ state: string; outputTokens: number }> =>
      (await (await fetch(`${url}/${requestId}`)).json()) as { state: string; outputTokens: number }
    await expect.poll(async () => (await state()).state).toBe('cancelled')
    const stopped = model.generated
    expect((await state()).outputTokens).toBe(stopped)
    await later(200)
    expect(model.generated).toBe(stopped)
    await expect(drain(events)).rejects.toThrow('aborted')
  })
})
