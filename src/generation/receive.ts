import { assertNever } from '../protocol/assert.ts'
import { type Conclusion, statusOfEnd } from '../protocol/end.ts'
import { streamError } from '../protocol/errors.ts'
import { isTerminal, PROTOCOL_VERSION, type StreamEvent } from '../protocol/events.ts'
import { count, fold } from '../protocol/fold.ts'
import { arrive } from '../protocol/sequence.ts'
import { NONE, type GenerationState } from './state.ts'

/** Takes in one event of the stream. `validates`: the application will look at a whole answer before it counts. */
export function receive(
  before: GenerationState,
  event: StreamEvent,
  now: number,
  validates: boolean,
): GenerationState {
  const state: GenerationState = { ...before, fresh: NONE }
  // After Stop no later text is shown; what the server says of the end comes as `stop_answered`.
  if (state.conclusion !== undefined) return counted(state, 'late', 1)
  const [sequence, arrival] = arrive(state.sequence, event)
  switch (arrival.type) {
    case 'apply': {
      const next = apply({ ...state, sequence }, arrival.events, now, validates)
      return counted(next, 'duplicates', arrival.duplicates)
    }
    case 'drop':
      return counted(state, arrival.as, 1)
    case 'hold': {
      const { repair } = state
      const held = { ...state, sequence, repair: repair === 'none' ? ('wait' as const) : repair }
      return counted(held, 'gaps', arrival.opened ? 1 : 0)
    }
    case 'overflow':
      return missed({ ...state, sequence })
    case 'resync':
      return { ...state, repair: 'resync' }
    case 'unsupported':
      return conclude(state, now, {
        type: 'failed',
        error: streamError(
          'unsupported-version',
          `The server speaks version ${event.v} of the stream protocol; this page understands version ${PROTOCOL_VERSION}. Reload the page, or update sluice.`,
        ),
      })
    default:
      return assertNever(arrival)
  }
}

/** Takes in many events at once: one new state for all of them. */
export function receiveAll(
  before: GenerationState,
  events: readonly StreamEvent[],
  now: number,
  validates: boolean,
): GenerationState {
  let state: GenerationState = { ...before, fresh: NONE }
  const fresh: StreamEvent[] = []
  for (const event of events) {
    state = receive(state, event, now, validates)
    for (const applied of state.fresh) fresh.push(applied)
  }
  return { ...state, fresh }
}

/** A gap is not filled: the first time what follows is asked for again, the second time everything. */
export function missed(state: GenerationState): GenerationState {
  return { ...state, repair: state.repaired ? 'resync' : 'reconnect', repaired: true }
}

/** Ends the stream by what the client itself knows of it. */
export function conclude(
  state: GenerationState,
  now: number,
  conclusion: Conclusion,
): GenerationState {
  return {
    ...state,
    conclusion,
    link: 'closed',
    repair: 'none',
    marks: { ...(state.marks ?? { sent: now }), ended: now },
  }
}

function apply(
  state: GenerationState,
  events: readonly StreamEvent[],
  now: number,
  validates: boolean,
): GenerationState {
  let { fold: folded, began, replayable, heartbeatMs } = state
  let marks = state.marks ?? { sent: now }
  for (const event of events) {
    folded = fold(folded, event)
    if (event.type === 'start') {
      replayable = event.replayable
      heartbeatMs = event.heartbeatMs > 0 ? event.heartbeatMs : 0
    } else if (event.type !== 'usage') began = true
    if (event.type === 'text_delta' && event.text !== '') {
      marks = { ...marks, firstText: marks.firstText ?? now, lastText: now }
    }
    if (isTerminal(event)) marks = { ...marks, ended: now }
  }
  const isOver = folded.end !== undefined
  const complete = folded.end !== undefined && statusOfEnd(folded.end, false).type === 'complete'
  return {
    ...state,
    fold: folded,
    began,
    replayable,
    heartbeatMs,
    marks,
    fresh: events,
    link: isOver ? 'closed' : 'open',
    repair: state.sequence.held.length > 0 && !isOver ? state.repair : 'none',
    validation: complete && validates ? 'pending' : state.validation,
  }
}

function counted(
  state: GenerationState,
  counter: 'late' | 'duplicates' | 'foreign' | 'gaps',
  times: number,
): GenerationState {
  let next = state.fold
  for (let i = 0; i < times; i++) next = count(next, counter)
  return next === state.fold ? state : { ...state, fold: next }
}
