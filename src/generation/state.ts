import type { Conclusion } from '../protocol/end.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { emptyFold, type Fold } from '../protocol/fold.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { sequenceFrom, type Sequence } from '../protocol/sequence.ts'
import { messageOf } from '../protocol/settle.ts'

/** When things happened, by the client's clock, in milliseconds. */
export interface Marks {
  readonly sent: number
  readonly firstText?: number | undefined
  readonly lastText?: number | undefined
  readonly ended?: number | undefined
  readonly stopped?: number | undefined
  readonly stopKnown?: number | undefined
}

/** One answer to one request, as far as this client knows it. An immutable value; all that is shown derives from it. */
export interface GenerationState {
  /** What there was when the request was sent: a replay from the start begins here. */
  readonly origin: Fold
  readonly fold: Fold
  readonly sequence: Sequence
  readonly link: 'idle' | 'connecting' | 'open' | 'stalled' | 'reconnecting' | 'closed'
  /** An event other than `start` and `usage` has come. */
  readonly began: boolean
  readonly conclusion: Conclusion | undefined
  /** The server can replay the stream. */
  readonly replayable: boolean
  /** The heartbeat that the server promised, in milliseconds; 0: none. */
  readonly heartbeatMs: number
  readonly stop: 'none' | 'requested' | 'confirmed' | 'unconfirmed'
  /** What the application says of a whole answer; a refusal is kept with its problem. */
  readonly validation: 'none' | 'pending' | 'passed' | (Conclusion & { readonly type: 'invalid' })
  /** What the connection should do about a gap in the sequence. */
  readonly repair: 'none' | 'wait' | 'reconnect' | 'resync'
  /** A gap has already led to a new connection: the next one asks for everything. */
  readonly repaired: boolean
  readonly marks: Marks | undefined
  /** The events that the step which made this state applied for the first time, in order. */
  readonly fresh: readonly StreamEvent[]
}

/** No events. One array, so that states without any share it. */
export const NONE: readonly StreamEvent[] = []

/** Before anything was sent. */
export const IDLE: GenerationState = {
  origin: emptyFold(''),
  fold: emptyFold(''),
  sequence: sequenceFrom(''),
  link: 'idle',
  began: false,
  conclusion: undefined,
  replayable: false,
  heartbeatMs: 0,
  stop: 'none',
  validation: 'none',
  repair: 'none',
  repaired: false,
  marks: undefined,
  fresh: NONE,
}

/** Whether the stream is over, as far as is known now. */
export function isEnded(state: GenerationState): boolean {
  if (state.conclusion !== undefined) return true
  return state.fold.end !== undefined && state.validation !== 'pending'
}

/** The message that the state amounts to. */
export function messageIn(state: GenerationState): ChatMessage | undefined {
  const { sequence, fold, conclusion, validation } = state
  if (sequence.requestId === '') return undefined
  if (conclusion !== undefined) return messageOf(fold, conclusion)
  if (validation === 'pending') return fold.draft
  return messageOf(fold, typeof validation === 'object' ? validation : undefined)
}
