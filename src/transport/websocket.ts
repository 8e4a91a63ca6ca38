import { sluice } from '../formats/sluice.ts'
import { isErrorCode, SluiceError } from '../protocol/errors.ts'
import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import { isRecord, parseJson, type JsonObject } from '../protocol/json.ts'
import type { Io, StopOutcome, Transport } from '../protocol/transport.ts'

/** Options of {@link webSocketTransport}. */
export interface WebSocketTransportOptions {
  /** A `ws:` or `wss:` address, or a function that is asked for it for each connection, as for a short-lived token. */
  readonly url: string | URL | (() => string | URL | Promise<string | URL>)
  /** Default: the global `WebSocket`. */
  readonly WebSocket?: typeof WebSocket | undefined
  /** Bytes that may wait unread before the connection is given back, to be resumed later. Default: 1 Mi. */
  readonly maxQueued?: number | undefined
}

const MEBI = 1024 * 1024

/**
 * A way to our own server over WebSocket (protocol §1), a connection a stream. A WebSocket cannot be told to wait: when a slow page has
 * let too much pile up, the connection is given back, and the stream is resumed from what was taken.
 */
export function webSocketTransport(options: WebSocketTransportOptions): Transport {
  const maxQueued = options.maxQueued ?? MEBI
  return {
    start({ requestId, messageId, messages, continues, body }, io) {
      const fields = {
        ...body,
        messageId,
        messages: messages as unknown as JsonObject[],
        ...(continues !== undefined && { continues }),
      }
      return read({ type: 'start', requestId, body: fields }, requestId, io)
    },
    resume: (requestId, after, io) => read({ type: 'resume', requestId, after }, requestId, io),
    async cancel(requestId, io) {
      const socket = await openSocket(options, io)
      try {
        socket.send({ type: 'cancel', requestId })
        for (;;) {
          const message = await socket.next()
          if (message === undefined)
            throw new Error('The connection ended before the server answered.')
          const outcome = outcomeOf(message, requestId)
          if (outcome !== undefined) return outcome
        }
      } finally {
        socket.close()
      }
    },
  }

  async function* read(
    first: JsonObject,
    requestId: string,
    io: Io,
  ): AsyncGenerator<StreamEvent, void> {
    const socket = await openSocket(options, io)
    const events: StreamEvent[] = []
    const reader = sluice.createReader((event) => 'seq' in event && events.push(event), {
      messageId: '',
      createId: () => '',
    })
    try {
      socket.send(first)
      for (;;) {
        const message = await socket.next()
        if (message === undefined) return
        const refusal = refusalIn(message, requestId)
        if (refusal !== undefined) throw refusal
        reader.read({ data: message })
        for (const event of events.splice(0)) {
          yield event
          if (isTerminal(event)) return
        }
        if (socket.queued() > maxQueued) return
      }
    } finally {
      socket.close()
    }
  }
}

/** A refusal of this stream's request. `nothing-left` is none: the reader has everything. */
function refusalIn(message: string, requestId: string): SluiceError | undefined {
  const ack = ackIn(message, requestId)
  if (ack === undefined || ack['ok'] !== false) return undefined
  const { code } = ack
  const words =
    typeof ack['message'] === 'string'
      ? ack['message']
      : `The server refused the stream (${String(code)}).`
  return new SluiceError(isErrorCode(code) ? code : 'bad-request', words)
}

function outcomeOf(message: string, requestId: string): StopOutcome | undefined {
  const ack = ackIn(message, requestId)
  if (ack === undefined || ack['of'] !== 'cancel') return undefined
  if (ack['ok'] === false) {
    const refusal = refusalIn(message, requestId)
    if (refusal !== undefined) throw refusal
  }
  const { state, outputTokens, actions } = ack
  if (state === 'running') return undefined
  return {
    state: state === 'cancelled' || state === 'completed' ? state : 'unknown',
    ...(typeof outputTokens === 'number' && { outputTokens }),
    actions: Array.isArray(actions) ? (actions as StopOutcome['actions']) : [],
  }
}

function ackIn(message: string, requestId: string): Readonly<Record<string, unknown>> | undefined {
  // Looked for before it is parsed: nearly every message is an event.
  if (!message.includes('"ack"')) return undefined
  const value = parseJson(message)
  return isRecord(value) && value['type'] === 'ack' && value['requestId'] === requestId
    ? value
    : undefined
}

interface OpenSocket {
  send(message: JsonObject): void
  /** The next message, or `undefined` once the connection has ended. */
  next(): Promise<string | undefined>
  /** Characters that wait. */
  queued(): number
  close(): void
}

async function openSocket(
  options: WebSocketTransportOptions,
  { signal, onActivity }: Io,
): Promise<OpenSocket> {
  const url = typeof options.url === 'function' ? await options.url() : options.url
  const socket = new (options.WebSocket ?? WebSocket)(url)
  const waiting: string[] = []
  let queued = 0
  let ended = false
  let wake: (() => void) | undefined

  const end = (): void => {
    ended = true
    wake?.()
  }
  const onAbort = (): void => {
    end()
    socket.close()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  socket.addEventListener('close', end)
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return
    onActivity(data.length)
    waiting.push(data)
    queued += data.length
    wake?.()
  })
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => reject(new Error('The WebSocket could not be opened.'))
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', fail, { once: true })
    socket.addEventListener('close', fail, { once: true })
    if (signal.aborted) {
      onAbort()
      fail()
    }
  })

  return {
    send: (message) => socket.send(JSON.stringify(message)),
    async next() {
      while (waiting.length === 0 && !ended) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const message = waiting.shift()
      queued -= message?.length ?? 0
      return message
    },
    queued: () => queued,
    close() {
      signal.removeEventListener('abort', onAbort)
      socket.close()
    },
  }
}
