/** Lets one loop sleep until something, of whatever kind, has happened. */
export interface Bell {
  /** Ends the sleep, or the next one if nobody sleeps. */
  ring(): void
  /** Resolves at the next ring, at once if one was missed. For one sleeper at a time. */
  wait(): Promise<void>
}

/**
 * Makes a bell. In a loop it stands for `Promise.race` over promises that outlive a turn: those would keep one reaction
 * for each turn until they settle.
 */
export function createBell(): Bell {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve))
      rung = false
      wake = undefined
    },
  }
}

/** Rings when the signal aborts, and at once if it has. Returns what ends that. */
export function ringOnAbort(bell: Bell, signal: AbortSignal): () => void {
  if (signal.aborted) bell.ring()
  signal.addEventListener('abort', bell.ring)
  return () => signal.removeEventListener('abort', bell.ring)
}
