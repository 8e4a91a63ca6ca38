import type { StreamError } from '../protocol/errors.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { isEnded, messageIn, type GenerationState } from './state.ts'

/** The ecosystem's four words (protocol §3). */
export type StreamStatus = 'ready' | 'submitted' | 'streaming' | 'error'

/** How the connection stands. */
export type Connection = 'idle' | 'connecting' | 'open' | 'stalled' | 'reconnecting' | 'closed'

/** How far a Stop has come: `confirmed` once the server has said what became of the stream. */
export type StopState = 'none' | 'requested' | 'confirmed' | 'unconfirmed'

/** All words that are shown of a stream; each derives from the one state. */
export interface StatusWords {
  readonly status: StreamStatus
  readonly connection: Connection
  readonly stopState: StopState
  readonly error: StreamError | undefined
}

/** Derives the words. `message` is the state's own, given where it is at hand. */
export function statusOf(
  state: GenerationState,
  message: ChatMessage | undefined = messageIn(state),
): StatusWords {
  const error = message?.status.type === 'incomplete' ? message.status.error : undefined
  return {
    status: wordOf(state, error),
    connection: state.link,
    stopState: state.stop,
    error,
  }
}

function wordOf(state: GenerationState, error: StreamError | undefined): StreamStatus {
  if (state.link === 'idle') return 'ready'
  if (!isEnded(state)) return state.began ? 'streaming' : 'submitted'
  return error === undefined ? 'ready' : 'error'
}
