import type { Clock } from '../protocol/clock.ts'

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /**
   * Lets time pass, in milliseconds. Timers run in order, each at its own time, and what they set going is given the
   * turns of the event loop that it needs before the next one runs.
   */
  advance(ms: number): Promise<void>
  /** How many timers wait. */
  readonly pending: number
}

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** Makes a clock for tests. `start`: milliseconds since the epoch. */
export function manualClock(start = 0): ManualClock {
  let now = start
  let timers: Timer[] = []
  return {
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + Math.max(0, ms), run }
      timers.push(timer)
      return timer
    },
    clearTimeout(handle) {
      timers = timers.filter((timer) => timer !== handle)
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        const due = timers.reduce<Timer | undefined>(
          (first, timer) =>
            timer.at <= end && (first === undefined || timer.at < first.at) ? timer : first,
          undefined,
        )
        if (due === undefined) break
        timers = timers.filter((timer) => timer !== due)
        now = Math.max(now, due.at)
        due.run()
      }
      now = end
    },
    get pending() {
      return timers.length
    },
  }
}

/** Lets promises settle, and the streams of the platform, which take a few turns each. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((done) => setTimeout(done))
}
