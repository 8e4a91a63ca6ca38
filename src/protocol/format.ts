import type { EventBody, StreamEvent } from './events.ts'
import type { JsonObject } from './json.ts'
import type { ChatMessage } from './message.ts'

/** One record as the framing gives it: an SSE event, a line of JSON, a WebSocket message. */
export interface WireRecord {
  readonly data: string
  /** SSE's `event:` field, where there was one. */
  readonly event?: string | undefined
  /** SSE's last event id, where there was one. */
  readonly id?: string | undefined
}

/** What the reader of a vendor's stream must make up, since the wire does not carry it. */
export interface ReaderContext {
  /** Id that the answer's message will have. */
  readonly messageId: string
  /** Makes an id where the wire's is missing, blank or repeated. */
  createId(): string
}

/**
 * Reads the records of one stream. Pushed, never throws for what the wire says, and ends itself exactly once;
 * what is read after the terminal event is dropped.
 */
export interface RecordReader {
  read(record: WireRecord): void
  /** Ends the stream as failed, unless it has ended: what the framing found, not the vendor. */
  fail(error: StreamFailure): void
  /** The body has ended: emits the terminal event if none was emitted (protocol §3). */
  end(): void
  /** Records, parts and fields of a kind that this version does not know, so far. */
  readonly skipped: number
}

/** A failure as an `error` event carries it. */
export type StreamFailure = Omit<Extract<EventBody, { type: 'error' }>, 'type' | 'actions'>

/** A wire format as a value, so that an application carries only what it uses. */
export interface StreamFormat {
  readonly name: string
  /**
   * What a body of this format looks like when all is well. A stream that turns out otherwise is still read
   * where that is possible; `any` tells that the format has more than one framing.
   */
  readonly framing: 'sse' | 'ndjson' | 'any'
  /**
   * Begins to read one stream. A vendor's events are emitted without an envelope, since the reader of the bytes
   * assigns `seq`; our own keep theirs.
   */
  createReader(emit: (event: EventBody | StreamEvent) => void, context: ReaderContext): RecordReader
  /** The fields of a request that ask for an answer to this history, beside the model's name and settings. */
  request?(messages: readonly ChatMessage[], about: { readonly requestId: string }): JsonObject
}
