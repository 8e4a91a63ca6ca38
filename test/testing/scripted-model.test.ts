import { expect, test } from 'vitest'
import { manualClock, scriptedModel } from 'sluice/testing'
import type { EventBody } from '../../src/protocol/events.ts'

const words = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ')
const request = { messages: [], messageId: 'm', body: {} }

function run(
  model: ReturnType<typeof scriptedModel>,
  signal = new AbortController().signal,
): AsyncIterable<EventBody> {
  const events = model(request, { signal, requestId: 'r' })
  if (events instanceof Promise) throw new Error('A scripted model makes its own events.')
  return events
}

test('keeps to the worked example', async () => {
  const clock = manualClock()
  const model = scriptedModel({ text: words, queueMs: 120, prefillMs: 280, tokenMs: 50, clock })
  const times: number[] = []
  let text = ''
  let end: EventBody | undefined
  const reading = (async () => {
    for await (const event of run(model)) {
      if (event.type === 'text_delta') {
        times.push(clock.now())
        text += event.text
      }
      end = event
    }
  })()
  await clock.advance(3_000)
  await reading
  expect(times).toEqual(Array.from({ length: 40 }, (_, place) => 400 + place * 50))
  expect(text).toBe(words)
  expect(model.generated).toBe(40)
  expect(end).toMatchObject({ type: 'done', finishReason: 'stop', usage: { outputTokens: 40 } })
})

test('slow timers do not add up', async () => {
  const model = scriptedModel({ text: words, tokenMs: 10 })
  const begun = performance.now()
  for await (const _ of run(model));
  expect(performance.now() - begun).toBeLessThan(40 * 10 + 40)
})

test('looks at its signal before each token', async () => {
  const clock = manualClock()
  const model = scriptedModel({ text: words, queueMs: 120, prefillMs: 280, tokenMs: 50, clock })
  const stop = new AbortController()
  const reading = (async () => {
    for await (const _ of run(model, stop.signal));
  })()
  await clock.advance(1_000)
  stop.abort()
  await reading
  expect(model.generated).toBe(13)
  expect(clock.pending).toBe(0)
})

test('waits with the next token until it is asked for', async () => {
  const model = scriptedModel({ text: words })
  const events = run(model)[Symbol.asyncIterator]()
  await events.next()
  await events.next()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(model.generated).toBe(2)
})

test('the same seed gives the same tokens, which make up the text', async () => {
  const tokens = async (seed: number): Promise<string[]> => {
    const pieces: string[] = []
    for await (const event of run(
      scriptedModel({ text: 'Ebbe, Flut und 潮の満ち引き 🌊', seed }),
    )) {
      if (event.type === 'text_delta') pieces.push(event.text)
    }
    return pieces
  }
  expect(await tokens(7)).toEqual(await tokens(7))
  expect(await tokens(7)).not.toEqual(await tokens(8))
  expect((await tokens(7)).join('')).toBe('Ebbe, Flut und 潮の満ち引き 🌊')
})

test('needs one of text and events', () => {
  expect(() => scriptedModel({})).toThrow('text or events')
})
