import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sample } from '../support/sample.ts'
import { coalesce, type EventBody, type StreamEvent } from 'sluice/core'
import { emptyFold, fold, type Fold } from '../../src/protocol/fold.ts'
import { arrive, sequenceFrom, type Arrival, type Sequence } from '../../src/protocol/sequence.ts'
import { numbered, REQUEST } from '../support/events.ts'

const text = (piece: string, part = 't'): EventBody => ({ type: 'text_delta', part, text: piece })
const event = (seq: number, more: object = {}): StreamEvent => ({
  v: 1,
  requestId: REQUEST,
  seq,
  ...text(`${seq} `),
  ...more,
})

/** Puts events in and tells, for each, what came of it. */
function run(
  events: readonly StreamEvent[],
  last = 0,
): { arrivals: Arrival[]; sequence: Sequence } {
  let sequence = sequenceFrom(REQUEST, last)
  const arrivals = events.map((each) => {
    const [next, arrival] = arrive(sequence, each)
    sequence = next
    return arrival
  })
  return { arrivals, sequence }
}
const applied = (arrivals: readonly Arrival[]): number[] =>
  arrivals.flatMap((arrival) =>
    arrival.type === 'apply' ? arrival.events.map(({ seq }) => seq) : [],
  )

describe('in order', () => {
  test('each event is applied once', () => {
    const { arrivals, sequence } = run([event(1), event(2), event(2), event(1), event(3)])
    expect(arrivals.map((arrival) => arrival.type)).toEqual([
      'apply',
      'apply',
      'drop',
      'drop',
      'apply',
    ])
    expect(arrivals[2]).toEqual({ type: 'drop', as: 'duplicates' })
    expect(sequence.last).toBe(3)
  })

  test('a merged event stands for its range', () => {
    const { arrivals, sequence } = run([event(1), event(9, { from: 2 }), event(5), event(10)])
    expect(applied(arrivals)).toEqual([1, 9, 10])
    expect(sequence.last).toBe(10)
  })

  test('events of another request never touch this one, whatever their version', () => {
    const { arrivals, sequence } = run([event(1, { requestId: 'another', v: 2 })])
    expect(arrivals).toEqual([{ type: 'drop', as: 'foreign' }])
    expect(sequence.last).toBe(0)
  })

  test('a higher version ends the stream', () => {
    expect(run([event(1, { v: 2 })]).arrivals).toEqual([{ type: 'unsupported' }])
  })
})

describe('gaps', () => {
  test('what comes early is held until what is missing is there', () => {
    const { arrivals } = run([event(1), event(4), event(3), event(4), event(2)])
    expect(arrivals.map((arrival) => arrival.type)).toEqual([
      'apply',
      'hold',
      'hold',
      'drop',
      'apply',
    ])
    expect(arrivals[1]).toEqual({ type: 'hold', opened: true })
    expect(arrivals[2]).toEqual({ type: 'hold', opened: false })
    expect(applied(arrivals)).toEqual([1, 2, 3, 4])
  })

  test('a second gap behind the first one stays', () => {
    const { arrivals, sequence } = run([event(1), event(3), event(5), event(2)])
    expect(applied(arrivals)).toEqual([1, 2, 3])
    expect(sequence.held.map(({ seq }) => seq)).toEqual([5])
  })

  test('pieces that a held merged event covers are dropped with it', () => {
    const { arrivals, sequence } = run([event(6), event(8, { from: 5 }), event(7), event(4)], 3)
    expect(arrivals.at(-1)).toMatchObject({ type: 'apply', duplicates: 2 })
    expect(applied(arrivals)).toEqual([4, 8])
    expect(sequence.held).toEqual([])
  })

  test('of two that begin together the longer one is taken', () => {
    const { arrivals, sequence } = run([event(6, { from: 5 }), event(8, { from: 5 }), event(4)], 3)
    expect(applied(arrivals)).toEqual([4, 8])
    expect(sequence).toMatchObject({ last: 8, held: [] })
  })

  test('the window holds 64 events', () => {
    const early = Array.from({ length: 65 }, (_, place) => event(place + 3))
    const { arrivals, sequence } = run([event(1), ...early])
    expect(arrivals.slice(1, -1).every(({ type }) => type === 'hold')).toBe(true)
    expect(arrivals.at(-1)).toEqual({ type: 'overflow' })
    expect(sequence).toMatchObject({ last: 1, held: [] })
  })

  test('the window holds 256 KiB', () => {
    const big = (seq: number): StreamEvent => event(seq, { text: 'x'.repeat(100 * 1024) })
    const { arrivals } = run([event(1), big(3), big(4), big(5)])
    expect(arrivals.map(({ type }) => type)).toEqual(['apply', 'hold', 'hold', 'overflow'])
  })

  test('a merged event that reaches across the cursor asks for everything', () => {
    expect(run([event(6, { from: 3 })], 4).arrivals).toEqual([{ type: 'resync' }])
    const behind = run([event(8, { from: 6 }), event(6, { from: 5 })], 4)
    expect(behind.arrivals.map(({ type }) => type)).toEqual(['hold', 'resync'])
    expect(behind.sequence.last).toBe(4)
  })
})

