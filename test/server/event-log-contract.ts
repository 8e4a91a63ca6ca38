import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventLog, EventLogLimits } from 'sluice/server'
import { manualClock, type ManualClock } from 'sluice/testing'
import type { EventBody, StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'

/** A log under test. */
export interface LogUnderTest {
  readonly log: EventLog
  /** Lets time pass where it is not told by `clock` alone. */
  readonly age?: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** How a log is made for a test. */
export type MakeLog = (
  limits: EventLogLimits & { readonly clock: ManualClock },
) => Promise<LogUnderTest>

const LEASE_MS = 15_000
const claim = { fingerprint: 'f', leaseMs: LEASE_MS }

const at = (id: string, seq: number, body: EventBody): StreamEvent => ({
  v: 1,
  requestId: id,
  seq,
  ...body,
})
const delta = (id: string, seq: number, text = `t${seq} `): StreamEvent =>
  at(id, seq, { type: 'text_delta', part: 'p', text })
const done = (id: string, seq: number): StreamEvent =>
  at(id, seq, { type: 'done', finishReason: 'stop' })

const covered = (events: readonly StreamEvent[]): number[] =>
  events.flatMap(({ seq, from = seq }) =>
    Array.from({ length: seq - from + 1 }, (_, place) => from + place),
  )
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place)

/** What every log must do, whatever it is kept in. */
export function eventLogContract(name: string, make: MakeLog): void {
  describe(`${name} keeps the contract`, () => {
    let clock: ManualClock
    let made: LogUnderTest[]
    let log: EventLog
    let id: string

    const open = async (limits: EventLogLimits = {}): Promise<EventLog> => {
      const under = await make({ ...limits, clock })
      made.push(under)
      return under.log
    }

    const pass = async (ms: number): Promise<void> => {
      await clock.advance(ms)
      for (const under of made) await under.age?.(ms)
    }

    const own = async (): Promise<number> => {
      const created = await log.create(id, claim)
      if (created.role !== 'owner') throw new Error(`Not the owner but ${created.role}.`)
      return created.epoch
    }

    beforeEach(async () => {
      clock = manualClock(1_000_000)
      made = []
      id = createId()
      log = await open()
    })
    afterEach(async () => {
      await Promise.all(made.map((under) => under.close()))
    })

    test('the first claim owns, the same again attaches, another conflicts', async () => {
      expect(await log.create(id, claim)).toMatchObject({ role: 'owner', cancelled: false })
      expect(await log.create(id, claim)).toEqual({ role: 'attached' })
      expect(await log.create(id, { ...claim, fingerprint: 'g' })).toEqual({ role: 'conflict' })
    })

    test('of many claims at once one owns', async () => {
      const roles = await Promise.all(range(1, 20).map(() => log.create(id, claim)))
      expect(roles.filter(({ role }) => role === 'owner')).toHaveLength(1)
      expect(roles.filter(({ role }) => role === 'attached')).toHaveLength(19)
    })

    test('gives back what was appended, from any cursor', async () => {
      const epoch = await own()
      const events = [...range(1, 9).map((seq) => delta(id, seq)), done(id, 10)]
      expect(await log.append(id, epoch, events.slice(0, 4))).toBe('ok')
      expect(await log.append(id, epoch, events.slice(4))).toBe('ok')
      for (const after of range(0, 10)) {
        const page = await log.read(id, after)
        expect(page).toEqual({
          state: 'completed',
          lastSeq: 10,
          firstSeq: 1,
          events: events.slice(after),
        })
      }
    })

    test('a run without events is running and empty', async () => {
      await own()
      const page = await log.read(id, 0)
      expect(page).toEqual({ state: 'running', events: [], lastSeq: 0, firstSeq: 1 })
    })

    test('reads in pages, of one event at least', async () => {
      const epoch = await own()
      await log.append(
        id,
        epoch,
        range(1, 50).map((seq) => delta(id, seq, 'x'.repeat(1000))),
      )
      const seen: number[] = []
      for (let cursor = 0; cursor < 50; cursor = seen.at(-1) ?? 0) {
        const page = await log.read(id, cursor, 10_000)
        expect(page?.events.length).toBeGreaterThan(0)
        expect(page?.events.length).toBeLessThan(50)
        seen.push(...covered(page?.events ?? []))
      }
      expect(seen).toEqual(range(1, 50))
      expect((await log.read(id, 0, 0))?.events).toHaveLength(1)
    })

    test('knows nothing of an id that was never claimed', async () => {
      expect(await log.read(id, 0)).toBeUndefined()
      expect(await log.append(id, 1, [delta(id, 1)])).toBe('gone')
      expect(await log.renew(id, 1, LEASE_MS)).toBe('gone')
      expect(await log.sweep(id)).toBeUndefined()
    })

    test('keeps order: a repetition changes nothing, a gap is refused', async () => {
      const epoch = await own()
      const events = range(1, 4).map((seq) => delta(id, seq))
      await log.append(id, epoch, events)
      expect(await log.append(id, epoch, events.slice(1, 3))).toBe('duplicate')
      expect(await log.append(id, epoch, [delta(id, 6)])).toBe('gap')
      expect(await log.append(id, epoch, [...events.slice(2), delta(id, 5)])).toBe('ok')
      expect(covered((await log.read(id, 0))?.events ?? [])).toEqual(range(1, 5))
    })

    test('of two terminal events the first wins, and nothing follows it', async () => {
      const epoch = await own()
      const cancelled = at(id, 2, { type: 'cancelled', by: 'user', outputTokens: 1 })
      await log.append(id, epoch, [delta(id, 1)])
      const answers = await Promise.all([
        log.append(id, epoch, [cancelled]),
        log.append(id, epoch, [done(id, 2)]),
      ])
      expect(answers).toEqual(['ok', 'closed'])
      expect(await log.append(id, epoch, [delta(id, 3)])).toBe('closed')
      expect((await log.read(id, 0))?.state).toBe('cancelled')
    })

    test.each([
      ['done', { type: 'done', finishReason: 'length' }, 'completed'],
      ['cancelled', { type: 'cancelled', by: 'server' }, 'cancelled'],
      ['error', { type: 'error', code: 'server', message: 'm', retryable: true }, 'failed'],
      ['interrupted', { type: 'interrupted', sentinel: false }, 'unknown'],
    ] as const)('%s leaves the run as it should', async (_, body, state) => {
      const epoch = await own()
      await log.append(id, epoch, [at(id, 1, body)])
      expect((await log.read(id, 0))?.state).toBe(state)
    })

    test('tells those who watch, and no longer those who left', async () => {
      const epoch = await own()
      const hints: string[] = []
      const leaving = new AbortController()
      await log.watch(id, (hint) => hints.push(hint), leaving.signal)
      await log.append(id, epoch, [delta(id, 1)])
      await expect.poll(() => hints).toContain('events')
      await log.requestCancel(id)
      await expect.poll(() => hints).toContain('cancel')
      leaving.abort()
      const before = hints.length
      await log.append(id, epoch, [delta(id, 2)])
      expect(hints).toHaveLength(before)
    })

    test('a cancel reaches the owner at its next renewal', async () => {
      const epoch = await own()
      expect(await log.renew(id, epoch, LEASE_MS)).toBe('ok')
      expect(await log.requestCancel(id)).toBe('running')
      expect(await log.renew(id, epoch, LEASE_MS)).toBe('cancel')
      await log.append(id, epoch, [done(id, 1)])
      expect(await log.requestCancel(id)).toBe('completed')
    })

    test('a cancel before the claim is kept for 60 s', async () => {
      const late = createId()
      expect(await log.requestCancel(id)).toBeUndefined()
      expect(await log.requestCancel(late)).toBeUndefined()
      expect(await log.read(id, 0)).toBeUndefined()
      await pass(59_000)
      expect(await log.create(id, claim)).toMatchObject({ role: 'owner', cancelled: true })
      await pass(2_000)
      expect(await log.create(late, claim)).toMatchObject({ role: 'owner', cancelled: false })
    })

    test('a silent owner’s run ends as interrupted, and the owner is fenced', async () => {
      const epoch = await own()
      await log.append(id, epoch, [delta(id, 1)])
      await pass(LEASE_MS - 1_000)
      expect(await log.sweep(id)).toBe('running')
      await log.renew(id, epoch, LEASE_MS)
      await pass(LEASE_MS - 1_000)
      expect(await log.sweep(id)).toBe('running')
      await pass(2_000)
      expect(await log.sweep(id)).toBe('unknown')
      const page = await log.read(id, 1)
      expect(page?.events).toMatchObject([{ seq: 2, type: 'interrupted', sentinel: false }])
      expect(await log.append(id, epoch, [delta(id, 2)])).toBe('fenced')
      expect(await log.renew(id, epoch, LEASE_MS)).toBe('fenced')
      expect(await log.sweep(id)).toBe('unknown')
    })

    test('events expire, how it ended is remembered, then nothing is', async () => {
      log = await open({ retentionMs: 60_000, memoryMs: 600_000 })
      const epoch = await own()
      await log.append(id, epoch, [delta(id, 1), delta(id, 2), done(id, 3)])
      await pass(59_000)
      expect((await log.read(id, 0))?.events).toHaveLength(3)
      await pass(2_000)
      expect(await log.read(id, 0)).toMatchObject({
        state: 'completed',
        firstSeq: 3,
        lastSeq: 3,
        events: [{ type: 'done' }],
      })
      expect(await log.create(id, claim)).toEqual({ role: 'attached' })
      await pass(600_000)
      expect(await log.read(id, 0)).toBeUndefined()
      expect(await log.create(id, claim)).toMatchObject({ role: 'owner' })
    })

    test('a running one never expires', async () => {
      log = await open({ retentionMs: 1_000, memoryMs: 1_000 })
      const epoch = await own()
      await log.append(id, epoch, [delta(id, 1)])
      await pass(60_000)
      expect((await log.read(id, 0))?.events).toHaveLength(1)
    })

    test('pieces of a long answer are merged by and by; the text and every seq stay', async () => {
      const epoch = await own()
      const texts: string[] = []
      for (let seq = 1; seq <= 2_000; seq += 1) {
        texts.push(`w${seq} `)
        await log.append(id, epoch, [delta(id, seq, `w${seq} `)])
      }
      await log.append(id, epoch, [done(id, 2_001)])
      await pass(61_000)
      const events = (await log.read(id, 0))?.events ?? []
      expect(events.length).toBeLessThan(1_000)
      expect(covered(events)).toEqual(range(1, 2_001))
      expect(events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')).toBe(
        texts.join(''),
      )
    })

    test('a run over its limit takes its end alone', async () => {
      log = await open({ maxRunBytes: 10_000 })
      const epoch = await own()
      expect(await log.append(id, epoch, [delta(id, 1, 'x'.repeat(6_000))])).toBe('ok')
      expect(await log.append(id, epoch, [delta(id, 2)])).toBe('full')
      expect(await log.append(id, epoch, [done(id, 2)])).toBe('ok')
    })

    test('over the number of runs the oldest ended one makes room, a running one does not', async () => {
      log = await open({ maxRuns: 2 })
      const [first, second, third] = [createId(), createId(), createId()]
      const created = await log.create(first, claim)
      await log.create(second, claim)
      expect(await log.create(third, claim)).toEqual({ role: 'full' })
      await log.append(first, created.role === 'owner' ? created.epoch : 0, [done(first, 1)])
      expect(await log.create(third, claim)).toMatchObject({ role: 'owner' })
      expect(await log.read(first, 0)).toBeUndefined()
      expect(await log.read(second, 0)).toMatchObject({ state: 'running' })
    })

    test('runs are apart', async () => {
      const other = createId()
      const epoch = await own()
      await log.create(other, claim)
      await log.append(id, epoch, [delta(id, 1)])
      expect((await log.read(other, 0))?.events).toEqual([])
      await log.requestCancel(other)
      expect(await log.renew(id, epoch, LEASE_MS)).toBe('ok')
    })
  })
}
