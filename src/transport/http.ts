import { sluice } from '../formats/sluice.ts'
import { vendorError } from '../formats/vendor-error.ts'
import { sleep, systemClock } from '../protocol/clock.ts'
import { isErrorCode, SluiceError, streamError, type StreamError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { isRecord, parseJson, type JsonObject } from '../protocol/json.ts'
import type { Io, StopOutcome, StreamState, ToolAnswer, Transport } from '../protocol/transport.ts'
import { sender, type HttpTransportOptions } from './http-call.ts'
import { readEvents, readText } from './read.ts'
import { openChunks } from './source.ts'

/**
 * A way to a server over HTTP. With our own format streams can be resumed, cancelled and acted on (protocol §5); with a vendor's there
 * is only `start`, and the answer ends with its connection.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { format = 'sluice' } = options
  if (format === 'sluice') return ownTransport(options)
  if (typeof format === 'string') {
    throw new SluiceError(
      'invalid-options',
      `httpTransport takes a format as a value, so that an application carries only what it uses: import it from 'sluice/formats' (got "${String(format)}").`,
    )
  }
  const send = sender(options)
  return {
    async *start(request, io) {
      const { messages, messageId, requestId } = request
      const body = { ...format.request?.(messages, { requestId }), ...request.body }
      const response = await send({
        action: 'start',
        path: '',
        method: 'POST',
        body,
        request,
        signal: io.signal,
      })
      yield* readEvents(response, format, {
        requestId,
        messageId,
        signal: io.signal,
        onActivity: io.onActivity,
      })
    },
  }
}

function ownTransport(options: HttpTransportOptions): Transport {
  const send = sender(options)

  async function* read(
    response: Response,
    requestId: string,
    io: Io,
  ): AsyncGenerator<StreamEvent, void> {
    // The end of the connection is no end of the stream: whoever reads connects again.
    yield* readEvents(response, sluice, {
      requestId,
      signal: io.signal,
      onActivity: io.onActivity,
      concludes: false,
    })
  }

  async function state(requestId: string, io: Io): Promise<StreamState> {
    const response = await send({
      action: 'state',
      path: requestId,
      method: 'GET',
      signal: io.signal,
    })
    return readState(response, io)
  }

  return {
    async *start(request, io) {
      const { requestId, messageId, messages, continues } = request
      const body = {
        ...request.body,
        requestId,
        messageId,
        messages: messages as unknown as JsonObject[],
        ...(continues !== undefined && { continues }),
      }
      const response = await send({
        action: 'start',
        path: '',
        method: 'POST',
        body,
        request,
        signal: io.signal,
      })
      if (response.status < 400 && !isDocument(response))
        return yield* read(response, requestId, io)
      if (response.status < 400) {
        await response.body?.cancel()
        yield { v: 1, requestId, seq: 1, type: 'error', ...NOT_A_STREAM }
        return
      }
      const refusal = await refusalOf(response, io)
      // A proxy that lost the server can't tell whether the request had arrived.
      if (LOST.has(response.status)) throw new SluiceError('gateway', refusal.message)
      yield { v: 1, requestId, seq: 1, type: 'error', ...refusal }
    },
    async *resume(requestId, after, io) {
      const path = `${requestId}/events?after=${after}`
      const headers = { 'last-event-id': `${requestId}:${after}` }
      const response = await send({
        action: 'resume',
        path,
        method: 'GET',
        headers,
        signal: io.signal,
      })
      if (response.status === 204) return
      if (response.status >= 400) throw await refused(response, io)
      yield* read(response, requestId, io)
    },
    state,
    async cancel(requestId, io) {
      const response = await send({
        action: 'cancel',
        path: requestId,
        method: 'DELETE',
        signal: io.signal,
      })
      let known = await readState(response, io)
      for (let tries = 0; known.state === 'running' && tries < MOST_POLLS; tries++) {
        await sleep(systemClock, POLL_MS, io.signal)
        io.signal.throwIfAborted()
        known = await state(requestId, io)
      }
      if (known.state === 'running') {
        throw new SluiceError('timeout', 'The server has not stopped the answer yet.')
      }
      return outcomeOf(known)
    },
    async act(requestId: string, answer: ToolAnswer, io: Io) {
      const path = `${requestId}/actions/${encodeURIComponent(answer.toolCallId)}`
      const body = answer as unknown as JsonObject
      const response = await send({ action: 'act', path, method: 'POST', body, signal: io.signal })
      if (response.status >= 400) throw await refused(response, io)
      await response.body?.cancel()
    },
  }
}

const NOT_A_STREAM: StreamError = streamError(
  'not-a-stream',
  'The server answered with a document instead of a stream. Check the address and the format.',
)

/** A page or a JSON document: a server that is not ours, since ours says what it sends. */
function isDocument(response: Response): boolean {
  return /^(text\/html|application\/json)\b/i.test(response.headers.get('content-type') ?? '')
}

const LOST: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524, 525, 526, 527])
const MOST_POLLS = 40
const POLL_MS = 250

async function readState(response: Response, io: Io): Promise<StreamState> {
  if (response.status >= 400) throw await refused(response, io)
  const state: unknown = await response.json()
  if (!isRecord(state) || typeof state['state'] !== 'string') {
    throw new SluiceError(
      'not-a-stream',
      'The server did not tell the state of the stream. Is the address right?',
    )
  }
  return {
    lastSeq: 0,
    replayable: false,
    ...state,
    actions: Array.isArray(state['actions']) ? state['actions'] : [],
  } as unknown as StreamState
}

function outcomeOf({ state, outputTokens, actions }: StreamState): StopOutcome {
  return {
    state: state === 'cancelled' || state === 'completed' ? state : 'unknown',
    ...(outputTokens !== undefined && { outputTokens }),
    actions,
  }
}

async function refused(response: Response, io: Io): Promise<SluiceError> {
  const { code, message, retryAfterMs } = await refusalOf(response, io)
  return new SluiceError(response.status === 404 ? 'unknown-stream' : code, message, {
    retryAfterMs,
  })
}

/** What the server said instead of a stream: our own `{ error: { code, message } }`, or whatever a proxy wrote. */
async function refusalOf(response: Response, io: Io): Promise<StreamError> {
  const text = await readText(openChunks(response), () => io.signal.aborted)
  const error = vendorError(text, response)
  const body = parseJson(text)
  const code = isRecord(body) && isRecord(body['error']) ? body['error']['code'] : undefined
  if (typeof code === 'string' && isErrorCode(code)) {
    return streamError(code, error.message, {
      retryAfterMs: error.retryAfterMs,
      status: response.status,
    })
  }
  if (response.status === 410) return streamError('replay-expired', error.message, { status: 410 })
  return error
}
