import type { StartEvent, StreamEvent } from '../protocol/events.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import type { ModelRequest, StreamState } from '../protocol/transport.ts'

/** What a reader is given at a time: events in order, or none, which is a heartbeat. */
export type Batch = readonly StreamEvent[]

/** One call for an answer, checked. */
export interface StartRequest {
  readonly requestId: string
  readonly request: ModelRequest
  /** Who asks. */
  readonly headers: Headers
  /** Tells one request from another under the same id. */
  readonly fingerprint: string
}

/** Why a call can't be served. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A stream to deliver, why there is none, or nothing left to deliver. */
export type Opened =
  | {
      readonly type: 'stream'
      readonly batches: AsyncIterable<Batch>
      /** Resolves once the run has ended; for runtimes that stop a process between requests. */
      readonly ended?: Promise<void> | undefined
    }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'nothing-left' }

/** The runs of one handler. `signal` ends a delivery and nothing else. */
export interface Runs {
  start(call: StartRequest, signal: AbortSignal): Promise<Opened>
  follow(requestId: string, after: number, signal: AbortSignal): Promise<Opened>
  state(requestId: string): Promise<StreamState | undefined>
  /**
   * Stops the model and waits, within bounds, until it has stopped: else the state is still `running`. Resolves to
   * `undefined` for an unknown id, of which it is kept that it must not begin.
   */
  cancel(requestId: string, signal: AbortSignal): Promise<StreamState | undefined>
}

/** The first event of an answer. */
export function startOf(
  { request }: StartRequest,
  more: Pick<StartEvent, 'replayable' | 'heartbeatMs'>,
): StartEvent {
  const { messageId, continues } = request
  return { type: 'start', messageId, ...more, ...(continues !== undefined && { continues }) }
}

export const unknownStream: Refusal = {
  status: 404,
  code: 'unknown-stream',
  message: 'No stream has this id here. Ask for a new answer under a new id.',
}
