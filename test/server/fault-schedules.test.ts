import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createModelStream, httpTransport, isToolPart, textOf, type EventBody } from 'sluice/core'
import { createStreamHandler, memoryEventLog, tool } from 'sluice/server'
import { injectFaults, manualClock, type Fault } from 'sluice/testing'
import { sample } from '../support/sample.ts'
import { calls } from '../support/tool-model.ts'

// Whatever goes wrong between a server and a page, in whatever order: what is shown is a beginning of the truth, nothing
// is applied or run twice, and no failure looks like success.

const FIRST = 'The gate is opened by a hand’s breadth, 水 begins to run, '
const SECOND = 'and the meadow has waited for it.'
const words = (text: string, part: string): EventBody[] =>
  text.split(/(?<= )/).map((word) => ({ type: 'text_delta', part, text: word }))

const fault = fc.record({
  type: fc.constantFrom(
    'stall',
    'reorder',
    'duplicate',
    'drop',
    'disconnect',
    'disconnect',
    'restart',
  ),
  after: fc.nat(24),
  ms: fc.constantFrom(100, 3_000, 30_000, 400_000),
  connection: fc.nat(4),
}) as fc.Arbitrary<Fault>
const RUNS = process.env['SLUICE_FULL'] === '1' ? 10_000 : 150

test(`${RUNS} random schedules of faults`, async () => {
  let ends = { complete: 0, incomplete: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (faults, fails) => {
        let effects = 0
        let asked = 0
        const handler = createStreamHandler({
          async *model() {
            asked += 1
            if (asked === 1) {
              yield* words(FIRST, 'a')
              yield* calls(['open', { gate: 1 }])
            } else {
              yield* words(SECOND, 'b')
              yield fails
                ? { type: 'error', code: 'overloaded', message: 'm', retryable: true }
                : { type: 'done', finishReason: 'stop' }
            }
          },
          tools: {
            open: tool({ input: z.object({ gate: z.number() }), run: () => (effects += 1) }),
          },
          log: memoryEventLog(),
        })
        const clock = manualClock()
        const transport = httpTransport({
          url: 'http://localhost/api/chat',
          fetch: (input, init) => handler(new Request(input, init)),
        })
        const stream = createModelStream({
          transport: injectFaults(transport, faults, { clock }),
          clock,
        })
        const wrong: string[] = []
        stream.subscribe(() => {
          const { text } = stream.getSnapshot()
          if (!(FIRST + SECOND).startsWith(text)) wrong.push(text)
        })
        let isOver = false
        const answer = stream.start('q').finally(() => (isOver = true))
        for (let turn = 0; !isOver; turn += 1) {
          expect(turn, 'it comes to an end').toBeLessThan(2_000)
          await clock.advance(2_000)
          await new Promise((resolve) => setImmediate(resolve))
        }
        const message = await answer
        expect(wrong).toEqual([])
        const text = textOf(message)
        expect((FIRST + SECOND).startsWith(text)).toBe(true)
        expect(asked).toBeLessThanOrEqual(2)
        expect(effects).toBeLessThanOrEqual(1)
        expect(message.parts.filter(isToolPart).length).toBeLessThanOrEqual(1)
        const { status } = stream.getSnapshot()
        if (message.status.type === 'complete') {
          ends = { ...ends, complete: ends.complete + 1 }
          expect([fails, text, effects, status]).toEqual([false, FIRST + SECOND, 1, 'ready'])
        } else {
          ends = { ...ends, incomplete: ends.incomplete + 1 }
          expect(message.status.type).toBe('incomplete')
          expect(status).toBe('error')
        }
        stream.dispose()
      },
    ),
    { ...sample, numRuns: RUNS },
  )
  // The schedules reach both.
  expect(Math.min(ends.complete, ends.incomplete)).toBeGreaterThan(RUNS / 20)
}, 1_200_000)
