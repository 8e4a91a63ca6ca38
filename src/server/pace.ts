import type { Clock } from '../protocol/clock.ts'

/** How often the readers of one process are written to. */
export interface Pace {
  /** Counts one writing. */
  count(): void
  /** How long, in milliseconds, a reader that was written to at `at` should wait for more to go with the next. */
  waitAfter(at: number): number
}

/** So many writings a second take a good part of a processor's core. */
const MOST_PER_SECOND = 10_000
/** No reader waits longer for a piece of text that is there. */
const LONGEST_MS = 100
const SHORTEST_MS = 10
const WINDOW_MS = 100

/**
 * Sees to it that a process with many busy readers writes to each of them less often, and more at once, rather than late.
 * One with few writes whatever comes as it comes.
 */
export function createPace(clock: Clock): Pace {
  let since = clock.now()
  let count = 0
  let gatherMs = 0

  const look = (): number => {
    const now = clock.now()
    const elapsed = now - since
    if (elapsed < WINDOW_MS) return now
    const load = (count * 1_000) / elapsed / MOST_PER_SECOND
    if (load > 1) gatherMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, gatherMs) * load)
    else if (load < 0.5) gatherMs = gatherMs > SHORTEST_MS ? gatherMs / 2 : 0
    since = now
    count = 0
    return now
  }

  return {
    count() {
      count += 1
    },
    waitAfter(at) {
      const now = look()
      return Math.max(0, at + gatherMs - now)
    },
  }
}
