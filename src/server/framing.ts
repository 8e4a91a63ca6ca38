import { ndjsonEncoding, sseEncoding, type EventEncoding } from '../formats/sluice-encode.ts'
import type { Batch } from './runs.ts'

/** Chooses by the request's `Accept`; SSE unless NDJSON is asked for. */
export function encodingFor(accept: string | null): EventEncoding {
  return accept?.includes('application/x-ndjson') === true ? ndjsonEncoding : sseEncoding
}

/**
 * Writes batches into a body that asks for one only when it has room: the reader's pressure goes up the chain. The
 * source is let go when the body is finished with or `delivery` is aborted, and `delivery` is aborted with the body.
 */
export function bodyOf(
  batches: AsyncIterable<Batch>,
  { opening, heartbeat, encode }: EventEncoding,
  delivery: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source = batches[Symbol.asyncIterator]()
  // A source that waits is woken by the signal; one that nobody pulls has to be told.
  delivery.signal.addEventListener('abort', () => void source.return?.())
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (opening !== '') controller.enqueue(encoder.encode(opening))
    },
    async pull(controller) {
      const { value, done } = await source.next()
      if (done === true) {
        delivery.abort()
        controller.close()
      } else {
        const text = value.length === 0 ? heartbeat : value.map(encode).join('')
        controller.enqueue(encoder.encode(text))
      }
    },
    cancel: () => delivery.abort(),
  })
}
