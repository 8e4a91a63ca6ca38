import { vendorError } from '../formats/vendor-error.ts'
import {
  isTerminal,
  type EventBody,
  type StreamEvent,
  type TerminalEvent,
} from '../protocol/events.ts'
import type { StreamFailure, StreamFormat } from '../protocol/format.ts'
import { createId } from '../protocol/ids.ts'
import { createBodyReader } from './body.ts'
import type { ReadLimits } from './limits.ts'
import {
  isResponse,
  openChunks,
  type ChunkReader,
  type ChunkResult,
  type StreamSource,
} from './source.ts'

/** How a stream's body is read into events. */
export interface ReadEventsOptions {
  /** Default: made up. Our own format brings its own. */
  readonly requestId?: string | undefined
  /** Id that a vendor's answer gets. Default: made up. */
  readonly messageId?: string | undefined
  /** Ends the stream as cancelled by the user. */
  readonly signal?: AbortSignal | undefined
  readonly limits?: ReadLimits | undefined
  onActivity?(bytes: number): void
  onRetry?(ms: number): void
  /** Makes ids that the wire leaves out. Default: random. */
  readonly createId?: (() => string) | undefined
  /**
   * Whether the end of the body without a terminal event is told as one (default), or ends the iteration, so that
   * a transport can reconnect. A lost connection then rejects.
   */
  readonly concludes?: boolean | undefined
}

/** Events of one stream, with what its reader could not read. */
export interface EventStream extends AsyncIterable<StreamEvent> {
  /** Records, parts and fields of a kind that this version does not know, so far. */
  readonly skipped: number
}

/**
 * Reads one stream in a given format. The last event is a terminal one, whatever the wire says; the source is asked for more
 * only when every event was taken.
 */
export function readEvents(
  source: StreamSource,
  format: StreamFormat,
  options: ReadEventsOptions = {},
): EventStream {
  const { signal, onActivity, onRetry, limits, concludes = true } = options
  const makeId = options.createId ?? createId
  let requestId = options.requestId ?? makeId()
  let seq = 0
  let ended = false
  let queue: StreamEvent[] = []
  let taken = 0
  let chunks: ChunkReader | undefined
  let reading = false
  let lost: { readonly cause: unknown } | undefined
  /** Who waits for an event; nearly always one. */
  const waiters: Waiter[] = []

  const reader = format.createReader(emit, {
    messageId: options.messageId ?? makeId(),
    createId: makeId,
  })
  const body = createBodyReader(reader, {
    framing: format.framing,
    limits,
    ...(onRetry && { onRetry }),
  })

  function emit(event: EventBody | StreamEvent): void {
    if (ended) return
    if ('seq' in event) {
      if (seq === 0) requestId = event.requestId
      seq = event.seq
      queue.push(event)
    } else {
      seq += 1
      queue.push(enveloped(event, requestId, seq))
    }
    if (isTerminal(event)) ended = true
  }

  /** What is known without the format's help: a failed request, a Stop. */
  function conclude(event: TerminalEvent): void {
    if (ended) return
    if (seq === 0)
      emit({
        type: 'start',
        messageId: options.messageId ?? makeId(),
        replayable: false,
        heartbeatMs: 0,
      })
    emit(event)
  }

  function close(): void {
    signal?.removeEventListener('abort', onAbort)
    chunks?.cancel()
  }

  function onAbort(): void {
    if (concludes) conclude({ type: 'cancelled', by: 'user' })
    ended = true
    settle()
  }

  function finish(): void {
    if (concludes && body.empty) reader.fail(EMPTY_RESPONSE)
    body.end()
    if (concludes) reader.end()
    ended = true
  }

  function open(): void {
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    chunks = openChunks(source)
    if (!isResponse(source) || source.status < 400) return void more(chunks)
    reading = true
    void readText(chunks, () => ended).then((text) => {
      reading = false
      conclude(endOfRefusal(text, source))
      settle()
    })
  }

  /** Reads until there is an event to give, then stops. */
  async function more(from: ChunkReader): Promise<void> {
    reading = true
    try {
      while (!ended && queue.length === 0) {
        let result: ChunkResult
        try {
          result = await from.read()
        } catch (cause) {
          result = lose(cause)
        }
        const { done, value } = result
        if (ended) break
        if (value === undefined || done === true) finish()
        else {
          onActivity?.(value.length)
          body.push(value)
        }
      }
    } catch (cause) {
      // Not the wire's doing: what the caller's own function threw.
      lost = { cause }
      ended = true
    }
    reading = false
    settle()
  }

  /** A connection that broke ends the stream where it is to be concluded here; else whoever reads is told. */
  function lose(cause: unknown): ChunkResult {
    if (!concludes && !ended) {
      lost = { cause }
      ended = true
    }
    return { done: true, value: undefined }
  }

  /** Gives out what there is; asks for more while somebody waits. */
  function settle(): void {
    if (ended) close()
    while (waiters.length > 0) {
      const result = take()
      if (result === undefined && !ended) break
      const waiter = waiters.shift()
      if (result !== undefined) waiter?.resolve(result)
      else if (lost !== undefined) waiter?.reject(lost.cause)
      else waiter?.resolve(OVER)
      if (result === undefined) lost = undefined
    }
    if (waiters.length > 0 && !reading && chunks !== undefined) void more(chunks)
  }

  function take(): IteratorResult<StreamEvent> | undefined {
    const value = queue[taken]
    if (value === undefined) return undefined
    taken += 1
    if (taken === queue.length) {
      queue = []
      taken = 0
    }
    return { done: false, value }
  }

  return {
    get skipped() {
      return reader.skipped
    },
    [Symbol.asyncIterator]() {
      return {
        next() {
          const ready = take()
          if (ready !== undefined) return Promise.resolve(ready)
          return new Promise((resolve, reject) => {
            waiters.push({ resolve, reject })
            if (chunks === undefined && !ended) open()
            else settle()
          })
        },
        return() {
          ended = true
          queue = []
          taken = 0
          settle()
          return Promise.resolve(OVER)
        },
      }
    },
  }
}

interface Waiter {
  resolve(result: IteratorResult<StreamEvent>): void
  reject(cause: unknown): void
}

const OVER: IteratorResult<StreamEvent> = { done: true, value: undefined }

function enveloped(event: EventBody, requestId: string, seq: number): StreamEvent {
  // The hot one is spelled out: a literal is several times faster to build than a spread.
  if (event.type === 'text_delta' && event.meta === undefined) {
    return { v: 1, requestId, seq, type: 'text_delta', part: event.part, text: event.text }
  }
  return { v: 1, requestId, seq, ...event }
}

const EMPTY_RESPONSE: StreamFailure = {
  code: 'empty-response',
  message: 'The model server answered with nothing at all.',
  retryable: true,
}

const LONGEST_ERROR_BODY = 64 * 1024

/** An error's body as text, as far as it is worth reading. */
export async function readText(
  chunks: ChunkReader,
  isOver: () => boolean = () => false,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < LONGEST_ERROR_BODY && !isOver()) {
    const { done, value } = await chunks.read().catch(() => ({ done: true, value: undefined }))
    if (done === true || value === undefined) break
    text += typeof value === 'string' ? value : decoder.decode(value, { stream: true })
  }
  return text
}

/** How an answer ended that the server refused to begin. */
function endOfRefusal(body: string, response: Response): TerminalEvent {
  const error = vendorError(body, response)
  // Azure tells a blocked prompt by status 400: no failure, and nothing to try again.
  return error.code === 'content-filter' && response.status === 400
    ? { type: 'done', finishReason: 'content-filter' }
    : { type: 'error', ...error }
}
