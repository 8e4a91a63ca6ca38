import type { StreamEvent } from '../protocol/events.ts'

/** How a stream of our own events is written (protocol §1); the decoder of each is `sluice`. */
export interface EventEncoding {
  readonly contentType: string
  /** What comes before anything else. */
  readonly opening: string
  readonly heartbeat: string
  encode(event: StreamEvent): string
}

/** Server-sent events. No `event:` field, so that a plain `EventSource` sees all of them in `onmessage`. */
export const sseEncoding: EventEncoding = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: 'retry: 1000\n\n',
  heartbeat: ': heartbeat\n\n',
  encode: (event) => `id: ${event.requestId}:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`,
}

/** One object a line; the heartbeat is an empty line. */
export const ndjsonEncoding: EventEncoding = {
  contentType: 'application/x-ndjson',
  opening: '',
  heartbeat: '\n',
  encode: (event) => `${JSON.stringify(event)}\n`,
}

/** One object a text message. */
export const messageEncoding: EventEncoding = {
  contentType: 'application/json',
  opening: '',
  heartbeat: '{"type":"ping"}',
  encode: (event) => JSON.stringify(event),
}
