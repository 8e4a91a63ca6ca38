import type { Clock } from '../protocol/clock.ts'
import type { CancelledEvent, StreamEvent } from '../protocol/events.ts'
import type { Model, StreamState } from '../protocol/transport.ts'
import type { EventLog } from './event-log.ts'
import { follow } from './follow.ts'
import { createGeneration, type Generation } from './generation.ts'
import { keepRun } from './keep-run.ts'
import { createPace } from './pace.ts'
import { startOf, unknownStream, type Batch, type Opened, type Runs } from './runs.ts'
import { createTally } from './tally.ts'
import type { Toolbox } from './toolbox.ts'

/** What runs over a log need. Times in milliseconds. */
export interface LoggedRunsOptions {
  readonly log: EventLog
  readonly model: Model
  readonly toolbox: Toolbox
  readonly clock: Clock
  readonly heartbeatMs: number
  /** How long a run goes on without any reader; `Infinity`: to its end. */
  readonly graceMs: number
  /** How long a cancel waits for the model to stop before it answers `running`. */
  readonly cancelWaitMs: number
  /** How long an owner may be silent before its run counts as abandoned. */
  readonly leaseMs: number
  readonly onEvent: (event: StreamEvent) => void
  readonly onError: (error: unknown) => void
}

/** A run that this process owns. */
interface Owned {
  readonly ended: Promise<void>
  stop(by: CancelledEvent['by']): void
}

/** Runs that are detached from their readers: the log is the truth, and every reader reads it. */
export function loggedRuns(options: LoggedRunsOptions): Runs {
  const { log, clock, graceMs, cancelWaitMs } = options
  const following = { ...options, pace: createPace(clock) }
  const owned = new Map<string, Owned>()
  const readers = new Map<string, number>()
  const graces = new Map<string, unknown>()

  const own = (requestId: string, epoch: number, generation: Generation): void => {
    const ended = keepRun(options, requestId, epoch, generation).finally(() => {
      owned.delete(requestId)
      endGrace(requestId)
    })
    owned.set(requestId, { ended, stop: generation.stop })
  }

  const endGrace = (requestId: string): void => {
    clock.clearTimeout(graces.get(requestId))
    graces.delete(requestId)
  }

  const arrive = (requestId: string): void => {
    readers.set(requestId, (readers.get(requestId) ?? 0) + 1)
    endGrace(requestId)
  }

  const leave = (requestId: string): void => {
    const left = (readers.get(requestId) ?? 1) - 1
    if (left > 0) {
      readers.set(requestId, left)
      return
    }
    readers.delete(requestId)
    const run = owned.get(requestId)
    if (run === undefined || graceMs === Infinity) return
    graces.set(
      requestId,
      clock.setTimeout(() => run.stop('timeout'), graceMs),
    )
  }

  const read = (requestId: string, after: number, signal: AbortSignal): Opened => {
    const batches = async function* (): AsyncGenerator<Batch, void> {
      arrive(requestId)
      try {
        yield* follow(following, requestId, after, signal)
      } finally {
        leave(requestId)
      }
    }
    return { type: 'stream', batches: batches(), ended: owned.get(requestId)?.ended }
  }

  return {
    async start(call, signal) {
      const { requestId, fingerprint } = call
      const created = await log.create(requestId, { fingerprint, leaseMs: options.leaseMs })
      switch (created.role) {
        case 'conflict':
          return {
            type: 'refused',
            refusal: {
              status: 409,
              code: 'conflict',
              message:
                'Another request was sent under this requestId. Use a new id for a new request.',
            },
          }
        case 'full':
          return {
            type: 'refused',
            refusal: {
              status: 503,
              code: 'overloaded',
              message: 'Too many answers are being written at the moment. Try again shortly.',
              headers: { 'retry-after': '1' },
            },
          }
        case 'attached':
          return read(requestId, 0, signal)
        case 'owner': {
          const start = startOf(call, { replayable: true, heartbeatMs: options.heartbeatMs })
          const generation = createGeneration({ ...options, ...call, start })
          if (created.cancelled) generation.stop('user')
          own(requestId, created.epoch, generation)
          return read(requestId, 0, signal)
        }
      }
    },

    async follow(requestId, after, signal) {
      const page = await log.read(requestId, after, 0)
      if (page === undefined || after > page.lastSeq) {
        return { type: 'refused', refusal: unknownStream }
      }
      if (page.state !== 'running' && after === page.lastSeq) return { type: 'nothing-left' }
      if (after + 1 < page.firstSeq) {
        return {
          type: 'refused',
          refusal: {
            status: 410,
            code: 'replay-expired',
            message: 'The events after this cursor are no longer kept. Ask for the stream’s state.',
          },
        }
      }
      return read(requestId, after, signal)
    },

    state: (requestId) => stateOf(log, requestId),

    async cancel(requestId, signal) {
      if ((await log.requestCancel(requestId)) === undefined) return undefined
      const lastSeq = (await log.read(requestId, 0, 0))?.lastSeq ?? 0
      const ending = new AbortController()
      const timer = clock.setTimeout(() => ending.abort(), cancelWaitMs)
      const waiting = AbortSignal.any([signal, ending.signal])
      // A follower ends with the run's terminal event, and that comes once the model has stopped.
      for await (const _ of follow(following, requestId, lastSeq, waiting));
      clock.clearTimeout(timer)
      return stateOf(log, requestId)
    },
  }
}

async function stateOf(log: EventLog, requestId: string): Promise<StreamState | undefined> {
  if (log.pollMs !== undefined) await log.sweep(requestId)
  const page = await log.read(requestId, 0)
  if (page === undefined) return undefined
  const { state, lastSeq, firstSeq, events } = page
  const tally = createTally()
  for (const event of events) tally.add(event)
  const end = tally.end()
  return {
    state,
    lastSeq,
    replayable: firstSeq === 1,
    ...(end?.type === 'done' && { finishReason: end.finishReason }),
    // Counted from all events, or told by the last one.
    outputTokens: firstSeq === 1 ? tally.outputTokens() : tally.outputTokens() || undefined,
    actions: tally.actions(),
  }
}
