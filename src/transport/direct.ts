import { isTerminal, type EventBody, type StreamEvent } from '../protocol/events.ts'
import { isErrorCode, SluiceError, streamError, type StreamError } from '../protocol/errors.ts'
import type { Model, ModelRequest, Transport } from '../protocol/transport.ts'
import { readModelStream } from './read-model-stream.ts'

/**
 * A transport to a model in this process: for tests, for models in the browser, and for servers that call themselves.
 * Nothing is kept, so that a stream ends with its reader.
 */
export function directTransport(model: Model): Transport {
  return {
    async *start({ requestId, messageId, messages, continues, body = {} }, { signal }) {
      let seq = 0
      let ended = false
      const seal = (event: EventBody | StreamEvent): StreamEvent => {
        seq += 1
        ended = isTerminal(event)
        return { ...event, v: 1, requestId, seq }
      }
      const request: ModelRequest = {
        messages,
        messageId,
        body,
        ...(continues !== undefined && { continues }),
      }
      try {
        const answer = model(request, { signal, requestId })
        const events =
          answer instanceof Promise
            ? readModelStream(await answer, { format: model.format, requestId, messageId, signal })
            : answer
        for await (const event of events) {
          if (seq === 0 && event.type !== 'start') {
            yield seal({ type: 'start', messageId, replayable: false, heartbeatMs: 0 })
          }
          yield seal(event)
          if (ended) return
        }
        if (!ended)
          yield seal(
            signal.aborted
              ? { type: 'cancelled', by: 'user' }
              : { type: 'interrupted', sentinel: false },
          )
      } catch (error) {
        if (seq === 0) yield seal({ type: 'start', messageId, replayable: false, heartbeatMs: 0 })
        yield seal(
          signal.aborted
            ? { type: 'cancelled', by: 'user' }
            : { type: 'error', ...failureOf(error) },
        )
      }
    },
  }
}

/** A model's throw is its answer, not a lost connection: there is nothing to connect to again. */
function failureOf(error: unknown): StreamError {
  const message = error instanceof Error ? error.message : 'The model failed.'
  // What `fetch` throws where nobody answers.
  if (error instanceof TypeError) return streamError('network', message)
  const code = error instanceof SluiceError ? error.code : undefined
  return streamError(code === 'missing-key' ? 'auth' : isErrorCode(code) ? code : 'vendor', message)
}
