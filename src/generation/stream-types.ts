import type { Clock } from '../protocol/clock.ts'
import type { StreamError } from '../protocol/errors.ts'
import type { DataEvent, FinishReason, StreamEvent } from '../protocol/events.ts'
import type { JsonObject } from '../protocol/json.ts'
import type {
  ChatMessage,
  ChatMessageInput,
  DynamicToolPart,
  NamedToolPart,
} from '../protocol/message.ts'
import type { StopOutcome, StreamRequest, Transport } from '../protocol/transport.ts'
import type { ConnectionLimits } from './connection.ts'
import type { Fact } from './facts.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { SavedRequest } from './record.ts'
import type { Scheduler } from './scheduler.ts'
import type { StreamSnapshot } from './snapshot.ts'

/** What a stream is asked: a text, a history, or a history with what the answer goes on from. */
export type StreamInput =
  | string
  | readonly ChatMessageInput[]
  | {
      readonly messages: readonly ChatMessageInput[]
      /** Id of the message to be made. */
      readonly messageId?: string | undefined
      /** The message that the new parts are appended to. */
      readonly onto?: ChatMessage | undefined
      /** Request id of the stream that this one goes on from. */
      readonly continues?: string | undefined
    }

/** Fields of one request. */
export interface StartOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: JsonObject | undefined
  readonly metadata?: unknown
}

/** How a stream ended, whichever way. */
export interface FinishInfo {
  readonly message: ChatMessage
  /** The history that was sent, and the answer. */
  readonly messages: readonly ChatMessage[]
  readonly finishReason: FinishReason | undefined
  /** The person stopped it, or the server says that it was cancelled. */
  readonly isAbort: boolean
  /** The connection was lost for good. */
  readonly isDisconnect: boolean
  /** The hook's status is `error`. */
  readonly isError: boolean
}

/**
 * What keeps a fast source from flooding a slow page (protocol §8), with its amount. `batch`: this many events were shown at
 * once. `pause`: reading waited for drawing, with this many UTF-16 units undrawn. `coalesce`: an event arrived that stands
 * for this many. `cancel`: a source that can't pause was ended; 1.
 */
export type PressureOutcome = 'batch' | 'pause' | 'coalesce' | 'cancel'

/** A look at the stream from beside: metrics, inspector, recorder, announcer. */
export interface StreamObserver {
  event?(event: StreamEvent, now: number): void
  fact?(fact: Fact, now: number): void
  /** A flush was shown. */
  frame?(snapshot: StreamSnapshot, now: number): void
  /** Bytes arrived, heartbeats included. */
  bytes?(count: number, now: number): void
  /** Something was done so that nothing overflows. */
  pressure?(what: PressureOutcome, amount: number, now: number): void
}

/** Options of {@link createModelStream}. */
export interface ModelStreamOptions {
  readonly transport: Transport
  /**
   * A stream to go on with, as it was saved, and the history that it answers. Read once, at creation. No callback is called
   * for what it holds; where it was cut, `resume()` asks for the rest.
   */
  readonly saved?: SavedRequest | undefined
  /**
   * Where the running stream is kept, so that a page that was reloaded goes on with it. Read at the first subscription or
   * start; a stream that was cut is then resumed by itself, a Stop that was not answered is asked again.
   */
  readonly storage?: StreamStorage | undefined
  /** Looks at a whole answer before it counts as complete: `true`, or what is wrong with it. */
  readonly validate?: ((message: ChatMessage) => Validity | Promise<Validity>) | undefined
  /** `validated`: nothing of the answer is shown before `validate` has passed. Default `live`. */
  readonly display?: 'live' | 'validated' | undefined
  /** Once per stream, after the last flush, however it ended. */
  readonly onFinish?: ((info: FinishInfo) => void) | undefined
  /** Only for an answer that is complete and validated. */
  readonly onComplete?: ((message: ChatMessage) => void) | undefined
  /** Exactly when the status becomes `error`. */
  readonly onError?: ((error: StreamError) => void) | undefined
  /** The application's own data, transient data included. */
  readonly onData?: ((event: DataEvent) => void) | undefined
  /** A call of a tool that runs in the client is whole. */
  readonly onToolCall?: ((call: NamedToolPart | DynamicToolPart) => void) | undefined
  readonly scheduler?: Scheduler | undefined
  readonly clock?: Clock | undefined
  readonly lifecycle?: Lifecycle | undefined
  readonly generateId?: (() => string) | undefined
  readonly limits?: ConnectionLimits | undefined
}

/** Keeps one stream. `tabStorage` is one. */
export interface StreamStorage {
  /** Called once by each stream that uses it, at its first subscription or start. */
  open(clock: Clock): StreamKeeper
}

/** What a {@link StreamStorage} is told. */
export interface StreamKeeper extends Required<Pick<StreamObserver, 'event' | 'fact'>> {
  /** What was kept; `undefined`: nothing. */
  readonly saved: SavedRequest | undefined
  /** A request is about to be sent; the facts and events that follow are its own. */
  asked(request: StreamRequest): void
}

/** The answer of `validate`: `true`, or the problem in words that may be shown. */
export type Validity = true | string

/** One answer at a time, as a store: `subscribe` and `getSnapshot` are React's external store. */
export interface ModelStream {
  getSnapshot(): StreamSnapshot
  getServerSnapshot(): StreamSnapshot
  subscribe(listener: () => void): () => void
  observe(observer: StreamObserver): () => void
  /** Sends a request. Resolves with the message when the stream is over; never rejects for a stream's failure. */
  start(input: StreamInput, options?: StartOptions): Promise<ChatMessage>
  /** Stops the answer, and the model. Resolves with what really happened once that is known. */
  stop(): Promise<StopOutcome>
  /** Goes on with a stream that was interrupted or lost, where it can be replayed. */
  resume(): Promise<ChatMessage | undefined>
  /** Asks again, once the stream is over. A request that never arrived keeps its id. */
  retry(): Promise<ChatMessage | undefined>
  dispose(): void
}
