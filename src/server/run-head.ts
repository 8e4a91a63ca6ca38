import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import type { Appended, RunState } from './event-log.ts'
import { bytesOf } from './log-page.ts'

/** What a log in one process keeps of a run, apart from its events. */
export interface RunHead {
  readonly fingerprint: string
  readonly epoch: number
  readonly state: RunState
  /** Of the events, roughly. */
  readonly bytes: number
  readonly lastSeq: number
  readonly leaseUntil: number
  readonly cancelled: boolean
  /** When it was last written to. */
  readonly touched: number
}

/** How long the wish to stop an unknown run is kept, in milliseconds. */
export const TOMBSTONE_MS = 60_000
/** How often what is too old is looked for, at most, in milliseconds. */
export const TIDY_MS = 10_000

/** A run of which nothing is there yet. */
export function newHead(
  fingerprint: string,
  leaseUntil: number,
  cancelled: boolean,
  now: number,
): RunHead {
  return {
    fingerprint,
    epoch: 1,
    state: 'running',
    bytes: 0,
    lastSeq: 0,
    leaseUntil,
    cancelled,
    touched: now,
  }
}

/** Whether events may be appended, and which of them are new. */
export function admit(
  head: RunHead,
  epoch: number,
  events: readonly StreamEvent[],
  maxBytes: number,
): { readonly answer: Appended; readonly fresh: readonly StreamEvent[] } {
  const refuse = (answer: Appended): ReturnType<typeof admit> => ({ answer, fresh: [] })
  if (head.epoch !== epoch) return refuse('fenced')
  if (head.state !== 'running') return refuse('closed')
  const fresh = events.filter((event) => event.seq > head.lastSeq)
  const first = fresh[0]
  if (first === undefined) return refuse('duplicate')
  if ((first.from ?? first.seq) !== head.lastSeq + 1) return refuse('gap')
  if (head.bytes > maxBytes && !fresh.every(isTerminal)) return refuse('full')
  return { answer: 'ok', fresh }
}

/** The head once events are there. */
export function headAfter(head: RunHead, events: readonly StreamEvent[], now: number): RunHead {
  let { bytes, lastSeq, state } = head
  for (const event of events) {
    bytes += bytesOf(event)
    lastSeq = event.seq
    state = stateAfter(event)
  }
  return { ...head, bytes, lastSeq, state, touched: now }
}

/** How a run stands once an event is in its log. `completed` only by `done`. */
export function stateAfter(event: StreamEvent): RunState {
  if (!isTerminal(event)) return 'running'
  switch (event.type) {
    case 'done':
      return 'completed'
    case 'cancelled':
      return 'cancelled'
    case 'error':
      return 'failed'
    case 'interrupted':
      return 'unknown'
  }
}

/** The end of a run whose owner has gone silent: nobody can tell how far the model went. */
export function abandoned(requestId: string, seq: number, now: number): StreamEvent {
  return { v: 1, requestId, seq, at: Math.round(now), type: 'interrupted', sentinel: false }
}
