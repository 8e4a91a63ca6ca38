import { coalesce } from '../protocol/coalesce.ts'
import { sleep, type Clock } from '../protocol/clock.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { createBell } from './bell.ts'
import type { Appended, EventLog } from './event-log.ts'
import type { Generation } from './generation.ts'
import { bytesOf } from './log-page.ts'

/** Stop pulling the model when so many bytes, roughly, wait for the log … */
const HIGH_BYTES = 256 * 1024
/** … until so few do. */
const LOW_BYTES = 64 * 1024
/** The first wait after a failed writing; it doubles until the lease would be over. */
const RETRY_MS = 50

/** What {@link keepRun} needs. */
export interface KeepRunOptions {
  readonly log: EventLog
  readonly clock: Clock
  readonly leaseMs: number
  readonly onEvent: (event: StreamEvent) => void
  readonly onError: (error: unknown) => void
}

/**
 * Runs a generation to its end and keeps its events in the log. Readers don't matter to it; a slow log does: what waits
 * for it is merged, and beyond a mark the model is not pulled. A log that fails is tried anew for as long as the lease. Resolves when the model has stopped; never rejects.
 */
export async function keepRun(
  { log, clock, leaseMs, onEvent, onError }: KeepRunOptions,
  requestId: string,
  epoch: number,
  generation: Generation,
): Promise<void> {
  const watching = new AbortController()
  const drained = createBell()
  let queue: StreamEvent[] = []
  let waiting = 0
  let lastSeq = 0
  let writing = false
  let lost = false
  let renewal: unknown

  const lose = (): void => {
    lost = true
    generation.stop('server')
  }

  const renew = async (): Promise<void> => {
    clock.clearTimeout(renewal)
    try {
      const claim = await log.renew(requestId, epoch, leaseMs)
      if (claim === 'cancel') generation.stop('user')
      else if (claim !== 'ok') lose()
    } catch (error) {
      // The lease outlives a failure or two; if it does not, the next write is fenced.
      onError(error)
    }
    if (!watching.signal.aborted) renewal = clock.setTimeout(() => void renew(), leaseMs / 3)
  }

  /** What was written although its answer was lost is a repetition the second time. */
  const tryToAppend = async (events: readonly StreamEvent[]): Promise<Appended> => {
    const giveUpAt = clock.now() + leaseMs
    for (let wait = RETRY_MS; ; wait *= 2) {
      try {
        return await log.append(requestId, epoch, events)
      } catch (error) {
        if (clock.now() + wait > giveUpAt) throw error
        onError(error)
        await sleep(clock, wait)
      }
    }
  }

  const append = async (events: readonly StreamEvent[]): Promise<void> => {
    const appended = await tryToAppend(events)
    if (appended === 'ok' || appended === 'duplicate') {
      lastSeq = events.at(-1)?.seq ?? lastSeq
    } else if (appended === 'full') {
      lose()
      await tryToAppend([tooLong(requestId, lastSeq + 1, clock.now())])
    } else {
      lose()
    }
  }

  const write = async (): Promise<void> => {
    writing = true
    while (queue.length > 0 && !lost) {
      const events = queue
      const size = waiting
      queue = []
      try {
        await append(coalesce(events))
      } catch (error) {
        onError(error)
        lose()
      }
      waiting -= size
      if (waiting <= LOW_BYTES) drained.ring()
    }
    writing = false
    drained.ring()
  }

  try {
    await log.watch(requestId, (hint) => hint === 'cancel' && void renew(), watching.signal)
    await renew()
    for await (const event of generation.events) {
      if (lost) continue
      onEvent(event)
      queue.push(event)
      waiting += bytesOf(event)
      if (!writing) void write()
      while (waiting > HIGH_BYTES && writing) await drained.wait()
    }
    while (writing) await drained.wait()
  } catch (error) {
    onError(error)
    lose()
  } finally {
    watching.abort()
    clock.clearTimeout(renewal)
  }
}

function tooLong(requestId: string, seq: number, at: number): StreamEvent {
  return {
    v: 1,
    requestId,
    seq,
    at: Math.round(at),
    type: 'error',
    code: 'limit-exceeded',
    message: 'The answer is longer than this server keeps.',
    retryable: false,
  }
}
