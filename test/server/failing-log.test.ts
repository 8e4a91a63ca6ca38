import { expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog, type EventLog } from 'sluice/server'
import { manualClock, scriptedModel } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'
import { allEvents, question, textIn } from '../support/chat-server.ts'

const text = 'The gate opens a hand’s breadth, and the water begins to speak.'

const post = (requestId: string): Request =>
  new Request('http://localhost/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId, messages: [question()] }),
  })

/** A log of which every third writing fails: before anything is written, or with its answer lost. */
function shaky(log: EventLog, isWritten: boolean): EventLog {
  let writes = 0
  return {
    ...log,
    async append(...args) {
      writes += 1
      if (writes % 3 === 0 && !isWritten) throw new Error('ECONNRESET')
      const answer = await log.append(...args)
      if (writes % 3 === 0) throw new Error('ECONNRESET')
      return answer
    },
  }
}

test.each([
  ['with nothing written', false],
  ['with only the answer lost', true],
])('a writing that fails %s is tried anew: the answer is whole', async (_, isWritten) => {
  const errors: unknown[] = []
  const handler = createStreamHandler({
    model: scriptedModel({ text, tokenMs: 2 }),
    log: shaky(memoryEventLog(), isWritten),
    onError: (error) => errors.push(error),
  })
  const events = await allEvents(await handler(post(createId())))
  expect(textIn(events)).toBe(text)
  expect(events.at(-1)).toMatchObject({ type: 'done' })
  expect(errors.length).toBeGreaterThan(0)
  let seq = 0
  for (const event of events) {
    expect(event.from ?? event.seq).toBe(seq + 1)
    seq = event.seq
  }
})

test('a log that does not come back stops the model once the lease is over', async () => {
  const clock = manualClock()
  const errors: unknown[] = []
  let signal: AbortSignal | undefined
  const handler = createStreamHandler({
    model: async function* (_, io) {
      signal = io.signal
      yield { type: 'text_delta', part: 'p', text: 'Once' }
      await new Promise<void>((resolve) => io.signal.addEventListener('abort', () => resolve()))
    },
    log: {
      ...memoryEventLog({ clock }),
      append: async () => {
        throw new Error('ECONNREFUSED')
      },
    },
    clock,
    onError: (error) => errors.push(error),
  })
  const response = await handler(post(createId()))
  await clock.advance(5_000)
  expect(signal?.aborted).toBe(false)
  await clock.advance(60_000)
  expect(signal?.aborted).toBe(true)
  // Seldom, not in a storm.
  expect(errors.length).toBeLessThan(12)
  await response.body?.cancel()
})
