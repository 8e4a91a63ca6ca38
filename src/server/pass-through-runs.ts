import type { Clock } from '../protocol/clock.ts'
import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import type { Model, StreamState } from '../protocol/transport.ts'
import { createBell, ringOnAbort } from './bell.ts'
import type { RunState } from './event-log.ts'
import { createGeneration, type Generation } from './generation.ts'
import { stateAfter } from './run-head.ts'
import { startOf, unknownStream, type Batch, type Opened, type Refusal, type Runs } from './runs.ts'
import type { Toolbox } from './toolbox.ts'

/** What runs without a log need. Times in milliseconds. */
export interface PassThroughOptions {
  readonly model: Model
  readonly toolbox: Toolbox
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly cancelWaitMs: number
  readonly maxRuns: number
  readonly onEvent: (event: StreamEvent) => void
  readonly onError: (error: unknown) => void
}

interface Run {
  /** Absent: a request that its Stop has overtaken, and that must not begin. */
  readonly generation: Generation | undefined
  state: RunState
  lastSeq: number
  /** When it ended, or the wish to stop it came. */
  touched: number
  readonly ended: Promise<void>
}

/** How long it is remembered how a run ended. */
const MEMORY_MS = 10 * 60_000
const TOMBSTONE_MS = 60_000

/**
 * Runs that live in the one connection that asked for them: the model is pulled only when the reader wants more, and a
 * closed connection stops it at once.
 */
export function passThroughRuns(options: PassThroughOptions): Runs {
  const { clock, heartbeatMs, cancelWaitMs, maxRuns, onEvent, onError } = options
  const runs = new Map<string, Run>()

  const find = (requestId: string): Run | undefined => {
    const run = runs.get(requestId)
    if (run === undefined || (run.generation !== undefined && run.state === 'running')) return run
    const age = clock.now() - run.touched
    if (age <= (run.generation === undefined ? TOMBSTONE_MS : MEMORY_MS)) return run
    runs.delete(requestId)
    return undefined
  }

  const makeRoom = (): boolean => {
    if (runs.size < maxRuns) return true
    for (const [id, run] of runs) {
      if (run.generation !== undefined && run.state === 'running') continue
      runs.delete(id)
      return true
    }
    return false
  }

  const stateOf = ({ generation, state, lastSeq }: Run): StreamState => {
    const end = generation?.tally.end()
    return {
      state,
      lastSeq,
      replayable: false,
      ...(end?.type === 'done' && { finishReason: end.finishReason }),
      outputTokens: generation?.tally.outputTokens() ?? 0,
      actions: generation?.tally.actions() ?? [],
    }
  }

  return {
    async start(call, signal): Promise<Opened> {
      const { requestId } = call
      const known = find(requestId)
      if (known?.generation !== undefined) return { type: 'refused', refusal: taken }
      runs.delete(requestId)
      if (!makeRoom()) return { type: 'refused', refusal: busy }

      const start = startOf(call, { replayable: false, heartbeatMs })
      const generation = createGeneration({ ...options, ...call, start })
      if (known !== undefined) generation.stop('user')
      let end = (): void => {}
      const ended = new Promise<void>((resolve) => (end = resolve))
      const run: Run = { generation, state: 'running', lastSeq: 0, touched: clock.now(), ended }
      runs.set(requestId, run)
      const note = (event: StreamEvent): void => {
        run.lastSeq = event.seq
        run.state = stateAfter(event)
        run.touched = clock.now()
        onEvent(event)
        if (isTerminal(event)) end()
      }
      return { type: 'stream', batches: deliver(generation, note, signal), ended }
    },

    async follow(requestId): Promise<Opened> {
      const run = find(requestId)
      const refusal = run?.generation === undefined ? unknownStream : notKept
      return { type: 'refused', refusal }
    },

    async state(requestId) {
      const run = find(requestId)
      return run?.generation === undefined ? undefined : stateOf(run)
    },

    async cancel(requestId, signal) {
      const run = find(requestId)
      if (run?.generation === undefined) {
        runs.delete(requestId)
        if (makeRoom()) runs.set(requestId, tombstone(clock.now()))
        return undefined
      }
      run.generation.stop('user')
      await within(clock, cancelWaitMs, run.ended, signal)
      return stateOf(run)
    },
  }

  async function* deliver(
    generation: Generation,
    note: (event: StreamEvent) => void,
    signal: AbortSignal,
  ): AsyncGenerator<Batch, void> {
    const bell = createBell()
    const unhook = ringOnAbort(bell, signal)
    const source = generation.events[Symbol.asyncIterator]()
    let arrived: StreamEvent | undefined
    let asked = false
    let ended = false
    let heartbeatDue = false
    const beat = (): void => {
      heartbeatDue = true
      bell.ring()
    }
    let heartbeat = clock.setTimeout(beat, heartbeatMs)

    const ask = async (): Promise<void> => {
      asked = true
      const { value, done } = await source.next()
      asked = false
      ended = done === true
      if (value !== undefined) {
        arrived = value
        note(value)
      }
      bell.ring()
    }

    try {
      while (!signal.aborted) {
        if (arrived !== undefined) {
          const event: StreamEvent = arrived
          arrived = undefined
          yield [event]
        } else if (ended) {
          return
        } else if (heartbeatDue) {
          heartbeatDue = false
          heartbeat = clock.setTimeout(beat, heartbeatMs)
          yield []
        } else {
          if (!asked) ask().catch(onError)
          await bell.wait()
        }
      }
    } finally {
      unhook()
      clock.clearTimeout(heartbeat)
      generation.stop('user')
      // Nobody listens any more, but what really happened is still to be known.
      drain(source, note).catch(onError)
    }
  }
}

async function drain(
  source: AsyncIterator<StreamEvent>,
  note: (event: StreamEvent) => void,
): Promise<void> {
  for (;;) {
    const { value, done } = await source.next()
    if (done === true) return
    note(value)
  }
}

async function within(
  clock: Clock,
  ms: number,
  promise: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell()
  const unhook = ringOnAbort(bell, signal)
  const timer = clock.setTimeout(bell.ring, ms)
  void promise.then(bell.ring)
  await bell.wait()
  clock.clearTimeout(timer)
  unhook()
}

function tombstone(now: number): Run {
  return {
    generation: undefined,
    state: 'cancelled',
    lastSeq: 0,
    touched: now,
    ended: Promise.resolve(),
  }
}

const taken: Refusal = {
  status: 409,
  code: 'conflict',
  message:
    'This requestId is taken, and this server keeps no log to attach to. Use a new id, or give the handler a log.',
}

const busy: Refusal = {
  status: 503,
  code: 'overloaded',
  message: 'Too many answers are being written at the moment. Try again shortly.',
  headers: { 'retry-after': '1' },
}

const notKept: Refusal = {
  status: 410,
  code: 'replay-expired',
  message: 'This server keeps no log, so the stream can’t be read again. Ask for its state.',
}
