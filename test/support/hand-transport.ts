import type {
  EventBody,
  StopOutcome,
  StreamEvent,
  StreamRequest,
  ToolAnswer,
  Transport,
} from 'sluice/core'

/** One request as the transport saw it, with the hand that answers it. */
export interface HandStream {
  readonly request: StreamRequest
  readonly signal: AbortSignal
  /** Sends events, numbered on from the last one. */
  send(...events: EventBody[]): void
  /** Ends the connection, cleanly and without a terminal event. */
  close(): void
  /** Breaks the connection. */
  fail(cause: unknown): void
}

/** A transport in whose place the test stands: every event is sent by hand. */
export interface HandTransport extends Transport {
  readonly streams: HandStream[]
  /** The newest stream. */
  readonly last: HandStream
  readonly answers: ToolAnswer[]
  readonly cancelled: string[]
}

/** Makes one. `cancel`: what the server answers to a Stop; absent: it can't be told. */
export function handTransport(cancel?: () => Promise<StopOutcome>): HandTransport {
  const streams: HandStream[] = []
  const answers: ToolAnswer[] = []
  const cancelled: string[] = []
  return {
    streams,
    answers,
    cancelled,
    get last() {
      const last = streams.at(-1)
      if (last === undefined) throw new Error('Nothing was sent.')
      return last
    },
    start(request, io) {
      const { hand, events } = openHand(request, io.signal, () => io.onActivity(1))
      streams.push(hand)
      return events
    },
    act: async (_requestId, answer) => void answers.push(answer),
    ...(cancel !== undefined && {
      cancel: (requestId: string) => {
        cancelled.push(requestId)
        return cancel()
      },
    }),
  }
}

function openHand(
  request: StreamRequest,
  signal: AbortSignal,
  onBytes: () => void,
): { hand: HandStream; events: AsyncIterable<StreamEvent> } {
  const waiting: StreamEvent[] = []
  let seq = 0
  let over: { cause?: unknown } | undefined
  let wake = (): void => {}
  const end = (how: { cause?: unknown }): void => {
    over ??= how
    wake()
  }
  signal.addEventListener('abort', () => end({ cause: signal.reason }))
  async function* events(): AsyncGenerator<StreamEvent, void> {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else if (over === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if ('cause' in over) throw over.cause
      else return
    }
  }
  const hand: HandStream = {
    request,
    signal,
    send(...bodies) {
      onBytes()
      for (const body of bodies) {
        waiting.push({ v: 1, requestId: request.requestId, seq: ++seq, ...body })
      }
      wake()
    },
    close: () => end({}),
    fail: (cause) => end({ cause }),
  }
  return { hand, events: events() }
}

/** The first event of a stream that can't be replayed. */
export const start = (messageId = 'a'): EventBody => ({
  type: 'start',
  messageId,
  replayable: false,
  heartbeatMs: 0,
})

/** A piece of answer text. */
export const text = (piece: string, part = 't'): EventBody => ({
  type: 'text_delta',
  part,
  text: piece,
})

/** The end of an answer. */
export const done = (finishReason: 'stop' | 'length' | 'tool-calls' = 'stop'): EventBody => ({
  type: 'done',
  finishReason,
})

/** Lets everything that is ready run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
