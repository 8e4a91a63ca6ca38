import type { StreamEvent, EventBody, ToolAction, FinishReason } from './events.ts'
import type { StreamFormat } from './format.ts'
import type { JsonObject } from './json.ts'
import type { ChatMessage } from './message.ts'

/** What a transport is given beside the request. */
export interface Io {
  /** Aborts the connection. Whether that also stops the generation is the transport's to say. */
  readonly signal: AbortSignal
  /** To be called for any bytes that arrive, heartbeats included: what the watchdog measures. */
  onActivity(bytes: number): void
}

/** One request for one answer. */
export interface StreamRequest {
  /** `[A-Za-z0-9_-]{22,64}`, made by the client. */
  readonly requestId: string
  /** Id that the answer's message will have. */
  readonly messageId: string
  readonly messages: readonly ChatMessage[]
  /** Request id of the stream that this one goes on from. */
  readonly continues?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Further fields of the body. */
  readonly body?: JsonObject | undefined
  readonly metadata?: unknown
}

/** What a server says of a stream (protocol §3). */
export interface StreamState {
  readonly state: 'running' | 'completed' | 'cancelled' | 'failed' | 'unknown'
  readonly lastSeq: number
  readonly replayable: boolean
  readonly finishReason?: FinishReason | undefined
  readonly outputTokens?: number | undefined
  readonly actions: readonly ToolAction[]
}

/** What really became of a stream that was stopped. */
export interface StopOutcome {
  readonly state: 'cancelled' | 'completed' | 'unknown'
  /** Tokens that the model had generated, where known. */
  readonly outputTokens?: number | undefined
  readonly actions: readonly ToolAction[]
}

/** A person's decision, the result of a tool that ran in the client, or the wish to undo what succeeded. */
export type ToolAnswer =
  | {
      readonly toolCallId: string
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string | undefined
      /** Other arguments, where the person has edited them. */
      readonly input?: unknown
    }
  | { readonly toolCallId: string; readonly state: 'succeeded'; readonly output: unknown }
  | { readonly toolCallId: string; readonly state: 'failed'; readonly error: string }
  | { readonly toolCallId: string; readonly compensate: true }

/**
 * The way to a server. An iteration yields events in any order and ends by return or by throw. If it ends without a
 * terminal event the connection was lost: a transport of our own protocol never makes up an `interrupted` for a
 * connection that broke (the server's own `interrupted` is passed on). A transport that can't resume, one to a vendor,
 * always yields a terminal event.
 */
export interface Transport {
  /**
   * Sends the request, once. A refusal by HTTP status is an `error` event (seq 1). Throws where no answer came at all:
   * the request may or may not have arrived.
   */
  start(request: StreamRequest, io: Io): AsyncIterable<StreamEvent>
  /**
   * Replays what came after `after`, then goes on live. Absent: streams can't be resumed. Throws `SluiceError`
   * `unknown-stream` (404), `replay-expired` (410), `auth`, … for a refusal: these are decisions; any other throw is a
   * lost connection. Returns without an event where the reader has everything already (204).
   */
  resume?(requestId: string, after: number, io: Io): AsyncIterable<StreamEvent>
  /** What the server knows of a stream. Throws `SluiceError` `unknown-stream` where it knows nothing. */
  state?(requestId: string, io: Io): Promise<StreamState>
  /**
   * Cancels, and answers what really happened once that is known. Throws where no answer came; a server that is still
   * stopping (202) has not answered yet: `SluiceError` `timeout`, after which it is asked again.
   */
  cancel?(requestId: string, io: Io): Promise<StopOutcome>
  /** Posts a decision or a tool's result; idempotent. */
  act?(requestId: string, answer: ToolAnswer, io: Io): Promise<void>
}

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema (draft 2020-12) of the arguments, where the tool's schema library offers it. */
  readonly inputSchema?: JsonObject | undefined
}

/** What a model is asked. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  /** Id of the message to be made. */
  readonly messageId: string
  readonly continues?: string | undefined
  /** What the model may ask for; absent where the server has no tools. */
  readonly tools?: readonly ToolDescription[] | undefined
  /** Further fields of the client's body, unread. */
  readonly body: JsonObject
}

/**
 * A model: a function that answers with events, or with a vendor's HTTP response, which is read in `format`
 * (default: recognised from its first record). Events may come without an envelope; the process that owns the
 * generation assigns `seq`.
 */
export interface Model {
  (
    request: ModelRequest,
    io: { readonly signal: AbortSignal; readonly requestId: string },
  ): AsyncIterable<EventBody> | Promise<Response>
  readonly format?: StreamFormat | undefined
}
