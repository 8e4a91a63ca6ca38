import { aiSdkUi } from '../formats/ai-sdk-ui.ts'
import type { Transport } from '../protocol/transport.ts'
import { readEvents } from './read.ts'

/** AI SDK's `ChatTransport`, as far as it is used: told by its shape, since `ai` is no dependency. */
export interface ChatTransportLike {
  sendMessages(options: {
    trigger: 'submit-message' | 'regenerate-message'
    chatId: string
    messageId: string | undefined
    // As a method it is compared loosely: theirs is typed by the application's own messages.
    messages: unknown[]
    abortSignal: AbortSignal | undefined
    headers?: Record<string, string> | Headers
    body?: object
    metadata?: unknown
  }): Promise<ReadableStream<unknown>>
}

/**
 * Takes a stock AI SDK `ChatTransport` as a transport; one of ours is returned as it is. Such a stream has no event numbers, so that it
 * ends with its connection. `chatId` defaults to the stream's request id.
 */
export function toTransport(
  transport: Transport | ChatTransportLike,
  options: { readonly chatId?: string | undefined } = {},
): Transport {
  if ('start' in transport) return transport
  return {
    async *start(
      { requestId, messageId, messages, headers, body, metadata },
      { signal, onActivity },
    ) {
      const chunks = await transport.sendMessages({
        trigger: 'submit-message',
        chatId: options.chatId ?? requestId,
        messageId,
        messages: [...messages],
        abortSignal: signal,
        ...(headers !== undefined && { headers: { ...headers } }),
        ...(body !== undefined && { body }),
        ...(metadata !== undefined && { metadata }),
      })
      yield* readEvents(framesOf(chunks), aiSdkUi, { requestId, messageId, signal, onActivity })
    },
  }
}

/** Chunks that were parsed already, as the text frames that our reader takes. */
async function* framesOf(chunks: ReadableStream<unknown>): AsyncGenerator<string, void> {
  const reader = chunks.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield JSON.stringify(value)
    }
  } finally {
    // Leaving early gives the source back; after the end this does nothing.
    await reader.cancel().catch(() => {})
  }
}
