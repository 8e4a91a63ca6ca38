import { isTextDelta, mergeEvents } from '../protocol/coalesce.ts'
import { SluiceError, streamError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { ChatMessageInput } from '../protocol/message.ts'
import type { StreamRequest } from '../protocol/transport.ts'
import type { Fact } from './facts.ts'
import { reduce } from './reduce.ts'
import { IDLE, isEnded, type GenerationState } from './state.ts'
import type { StreamObserver } from './stream-types.ts'

/** A fact, and the seq of the event that it came after; 0: before any. */
export interface SavedFact {
  readonly after: number
  readonly fact: Fact
}

/** One stream as it is saved: what was said and what the client knows of it. The message is their fold (protocol §3). */
export interface SavedStream {
  /** In order, neighbouring pieces of text merged. */
  readonly events: readonly StreamEvent[]
  /** In order; the first one is `sent`. Facts of the connection alone are left out. */
  readonly facts: readonly SavedFact[]
}

/** An observer that records one stream: pass it to `observe`. */
export interface StreamRecorder extends Required<Pick<StreamObserver, 'event' | 'fact'>> {
  /** What there is to be saved by now; `undefined` before anything was sent. */
  saved(): SavedStream | undefined
}

/** What was asked, and what came of it: enough to go on with a stream in another page. */
export interface SavedRequest extends Pick<StreamRequest, 'continues' | 'body' | 'metadata'> {
  readonly stream: SavedStream
  /** The history that it answers. */
  readonly messages: readonly ChatMessageInput[]
}

/** Records the newest request of a stream, in the form in which it is saved. `from`: goes on with what was recorded before. */
export function createRecorder(from?: SavedStream): StreamRecorder {
  let events: StreamEvent[] = [...(from?.events ?? [])]
  let facts: SavedFact[] = [...(from?.facts ?? [])]
  // A fact stands between two events, which then stay apart.
  let isApart = true
  let isStopped = facts.some(({ fact }) => fact.type === 'stopped')

  const lastSeq = (): number => events.at(-1)?.seq ?? 0
  const add = (event: StreamEvent): void => {
    const before = events.at(-1)
    const merged = isApart || before === undefined ? undefined : mergeEvents(before, event)
    if (merged === undefined) events.push(event)
    else events[events.length - 1] = merged
    isApart = false
  }

  return {
    event(event) {
      // What comes after a Stop is the tail of its answer, and saved there.
      if (!isStopped && event.seq > lastSeq()) add(event)
    },
    fact(fact) {
      switch (fact.type) {
        case 'opened':
        case 'stalled':
        case 'missed':
          return
        case 'lost':
          // What the client had concluded reopens.
          facts = facts.filter(({ fact: { type } }) => type !== 'concluded')
          return
        case 'resynced':
          events = []
          for (const event of fact.events) add(event)
          return
        case 'sent':
          events = []
          facts = []
          isStopped = false
          break
        case 'stopped':
          isStopped = true
          break
        case 'told':
        case 'stop_answered':
        case 'concluded':
        case 'validated':
        case 'answered':
          break
      }
      facts.push({ after: lastSeq(), fact })
      isApart = true
    },
    saved() {
      if (facts.length === 0) return undefined
      return {
        events: withoutRetracted(events),
        facts: facts.map(({ after, fact }) => ({
          after,
          fact:
            fact.type === 'stop_answered' && fact.tail !== undefined
              ? { ...fact, tail: withoutRetracted(fact.tail) }
              : fact,
        })),
      }
    },
  }
}

/**
 * Makes the state of a saved stream anew, at `now` (ms). One that had not ended is interrupted, since nothing is behind it
 * any more; it can be resumed. `mustValidate`: one that was not validated counts as refused.
 */
export function replay(
  { events, facts }: SavedStream,
  now: number,
  mustValidate: boolean,
): { readonly state: GenerationState; readonly sent: Fact & { readonly type: 'sent' } } {
  const sent = facts[0]?.fact
  if (sent?.type !== 'sent') {
    throw new SluiceError(
      'invalid-options',
      'This is not a saved stream: its first fact is not `sent`. Pass what the recorder\u2019s saved() gave, unchanged.',
    )
  }
  const validates = mustValidate || facts.some(({ fact }) => fact.type === 'validated')
  let state = IDLE
  let at = 0
  const takeUpTo = (seq: number): void => {
    for (; at < events.length && (events[at] as StreamEvent).seq <= seq; at++) {
      state = reduce(state, events[at] as StreamEvent, now, validates)
    }
  }
  for (const { after, fact } of facts) {
    takeUpTo(after)
    state = reduce(state, fact, now, validates)
  }
  takeUpTo(Infinity)
  if (state.validation === 'pending') {
    const problem = 'The page was closed before the answer was checked.'
    state = reduce(state, { type: 'validated', problem }, now)
  }
  if (!isEnded(state)) {
    const error = streamError('network', 'The page was closed before the answer ended.')
    state = reduce(state, { type: 'concluded', conclusion: { type: 'interrupted', error } }, now)
  }
  return { state, sent }
}

/** A text that a review took back is not kept: its pieces become empty ones of the same seq (protocol §7). */
function withoutRetracted(events: readonly StreamEvent[]): StreamEvent[] {
  const retracted = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'review' && event.state === 'retracted') retracted.set(event.part, event.seq)
  }
  return events.map((event) =>
    isTextDelta(event) && event.seq < (retracted.get(event.part) ?? 0)
      ? { ...event, text: '' }
      : event,
  )
}
