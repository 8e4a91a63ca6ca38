import type { Clock } from '../protocol/clock.ts'

/** How long a connection may be silent. */
export interface WatchdogOptions {
  readonly clock: Clock
  /** No byte for this long, in milliseconds: the connection is dead. `Infinity`: never. */
  readonly deadMs: number
  /** No event for this long, in milliseconds: told as stalled. `Infinity`: never. */
  readonly stallMs: number
  onDead(): void
  onStall(): void
}

/** Two watches over one connection: for bytes and for content. */
export interface Watchdog {
  /** Any byte has come. */
  bytes(): void
  /** An event has come. */
  content(): void
  /** The connection is dead after this long without a byte, in milliseconds. */
  expect(deadMs: number): void
  /** Looks at the clock now: timers do not run while a page is frozen or throttled. */
  check(): void
  stop(): void
}

/** Starts watching. */
export function watch({ clock, deadMs, stallMs, onDead, onStall }: WatchdogOptions): Watchdog {
  let lastByte = clock.now()
  let lastContent = lastByte
  let dead = deadMs
  let stalled = false
  let stopped = false
  let timer: unknown

  const check = (): void => {
    if (stopped) return
    const now = clock.now()
    if (now - lastByte >= dead) {
      stop()
      onDead()
      return
    }
    if (!stalled && now - lastContent >= stallMs) {
      stalled = true
      onStall()
    }
    clock.clearTimeout(timer)
    const next = Math.min(lastByte + dead, stalled ? Infinity : lastContent + stallMs)
    // A timer of infinite length would fire at once.
    timer = next === Infinity ? undefined : clock.setTimeout(check, Math.max(1, next - now))
  }
  const stop = (): void => {
    stopped = true
    clock.clearTimeout(timer)
  }
  check()
  return {
    bytes: () => (lastByte = clock.now()),
    content() {
      lastByte = lastContent = clock.now()
      if (stalled) {
        stalled = false
        check()
      }
    },
    expect(ms) {
      dead = ms
      check()
    },
    check,
    stop,
  }
}
