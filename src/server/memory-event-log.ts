import { systemClock, type Clock } from '../protocol/clock.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { EventLog } from './event-log.ts'
import { bytesOf, compact, createPage } from './log-page.ts'
import {
  abandoned,
  admit,
  headAfter,
  newHead,
  TIDY_MS,
  TOMBSTONE_MS,
  type RunHead,
} from './run-head.ts'
import { createWatchers } from './watchers.ts'

/** How much a log keeps, and for how long. Times in milliseconds. */
export interface EventLogLimits {
  /** How long the events of an ended run can be read. Default: 10 minutes. */
  readonly retentionMs?: number | undefined
  /** How long it is remembered, after its events are gone, how a run ended. Default: 1 hour. */
  readonly memoryMs?: number | undefined
  /**
   * Most runs kept. Beyond it the oldest ended one is forgotten, and a new one refused if all are running. Default:
   * 10,000.
   */
  readonly maxRuns?: number | undefined
  /** Most bytes of one run, roughly; beyond it only its end is taken. Default: 4 MiB. */
  readonly maxRunBytes?: number | undefined
  readonly clock?: Clock | undefined
}

interface Run {
  head: RunHead
  events: StreamEvent[]
  /** Of `events`, how many from the start have been merged already. */
  settled: number
}

/** Merge the older events when so many are there … */
const MERGE_AT = 512
/** … but leave the newest alone, for a cursor inside a merged event has to begin again. */
const MERGE_KEEP = 128

/**
 * Keeps runs in this process's memory: for one process, and until it ends. Bounded in runs, in bytes and in time; the
 * older pieces of a long answer are merged.
 */
export function memoryEventLog(limits: EventLogLimits = {}): EventLog {
  const {
    retentionMs = 10 * 60_000,
    memoryMs = 60 * 60_000,
    maxRuns = 10_000,
    maxRunBytes = 4 * 1024 * 1024,
    clock = systemClock,
  } = limits
  const runs = new Map<string, Run>()
  const tombstones = new Map<string, number>()
  const watchers = createWatchers()
  let tidied = clock.now()

  const find = (id: string): Run | undefined => {
    const run = runs.get(id)
    if (run === undefined || run.head.state === 'running') return run
    const age = clock.now() - run.head.touched
    if (age > retentionMs + memoryMs) {
      runs.delete(id)
      return undefined
    }
    // How it ended outlives what was said.
    if (age > retentionMs) run.events = run.events.slice(-1)
    return run
  }

  const tidy = (): void => {
    tidied = clock.now()
    for (const id of runs.keys()) find(id)
    for (const [id, until] of tombstones) if (until < tidied) tombstones.delete(id)
  }

  const makeRoom = (): boolean => {
    if (clock.now() - tidied > TIDY_MS || runs.size >= maxRuns) tidy()
    if (runs.size < maxRuns) return true
    for (const [id, { head }] of runs) {
      if (head.state === 'running') continue
      runs.delete(id)
      return true
    }
    return false
  }

  const write = (id: string, run: Run, events: readonly StreamEvent[]): void => {
    run.head = headAfter(run.head, events, clock.now())
    run.events.push(...events)
    if (run.events.length - run.settled > MERGE_AT) merge(run)
    watchers.tell(id, 'events')
  }

  return {
    async create(id, { fingerprint, leaseMs }) {
      const known = find(id)
      if (known !== undefined) {
        return { role: known.head.fingerprint === fingerprint ? 'attached' : 'conflict' }
      }
      if (!makeRoom()) return { role: 'full' }
      const now = clock.now()
      const cancelled = (tombstones.get(id) ?? -Infinity) >= now
      tombstones.delete(id)
      const head = newHead(fingerprint, now + leaseMs, cancelled, now)
      runs.set(id, { head, events: [], settled: 0 })
      return { role: 'owner', epoch: head.epoch, cancelled }
    },

    async append(id, epoch, events) {
      const run = find(id)
      if (run === undefined) return 'gone'
      const { answer, fresh } = admit(run.head, epoch, events, maxRunBytes)
      if (fresh.length > 0) write(id, run, fresh)
      return answer
    },

    async read(id, after, limit = Infinity) {
      const run = find(id)
      if (run === undefined) return undefined
      const page = createPage(limit)
      for (let place = firstAfter(run.events, after); place < run.events.length; place += 1) {
        if (!page.add(run.events[place] as StreamEvent)) break
      }
      const { state, lastSeq } = run.head
      const oldest = run.events[0]
      const firstSeq = oldest === undefined ? lastSeq + 1 : (oldest.from ?? oldest.seq)
      return { state, events: page.events, lastSeq, firstSeq }
    },

    async watch(id, hint, signal) {
      watchers.add(id, hint, signal)
    },

    async renew(id, epoch, leaseMs) {
      const run = find(id)
      if (run === undefined) return 'gone'
      if (run.head.epoch !== epoch) return 'fenced'
      run.head = { ...run.head, leaseUntil: clock.now() + leaseMs }
      return run.head.cancelled ? 'cancel' : 'ok'
    },

    async requestCancel(id) {
      const run = find(id)
      if (run === undefined) {
        if (clock.now() - tidied > TIDY_MS) tidy()
        if (tombstones.size < maxRuns) tombstones.set(id, clock.now() + TOMBSTONE_MS)
        return undefined
      }
      const { state, cancelled } = run.head
      if (state === 'running' && !cancelled) {
        run.head = { ...run.head, cancelled: true }
        watchers.tell(id, 'cancel')
      }
      return state
    },

    async sweep(id) {
      const run = find(id)
      if (run === undefined) return undefined
      const { state, leaseUntil, epoch, lastSeq } = run.head
      if (state !== 'running' || leaseUntil >= clock.now()) return state
      run.head = { ...run.head, epoch: epoch + 1 }
      write(id, run, [abandoned(id, lastSeq + 1, clock.now())])
      return run.head.state
    },
  }
}

/** Index of the first event that says something after `seq`. */
function firstAfter(events: readonly StreamEvent[], seq: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle] as StreamEvent).seq > seq) high = middle
    else low = middle + 1
  }
  return low
}

/** Merges what is old and not merged yet. */
function merge(run: Run): void {
  const end = run.events.length - MERGE_KEEP
  const merged = [
    ...run.events.slice(0, run.settled),
    ...compact(run.events.slice(run.settled, end)),
  ]
  run.settled = merged.length
  run.events = [...merged, ...run.events.slice(end)]
  run.head = { ...run.head, bytes: run.events.reduce((sum, event) => sum + bytesOf(event), 0) }
}
