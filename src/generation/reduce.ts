import { answerTool } from '../protocol/answer.ts'
import { assertNever } from '../protocol/assert.ts'
import { streamError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { continueFold, count, emptyFold } from '../protocol/fold.ts'
import { sequenceFrom } from '../protocol/sequence.ts'
import type { Fact } from './facts.ts'
import { conclude, missed, receive, receiveAll } from './receive.ts'
import { IDLE, isEnded, NONE, type GenerationState } from './state.ts'

/**
 * What happened next, and when (ms). Gives back the same state where nothing has changed. `validates`: the application
 * will look at a whole answer before it counts.
 */
export function reduce(
  state: GenerationState,
  input: StreamEvent | Fact,
  now: number,
  validates = false,
): GenerationState {
  if ('seq' in input) return receive(state, input, now, validates)
  const next = learn(state, input, now, validates)
  return next === state || next.fresh !== state.fresh ? next : { ...next, fresh: NONE }
}

function learn(
  state: GenerationState,
  fact: Fact,
  now: number,
  validates: boolean,
): GenerationState {
  switch (fact.type) {
    case 'sent':
      return sent(fact, now)
    case 'opened':
      return state.link === 'connecting' || state.link === 'reconnecting'
        ? { ...state, link: 'open' }
        : state
    case 'stalled':
      return state.link === 'connecting' || state.link === 'open'
        ? { ...state, link: 'stalled' }
        : state
    case 'missed':
      return state.repair === 'wait' ? missed(state) : state
    case 'lost':
      return lost(state)
    case 'told':
      return isEnded(state) ? state : told(state, fact, now)
    case 'resynced':
      return resynced(state, fact.events, now, validates)
    case 'stopped':
      if (isEnded(state) || state.link === 'idle') return state
      return {
        ...conclude(state, now, { type: 'stopped' }),
        stop: 'requested',
        marks: { ...(state.marks ?? { sent: now }), stopped: now, ended: now },
      }
    case 'stop_answered':
      return stopAnswered(state, fact, now, validates)
    case 'concluded':
      return isEnded(state) ? state : conclude(state, now, fact.conclusion)
    case 'validated':
      return validated(state, fact.problem)
    case 'answered': {
      const { draft } = state.fold
      const parts = answerTool(draft.parts, fact.answer)
      return { ...state, fold: { ...state.fold, draft: { ...draft, parts } } }
    }
    default:
      return assertNever(fact)
  }
}

function sent(
  { requestId, messageId, onto }: Fact & { type: 'sent' },
  now: number,
): GenerationState {
  const origin =
    onto === undefined ? emptyFold(messageId, requestId) : continueFold(onto, requestId)
  return {
    ...IDLE,
    origin,
    fold: origin,
    sequence: sequenceFrom(requestId),
    link: 'connecting',
    marks: { sent: now },
  }
}

function lost(state: GenerationState): GenerationState {
  const { conclusion, fold, sequence, repair, marks } = state
  if (conclusion?.type === 'stopped' || fold.end !== undefined) return state
  return {
    ...state,
    // What the client itself had concluded reopens.
    conclusion: undefined,
    marks: marks && { ...marks, ended: undefined },
    link: 'reconnecting',
    fold: count(fold, 'reconnects'),
    sequence: { ...sequence, held: [] },
    repair: repair === 'resync' ? 'resync' : 'none',
  }
}

function told(
  state: GenerationState,
  { known }: Fact & { type: 'told' },
  now: number,
): GenerationState {
  switch (known.state) {
    case 'cancelled': {
      const { outputTokens, actions } = known
      const closed = conclude(state, now, { type: 'stopped' })
      return {
        ...closed,
        conclusion: undefined,
        fold: { ...state.fold, end: { type: 'cancelled', by: 'server', outputTokens, actions } },
      }
    }
    case 'unknown':
      return conclude(state, now, {
        type: 'unknown',
        error: streamError('network', 'The server does not know what became of this answer.'),
      })
    case 'completed':
      return cut('The answer was finished on the server, but the rest of it can no longer be had.')
    case 'running':
    case 'failed':
      return cut('The connection ended before the answer did.')
    default:
      return assertNever(known.state)
  }

  function cut(message: string): GenerationState {
    return conclude(state, now, { type: 'interrupted', error: streamError('network', message) })
  }
}

function resynced(
  state: GenerationState,
  events: readonly StreamEvent[],
  now: number,
  validates: boolean,
): GenerationState {
  const { origin, fold, sequence } = state
  const { applied } = origin.draft.counters
  const begun: GenerationState = {
    ...state,
    fold: {
      ...origin,
      draft: { ...origin.draft, counters: { ...fold.draft.counters, applied } },
    },
    sequence: sequenceFrom(sequence.requestId),
    repair: 'none',
    repaired: false,
  }
  const next = receiveAll(begun, events, now, validates)
  return { ...next, fresh: next.fresh.filter((event) => event.seq > sequence.last) }
}

function stopAnswered(
  state: GenerationState,
  { outcome, tail }: Fact & { type: 'stop_answered' },
  now: number,
  validates: boolean,
): GenerationState {
  if (state.stop !== 'requested') return state
  const marks = { ...(state.marks ?? { sent: now }), stopKnown: now }
  const confirmed: GenerationState = { ...state, stop: 'confirmed', marks }
  const unconfirmed: GenerationState = { ...state, stop: 'unconfirmed', marks }
  switch (outcome.state) {
    case 'unknown':
      return unconfirmed
    case 'cancelled': {
      const { outputTokens, actions } = outcome
      return {
        ...confirmed,
        fold: { ...state.fold, end: { type: 'cancelled', by: 'user', outputTokens, actions } },
      }
    }
    case 'completed': {
      // The answer was whole before the Stop arrived: it is shown whole, and its own end counts.
      if (tail === undefined) return unconfirmed
      const whole = receiveAll({ ...confirmed, conclusion: undefined }, tail, now, validates)
      if (whole.fold.end === undefined) return unconfirmed
      // Until it is validated it stays as it is shown, stopped.
      return whole.validation === 'pending' ? { ...whole, conclusion: state.conclusion } : whole
    }
    default:
      return assertNever(outcome.state)
  }
}

function validated(state: GenerationState, problem: string | undefined): GenerationState {
  if (state.validation !== 'pending') return state
  return {
    ...state,
    validation:
      problem === undefined
        ? 'passed'
        : {
            type: 'invalid',
            error: streamError('invalid-output', problem, { retryable: true }),
          },
    // A stopped answer that turned out to be whole has waited for this.
    conclusion: state.stop === 'confirmed' ? undefined : state.conclusion,
  }
}
