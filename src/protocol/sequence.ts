import { PROTOCOL_VERSION, type StreamEvent } from './events.ts'

/** Most events held while one before them is missing. */
const MAX_HELD = 64
/** Most UTF-16 units of JSON held while an event before them is missing: 256 KiB of UTF-8 or less for most text. */
const MAX_HELD_UNITS = 256 * 1024

/** What has arrived of one stream, in order. An immutable value. */
export interface Sequence {
  readonly requestId: string
  /** The last seq applied; 0 before the first. */
  readonly last: number
  /** Events that wait for a missing one, in the order of their beginnings. */
  readonly held: readonly StreamEvent[]
}

/** What to do with an event. */
export type Arrival =
  /** Apply these, in this order. `duplicates`: events held that they cover. */
  | {
      readonly type: 'apply'
      readonly events: readonly StreamEvent[]
      readonly duplicates: number
    }
  /** Held back: one before it is missing. `opened`: the gap is new. */
  | { readonly type: 'hold'; readonly opened: boolean }
  /** Seen before, or of another request: drop it and count it. */
  | { readonly type: 'drop'; readonly as: 'duplicates' | 'foreign' }
  /** Too much is held: connect again and ask for what follows `last`. */
  | { readonly type: 'overflow' }
  /** A merged event reaches across what was applied: ask for a replay from the start. */
  | { readonly type: 'resync' }
  /** The event is of a newer protocol: the stream ends as an error. */
  | { readonly type: 'unsupported' }

/** Begins after `last`, 0 for a whole stream. */
export function sequenceFrom(requestId: string, last = 0): Sequence {
  return { requestId, last, held: [] }
}

/** Takes one event in (protocol §4). */
export function arrive(sequence: Sequence, event: StreamEvent): readonly [Sequence, Arrival] {
  const { requestId, last, held } = sequence
  if (event.requestId !== requestId) return [sequence, { type: 'drop', as: 'foreign' }]
  if (event.v > PROTOCOL_VERSION) return [sequence, { type: 'unsupported' }]
  const from = fromOf(event)
  if (event.seq <= last) return [sequence, { type: 'drop', as: 'duplicates' }]
  if (from <= last) return [sequence, { type: 'resync' }]
  if (from === last + 1) return release(sequence, event)
  if (held.some((other) => other.seq === event.seq && fromOf(other) === from)) {
    return [sequence, { type: 'drop', as: 'duplicates' }]
  }
  // Of two that begin together the longer one goes first: the shorter one then is a duplicate.
  const more = [...held, event].toSorted((a, b) => fromOf(a) - fromOf(b) || b.seq - a.seq)
  if (more.length > MAX_HELD || unitsOf(more) > MAX_HELD_UNITS) {
    return [{ ...sequence, held: [] }, { type: 'overflow' }]
  }
  return [
    { ...sequence, held: more },
    { type: 'hold', opened: held.length === 0 },
  ]
}

function release(sequence: Sequence, event: StreamEvent): readonly [Sequence, Arrival] {
  const { held } = sequence
  if (held.length === 0) {
    return [
      { ...sequence, last: event.seq },
      { type: 'apply', events: [event], duplicates: 0 },
    ]
  }
  const events = [event]
  const rest: StreamEvent[] = []
  let last = event.seq
  for (const next of held) {
    const from = fromOf(next)
    if (from === last + 1) {
      events.push(next)
      last = next.seq
    } else if (from > last) {
      rest.push(next)
    } else if (next.seq > last) {
      return [sequence, { type: 'resync' }]
    }
  }
  return [
    { ...sequence, last, held: rest },
    { type: 'apply', events, duplicates: held.length + 1 - events.length - rest.length },
  ]
}

function fromOf({ from, seq }: StreamEvent): number {
  return from !== undefined && from < seq ? from : seq
}

function unitsOf(events: readonly StreamEvent[]): number {
  let units = 0
  for (const event of events) units += JSON.stringify(event).length
  return units
}
