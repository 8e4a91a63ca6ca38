import { textOf, type ChatMessage } from '../protocol/message.ts'
import { messageIn, type GenerationState } from './state.ts'
import { statusOf, type StatusWords } from './status.ts'

/** Durations of one stream in milliseconds, by the client's clock; absent while not known (quality.md, "What the figures mean"). */
export interface StreamTimings {
  /** From `start()` to the first answer text applied. The frame in which it is drawn comes later: see the metrics observer. */
  readonly ttftMs?: number | undefined
  /** From `start()` to the end. */
  readonly e2eMs?: number | undefined
  /** (last − first text) ÷ (output tokens − 1); absent where tokens are not known. */
  readonly tpotMs?: number | undefined
  /** From Stop to the server's answer. */
  readonly cancelMs?: number | undefined
}

/** All that is shown of a stream: immutable, one identity for each change. */
export interface StreamSnapshot extends StatusWords {
  readonly message: ChatMessage | undefined
  /** The answer's text so far. */
  readonly text: string
  readonly metrics: StreamTimings
}

/** Before anything was sent; also what a server renders. */
export const IDLE_SNAPSHOT: StreamSnapshot = {
  status: 'ready',
  connection: 'idle',
  stopState: 'none',
  error: undefined,
  message: undefined,
  text: '',
  metrics: {},
}

/**
 * Derives what is shown. `withheld`: nothing of the answer before it is whole and validated. `growing`: what is shown of a
 * message that still grows.
 */
export function snapshotOf(
  state: GenerationState,
  withheld: boolean,
  growing: (message: ChatMessage) => ChatMessage,
): StreamSnapshot {
  const message = messageIn(state)
  if (message === undefined) return IDLE_SNAPSHOT
  const { type } = message.status
  const isWithheld = withheld && type !== 'complete' && type !== 'requires-action'
  const shown = isWithheld ? { ...message, parts: [] } : growing(message)
  return {
    ...statusOf(state, message),
    message: shown,
    text: textOf(shown),
    metrics: timingsOf(state, message),
  }
}

function timingsOf({ marks }: GenerationState, message: ChatMessage): StreamTimings {
  if (marks === undefined) return {}
  const { sent, firstText, lastText, ended, stopped, stopKnown } = marks
  const tokens = message.usage?.outputTokens
  return {
    ttftMs: firstText === undefined ? undefined : firstText - sent,
    e2eMs: ended === undefined ? undefined : ended - sent,
    tpotMs:
      firstText === undefined || lastText === undefined || tokens === undefined || tokens < 2
        ? undefined
        : (lastText - firstText) / (tokens - 1),
    cancelMs: stopped === undefined || stopKnown === undefined ? undefined : stopKnown - stopped,
  }
}
