/** Time as an option: tests put a clock in whose hands they move. */
export interface Clock {
  /** Milliseconds since the epoch; only differences are used where a duration is meant. */
  now(): number
  /** Runs once after `ms` milliseconds; returns what `clearTimeout` takes. */
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  // Date.now can jump when the machine's clock is set; performance.now can't, and keeps fractions.
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
}

/**
 * Resolves after `ms` (`Infinity`: never by itself), or at once when the signal aborts. Never rejects: the caller looks at
 * the signal.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal | undefined): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(handle)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const handle = ms === Infinity ? undefined : clock.setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