// An answer with everything in it, of which any order within the window must come out the same.
const kinds: fc.Arbitrary<EventBody> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.string({ maxLength: 4 }), fc.constantFrom('a', 'b'))
      .map(([piece, part]) => text(piece, part)),
  },
  fc
    .string({ maxLength: 3 })
    .map((piece): EventBody => ({ type: 'reasoning_delta', part: 'r', text: piece })),
  fc.constant<EventBody>({ type: 'part_end', part: 'a' }),
  fc.constant<EventBody>({ type: 'reset', part: 'b' }),
  fc.nat(9).map((value): EventBody => ({ type: 'data', part: 'd', name: 'n', id: 'd', value })),
  fc.nat(9).map((outputTokens): EventBody => ({ type: 'usage', outputTokens })),
)
const answers = fc
  .array(kinds, { minLength: 1, maxLength: 30 })
  .map((bodies) => numbered([...bodies, { type: 'done', finishReason: 'stop' }]))

const folded = (events: readonly StreamEvent[]): Fold =>
  events.reduce(fold, emptyFold('m', REQUEST))
const contentOf = ({ draft, end }: Fold): unknown => ({
  parts: draft.parts,
  usage: draft.usage,
  ended: end?.type,
})

function sequenced(events: readonly StreamEvent[]): Fold {
  const { arrivals } = run(events)
  return folded(arrivals.flatMap((arrival) => (arrival.type === 'apply' ? arrival.events : [])))
}

describe('properties', () => {
  test('any order within the window, with any duplicates, folds to the same message', () => {
    const shuffled = answers.chain((events) =>
      fc
        .tuple(
          fc.shuffledSubarray(events, { minLength: events.length }),
          fc.array(fc.nat(events.length - 1), { maxLength: 20 }),
        )
        .map(([order, again]) => ({
          events,
          arrived: [...order, ...again.map((place) => events[place] as StreamEvent)],
        })),
    )
    fc.assert(
      fc.property(shuffled, ({ events, arrived }) => {
        expect(contentOf(sequenced(arrived))).toEqual(contentOf(folded(events)))
      }),
      { ...sample, numRuns: 300 },
    )
  })

  test('coalesced events fold to the same message, and merge text alone', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const merged = coalesce(events)
        expect(contentOf(sequenced(merged))).toEqual(contentOf(folded(events)))
        let next = 1
        for (const each of merged) {
          expect(each.from ?? each.seq).toBe(next)
          expect(each.from === undefined || each.type.endsWith('_delta')).toBe(true)
          next = each.seq + 1
        }
        expect(next).toBe(events.length + 1)
      }),
      { ...sample, numRuns: 300 },
    )
  })

  test('a log that is read in merged pages, again and again, is read once', () => {
    const pages = answers.chain((events) =>
      fc.array(fc.nat(events.length), { maxLength: 5 }).map((cuts) => ({ events, cuts })),
    )
    fc.assert(
      fc.property(pages, ({ events, cuts }) => {
        // Each page begins after the last event read, as `Last-Event-ID` asks for.
        const arrived: StreamEvent[] = []
        let last = 0
        for (const cut of [...cuts.toSorted((a, b) => a - b), events.length]) {
          const page = coalesce(events.slice(last, cut))
          arrived.push(...page, ...page)
          last = Math.max(last, cut)
        }
        expect(contentOf(sequenced(arrived))).toEqual(contentOf(folded(events)))
      }),
      { ...sample, numRuns: 200 },
    )
  })
})
