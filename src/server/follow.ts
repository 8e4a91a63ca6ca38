import { coalesce } from '../protocol/coalesce.ts'
import { sleep, type Clock } from '../protocol/clock.ts'
import { isTerminal } from '../protocol/events.ts'
import { createBell, ringOnAbort } from './bell.ts'
import type { EventLog } from './event-log.ts'
import type { Pace } from './pace.ts'
import type { Batch } from './runs.ts'

/** Most bytes that are read from a log at a time, roughly. */
const PAGE_BYTES = 64 * 1024

/** What {@link follow} needs. */
export interface FollowOptions {
  readonly log: EventLog
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly pace: Pace
}

/**
 * Reads a run from after a seq to its terminal event, waiting where it must. Pulled: a slow reader finds a larger page
 * with the text merged, and costs no memory in between. Ends without a terminal event when `signal` is aborted or the
 * log has lost the run.
 */
export async function* follow(
  { log, clock, heartbeatMs, pace }: FollowOptions,
  requestId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Batch, void> {
  const bell = createBell()
  const watching = new AbortController()
  const unhook = ringOnAbort(bell, signal)
  let cursor = after
  let heartbeatAt = clock.now() + heartbeatMs
  // The owner's silence is looked into at first, and when nothing has been heard for a while.
  let isSilent = log.pollMs !== undefined
  const ringUntold = (): void => {
    isSilent = log.pollMs !== undefined
    bell.ring()
  }
  try {
    // First watch, then read: what comes in between is found by one or the other.
    await log.watch(requestId, bell.ring, watching.signal)
    while (!signal.aborted) {
      const page = await log.read(requestId, cursor, PAGE_BYTES)
      if (page === undefined) return
      const last = page.events.at(-1)
      if (last !== undefined) {
        cursor = last.seq
        pace.count()
        const writtenAt = clock.now()
        yield coalesce(page.events)
        if (isTerminal(last)) return
        await sleep(clock, pace.waitAfter(writtenAt), signal)
        continue
      }
      if (page.state !== 'running') return
      const untilHeartbeat = heartbeatAt - clock.now()
      if (untilHeartbeat <= 0) {
        heartbeatAt = clock.now() + heartbeatMs
        yield []
        continue
      }
      if (isSilent) {
        isSilent = false
        if ((await log.sweep(requestId)) !== 'running') continue
      }
      const timer = clock.setTimeout(ringUntold, Math.min(untilHeartbeat, log.pollMs ?? Infinity))
      await bell.wait()
      clock.clearTimeout(timer)
    }
  } finally {
    unhook()
    watching.abort()
  }
}
