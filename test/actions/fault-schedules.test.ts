import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample } from '../support/sample.ts'
import type { Clock } from 'sluice/core'
import { memoryActionLog, type Action, type ActionLog, type ToolStatus } from 'sluice/server'
import { runOnce } from '../../src/actions/run-once.ts'

const action: Action = {
  key: 'r:c',
  requestId: 'r',
  toolCallId: 'c',
  kind: 'run',
  name: 'pay',
  runs: 'server',
  args: {},
  hash: 'h',
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A clock without real time: thousands of schedules have to run. */
function quickClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return timer
    },
    clearTimeout: (handle) => void timers.delete(handle as never),
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await turn()
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        now = next.at
        next.run()
      }
      now = end
    },
  }
}

interface Gate {
  readonly process: number
  readonly pass: (how: 'on' | 'throw') => void
}

/** One action, several processes that want it, and whatever can go wrong between them. */
function createWorld(canAsk: boolean) {
  const clock = quickClock()
  const log = memoryActionLog({ clock, retentionMs: Infinity })
  const gates: Gate[] = []
  const dead = new Set<number>()
  const stops: AbortController[] = []
  const told: { readonly process: number; readonly state: string; readonly effects: number }[] = []
  const effectsOf = new Map<string, number>()
  const effects = (): number => [...effectsOf.values()].reduce((sum, each) => sum + each, 0)
  let attempts = 0
  let fencedUpTo = 0

  /** Waits until the schedule lets this process go on; a dead one never does. */
  const gate = (process: number, maySend = false): Promise<void> =>
    new Promise((resolve, reject) => {
      gates.push({
        process,
        pass: (how) => (how === 'throw' && maySend ? reject(new Error('lost')) : resolve()),
      })
    })

  const faulty = (process: number): ActionLog => ({
    async read(id) {
      await gate(process, true)
      return log.read(id)
    },
    async write(record) {
      await gate(process, true)
      const written = await log.write(record)
      // The answer may be lost although the write is done.
      await gate(process, true)
      return written
    },
  })

  const run = async (
    process: number,
    signal: AbortSignal,
    plan: number,
    hash: string,
  ): Promise<string> => {
    attempts += 1
    const attempt = attempts
    const act = (): void => {
      if (attempt <= fencedUpTo) throw new Error('this key was given up')
      effectsOf.set(hash, (effectsOf.get(hash) ?? 0) + 1)
    }
    const early = plan % 2 === 0
    if (early) act()
    if (!early && plan % 3 === 0) throw new Error('refused before anything was done')
    const listens = plan % 5 !== 0
    await Promise.race([
      gate(process),
      new Promise((_, reject) => {
        if (listens) signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    ])
    if (!early) act()
    return 'done'
  }

  const queryStatus = async (process: number, plan: number): Promise<ToolStatus> => {
    await gate(process)
    if (plan % 7 === 0) return { state: 'unknown' }
    if (effects() > 0) return { state: 'succeeded', output: 'done' }
    // It says that nothing happened only by seeing to it that nothing will.
    fencedUpTo = attempts
    return { state: 'not-run' }
  }

  return {
    clock,
    effects,
    attempts: () => attempts,
    told,
    start(plan: number) {
      const process = stops.length
      const stop = new AbortController()
      stops.push(stop)
      const own = plan % 11 === 0 ? { ...action, hash: 'other' } : action
      const deed = {
        timeoutMs: 1_000,
        run: (signal: AbortSignal) => run(process, signal, plan, own.hash),
        ...(canAsk && { queryStatus: () => queryStatus(process, plan) }),
      }
      const options = { log: faulty(process), clock, signal: stop.signal, onError: () => {} }
      void runOnce(own, deed, options).then((end) =>
        told.push({ process, state: end.state, effects: effectsOf.get(own.hash) ?? 0 }),
      )
    },
    release(n: number, how: 'on' | 'throw') {
      const open = gates.filter(({ process }) => !dead.has(process))
      const next = open[n % Math.max(1, open.length)]
      if (next === undefined) return
      gates.splice(gates.indexOf(next), 1)
      next.pass(how)
    },
    kill: (n: number) => void dead.add(n % Math.max(1, stops.length)),
    stop: (n: number) => stops[n % Math.max(1, stops.length)]?.abort(),
    isQuiet: () => gates.every(({ process }) => dead.has(process)),
    isOver: () =>
      stops.every(
        (_, process) => dead.has(process) || told.some((each) => each.process === process),
      ),
    end: () => log.read('r'),
  }
}

const schedule = fc.array(
  fc.record({
    kind: fc.constantFrom('go', 'go', 'go', 'go', 'lose', 'wait', 'wait', 'start', 'kill', 'stop'),
    n: fc.nat(1_000),
  }),
  { minLength: 10, maxLength: 60 },
)
/** A plan of a process that wants another action under the same key. */
const OTHER = 143
/** The first writing is told so late that another has taken the action over: whoever is late must not run it. */
const slowClaim: { kind: 'go' | 'lose' | 'wait' | 'start' | 'kill' | 'stop'; n: number }[] = [
  { kind: 'wait', n: 687 },
  { kind: 'go', n: 0 },
  { kind: 'start', n: 0 },
  { kind: 'start', n: 57 },
  ...[0, 682, 119, 191, 0, 51].map((n) => ({ kind: 'go' as const, n })),
  { kind: 'lose', n: 561 },
  ...[0, 0, 0, 0].map((n) => ({ kind: 'go' as const, n })),
]
const RUNS = process.env['SLUICE_FULL'] === '1' ? 10_000 : 200
const waits = [5, 120, 1_100, 25_000]

test.each([
  ['a tool that can be asked', true],
  ['a tool that can’t', false],
])(
  'of %s, no schedule of crashes, losses, duplicates and delays makes one action happen twice',
  async (_, canAsk) => {
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        const world = createWorld(canAsk)
        world.start(steps.length + 1)
        let started = 1
        for (const { kind, n } of steps) {
          if (kind === 'go') world.release(n, 'on')
          else if (kind === 'lose') world.release(n, 'throw')
          else if (kind === 'wait') await world.clock.advance(waits[n % waits.length] ?? 0)
          else if (kind === 'kill') world.kill(n)
          else if (kind === 'stop') world.stop(n)
          else if (started < 6) {
            started += 1
            world.start(n)
          }
          await turn()
          expect(world.effects()).toBeLessThanOrEqual(1)
        }
        // Everybody who still lives comes to an end, and whoever asks at last as well.
        world.start(1)
        world.start(OTHER)
        for (let round = 0; !world.isOver(); round += 1) {
          expect(round).toBeLessThan(1_000)
          world.release(round, 'on')
          await turn()
          if (world.isQuiet()) await world.clock.advance(5_000)
          expect(world.effects()).toBeLessThanOrEqual(1)
        }
        if (!canAsk) expect(world.attempts()).toBeLessThanOrEqual(1)
        for (const { state, effects } of world.told) {
          if (state === 'succeeded') expect(effects).toBe(1)
          if (state === 'withdrawn' || state === 'failed')
            expect([state, effects]).toEqual([state, 0])
        }
        const [record] = await world.end()
        expect(['succeeded', 'failed', 'unknown', 'withdrawn']).toContain(record?.state)
        if (world.effects() === 1) expect(['succeeded', 'unknown']).toContain(record?.state)
        else expect(record?.state).not.toBe('succeeded')
      }),
      { ...sample, numRuns: RUNS, examples: [[slowClaim]] },
    )
  },
  600_000,
)
