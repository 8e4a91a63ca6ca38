import fc from 'fast-check'
import { isTerminal, readModelStream, type StreamEvent, type StreamFormat } from 'sluice/core'
import { describe, expect, test, vi } from 'vitest'
import { bodyOf, cutAt } from '../support/cuts.ts'
import { sample } from '../support/sample.ts'
import { samplesOf, shapeProblems, vendors } from './samples.ts'

// Whatever comes: the reader does not throw, ends once and at the end, and holds no more than it may.

// The whole campaign takes longer than a test may by itself.
vi.setConfig({ testTimeout: 60_000 })

const isFull = process.env['SLUICE_FULL'] === '1'
const runs = { ...sample, numRuns: isFull ? 5_000 : 150 }
const limits = { line: 4_096, event: 8_192, buffer: 16_384 }

const contentType = fc.constantFrom(
  'text/event-stream; charset=utf-8',
  'application/x-ndjson',
  'application/json',
  'text/html',
  '',
)

/** Where a body is cut, as shares of its length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })

/** One wrong thing done to a body: at a share of its length, for a share of its length. */
const damage = fc.record({
  kind: fc.constantFrom('truncate', 'delete', 'repeat', 'flip', 'insert', 'move'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.double({ min: 0, max: 0.2, noNaN: true }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
})
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never

function damaged(body: Uint8Array, { kind, at, length, bytes }: Damage): Uint8Array {
  const from = Math.floor(at * body.length)
  const to = Math.min(body.length, from + 1 + Math.floor(length * body.length))
  const [before, middle, after] = [body.slice(0, from), body.slice(from, to), body.slice(to)]
  const parts = {
    truncate: [before],
    delete: [before, after],
    repeat: [before, middle, middle, after],
    flip: [before, middle.map((byte) => byte ^ 0x15), after],
    insert: [before, bytes, middle, after],
    move: [after, middle, before],
  }[kind]
  return new Uint8Array(Buffer.concat(parts))
}

async function read(
  body: Uint8Array,
  shares: readonly number[],
  type: string,
  format: StreamFormat,
): Promise<StreamEvent[]> {
  const places = shares.map((share) => Math.floor(share * body.length))
  const response = new Response(bodyOf(cutAt(body, places)), {
    headers: { 'content-type': type },
  })
  const events: StreamEvent[] = []
  for await (const event of readModelStream(response, { format, limits })) events.push(event)
  return events
}

describe('any bytes', () => {
  test.for(['auto', ...new Set(vendors.map((vendor) => samplesOf(vendor)[0]!.format))] as const)(
    'as %s end once',
    (format) =>
      fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 20_000, size: 'max' }),
          cuts,
          contentType,
          async (body, shares, type) => {
            expect(shapeProblems(await read(body, shares, type, format))).toEqual([])
          },
        ),
        runs,
      ),
  )
})

describe('our own protocol', () => {
  const text = new TextEncoder()
  const event = fc.record({
    v: fc.constantFrom(1, 1, 1, 2, 'x'),
    requestId: fc.constantFrom('r', 'r', 'other', 3),
    seq: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.jsonValue()),
    type: fc.constantFrom(
      'start',
      'text_delta',
      'done',
      'error',
      'cancelled',
      'interrupted',
      'new',
    ),
    delta: fc.jsonValue(),
  })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20_000, size: 'max' }),
    fc
      .array(event, { maxLength: 12 })
      .map((events) =>
        text.encode(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')),
      ),
  )

  // Its `start` is the server's; a reader makes none up.
  test('any bytes and any events end once', () =>
    fc.assert(
      fc.asyncProperty(bytes, cuts, contentType, async (body, shares, type) => {
        const events = await read(body, shares, type, 'sluice')
        expect(events.filter(isTerminal)).toEqual(events.slice(-1))
      }),
      runs,
    ))
})

describe('a damaged sample', () => {
  test.for(vendors)('of %s ends once', (vendor) =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samplesOf(vendor)),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        cuts,
        fc.boolean(),
        contentType,
        async ({ bytes, format, expected }, wrongs, shares, isTold, odd) => {
          const body = wrongs.reduce(damaged, bytes)
          const type = isTold ? expected.http.contentType : odd
          expect(shapeProblems(await read(body, shares, type, format))).toEqual([])
        },
      ),
      runs,
    ),
  )
})

test.for(vendors)('an endless line of %s ends at the limit, the rest unread', async (vendor) => {
  const { format, expected } = samplesOf(vendor)[0]!
  let asked = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      asked += 1
      controller.enqueue(new TextEncoder().encode('data: {"a":"'.padEnd(1_024, 'x')))
    },
  })
  const response = new Response(endless, {
    headers: { 'content-type': expected.http.contentType },
  })
  const events: StreamEvent[] = []
  for await (const event of readModelStream(response, { format, limits })) events.push(event)
  expect(shapeProblems(events)).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'error', code: 'limit-exceeded' })
  expect(asked).toBeLessThan(32)
})
