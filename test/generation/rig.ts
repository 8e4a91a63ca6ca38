import {
  createModelStream,
  type EventBody,
  type ModelStream,
  type ModelStreamOptions,
  type StopOutcome,
  type StreamEvent,
  type StreamRequest,
  type StreamSnapshot,
  type StreamState,
  type Transport,
} from 'sluice/core'
import {
  manualClock,
  manualScheduler,
  type ManualClock,
  type ManualScheduler,
} from 'sluice/testing'
import type { Lifecycle } from '../../src/generation/lifecycle.ts'
import { numbered } from '../support/events.ts'

/** One connection as the server sees it. */
export interface Connection {
  readonly kind: 'start' | 'resume'
  readonly request: StreamRequest | undefined
  readonly requestId: string
  /** What a resumed connection asked for. */
  readonly after: number | undefined
  readonly signal: AbortSignal
  send(...events: StreamEvent[]): void
  /** Bytes without an event: a heartbeat. */
  beat(): void
  close(): void
  fail(cause: unknown): void
}

/** A server in whose place the test stands. */
export interface Server extends Transport {
  readonly connections: Connection[]
  readonly last: Connection
  /** Calls beside the streams, in order. */
  readonly calls: string[]
}

export interface ServerOptions {
  readonly state?: (() => Promise<StreamState>) | undefined
  readonly cancel?: (() => Promise<StopOutcome>) | undefined
  readonly resumes?: boolean | undefined
  /** Awaited before a request is sent, as headers and bodies are. */
  readonly prepare?: (() => Promise<void>) | undefined
}

export function createServer({
  state,
  cancel,
  resumes = true,
  prepare,
}: ServerOptions = {}): Server {
  const connections: Connection[] = []
  const calls: string[] = []
  const open = (
    about: Pick<Connection, 'kind' | 'request' | 'requestId' | 'after'>,
    io: { signal: AbortSignal; onActivity(bytes: number): void },
  ): AsyncIterable<StreamEvent> => {
    const waiting: StreamEvent[] = []
    let over: { readonly cause?: unknown } | undefined
    let wake = (): void => {}
    const end = (how: { readonly cause?: unknown }): void => {
      over ??= how
      wake()
    }
    io.signal.addEventListener('abort', () => end({ cause: io.signal.reason }))
    connections.push({
      ...about,
      signal: io.signal,
      send(...events) {
        io.onActivity(events.length)
        waiting.push(...events)
        wake()
      },
      beat: () => io.onActivity(1),
      close: () => end({}),
      fail: (cause) => end({ cause }),
    })
    return (async function* read() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (over === undefined) await new Promise<void>((resolve) => (wake = resolve))
        else if ('cause' in over) throw over.cause
        else return
      }
    })()
  }
  return {
    connections,
    calls,
    get last() {
      const last = connections.at(-1)
      if (last === undefined) throw new Error('No connection was opened.')
      return last
    },
    start(request, io) {
      const send = (): AsyncIterable<StreamEvent> =>
        open({ kind: 'start', request, requestId: request.requestId, after: undefined }, io)
      return prepare === undefined ? send() : prepared(prepare, io.signal, send)
    },
    ...(resumes && {
      resume: (requestId, after, io) =>
        open({ kind: 'resume', request: undefined, requestId, after }, io),
    }),
    ...(state !== undefined && {
      state: (requestId) => {
        calls.push(`state ${requestId}`)
        return state()
      },
    }),
    ...(cancel !== undefined && {
      cancel: (requestId) => {
        calls.push(`cancel ${requestId}`)
        return cancel()
      },
    }),
  }
}

async function* prepared(
  prepare: () => Promise<void>,
  signal: AbortSignal,
  send: () => AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent, void> {
  await prepare()
  signal.throwIfAborted()
  yield* send()
}

/** A page that is shown, hidden, frozen and offline as it is told. */
export interface Page extends Lifecycle {
  online: boolean
  hidden: boolean
  back(how: 'visible' | 'online' | 'frozen'): void
  readonly listeners: number
}

export function createPage(): Page {
  const listeners = new Set<(how: 'visible' | 'online' | 'frozen') => void>()
  return {
    online: true,
    hidden: false,
    isOnline() {
      return this.online
    },
    isHidden() {
      return this.hidden
    },
    onReturn(run) {
      listeners.add(run)
      return () => void listeners.delete(run)
    },
    back(how) {
      for (const run of listeners) run(how)
    },
    get listeners() {
      return listeners.size
    },
  }
}

export interface Rig {
  readonly stream: ModelStream
  readonly server: Server
  readonly clock: ManualClock
  readonly page: Page
  readonly scheduler: ManualScheduler
  /** Sends events of the newest request on the newest connection, numbered from `first`. */
  say(first: number, ...bodies: EventBody[]): Promise<void>
  /** Lets everything that is ready run, and draws. */
  settle(): Promise<void>
  readonly shown: StreamSnapshot
}

/** A stream with its server, clock and page in the test's hands. Waits are not random: the longest that may be. */
export function createRig(
  server: Server = createServer(),
  options: Partial<ModelStreamOptions> = {},
): Rig {
  const clock = manualClock()
  const page = createPage()
  const scheduler = manualScheduler()
  const stream = createModelStream({
    transport: server,
    clock,
    lifecycle: page,
    scheduler,
    ...options,
    limits: { random: () => 1, ...options.limits },
  })
  const settle = async (): Promise<void> => {
    await clock.advance(0)
    scheduler.frame()
  }
  return {
    stream,
    server,
    clock,
    page,
    scheduler,
    settle,
    async say(first, ...bodies) {
      server.last.send(...numbered(bodies, server.last.requestId, first))
      await settle()
    },
    get shown() {
      return stream.getSnapshot()
    },
  }
}

/** The first event of a stream that can be replayed. */
export const begun = (more: { heartbeatMs?: number; replayable?: boolean } = {}): EventBody => ({
  type: 'start',
  messageId: 'theirs',
  replayable: true,
  heartbeatMs: 0,
  ...more,
})

export const text = (piece: string, part = 't'): EventBody => ({
  type: 'text_delta',
  part,
  text: piece,
})

export const done: EventBody = { type: 'done', finishReason: 'stop' }

/** What a server knows. */
export const known = (
  state: StreamState['state'],
  more: Partial<StreamState> = {},
): StreamState => ({
  state,
  lastSeq: 9,
  replayable: false,
  actions: [],
  ...more,
})
