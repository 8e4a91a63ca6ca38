import type { StreamHandler } from '../server/create-stream-handler.ts'

/** Options of {@link dropConnections}. */
export interface DropOptions {
  /** Whether the answer to a request is to be lost; given a copy. */
  readonly when: (request: Request) => boolean | Promise<boolean>
  /** After how many bytes of the body. */
  readonly afterBytes: number
}

/**
 * Breaks the connection of some answers on the way, as a network does: the body fails in the middle, without any
 * terminal event. The run behind it goes on, so that a client can come back for the rest.
 */
export function dropConnections(
  handler: StreamHandler,
  { when, afterBytes }: DropOptions,
): StreamHandler {
  return async (request, context) => {
    const isDropped = request.method === 'POST' && (await when(request.clone()))
    const response = await handler(request, context)
    if (!isDropped || response.body === null || !response.ok) return response
    const { status, headers } = response
    return new Response(cut(response.body, afterBytes), { status, headers })
  }
}

function cut(body: ReadableStream<Uint8Array>, afterBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = afterBytes
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) {
        controller.close()
        return
      }
      left -= value.byteLength
      if (left > 0) {
        controller.enqueue(value)
        return
      }
      await reader.cancel()
      controller.error(new Error('The connection was dropped on purpose.'))
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
