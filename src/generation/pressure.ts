import type { Clock } from '../protocol/clock.ts'

/** Text applied and not yet drawn, in UTF-16 units, above which reading stops (protocol §8). */
const HIGH_UNITS = 256 * 1024
/** A page that is hidden while a frame is awaited gets none: it is brought up to date after this, in milliseconds. */
const NO_FRAME_MS = 1000

/**
 * Slows reading to the speed of drawing: DOM slow → reads stop → the server's buffer fills → the model waits. There is no
 * low mark, since drawing empties the queue at once.
 */
export interface Pressure {
  /** Text was applied. */
  add(units: number): void
  /** Everything so far was shown. */
  drawn(): void
  /** Resolves once there is room; `undefined` where there is. */
  wait(): Promise<void> | undefined
}

/** Counts what waits to be drawn. */
export function createPressure(options: {
  readonly clock: Clock
  flush(): void
  isHidden(): boolean
  /** Reading pauses, with this much waiting. */
  onPause(units: number): void
}): Pressure {
  const { clock, flush, isHidden, onPause } = options
  let waiting = 0
  let pause: { readonly over: Promise<void>; readonly end: () => void } | undefined
  return {
    add: (units) => void (waiting += units),
    drawn() {
      waiting = 0
      pause?.end()
      pause = undefined
    },
    wait() {
      if (waiting < HIGH_UNITS) return undefined
      if (isHidden()) {
        flush()
        return undefined
      }
      if (pause !== undefined) return pause.over
      onPause(waiting)
      let release = (): void => {}
      const over = new Promise<void>((resolve) => (release = resolve))
      const timer = clock.setTimeout(flush, NO_FRAME_MS)
      const end = (): void => {
        clock.clearTimeout(timer)
        release()
      }
      pause = { over, end }
      return over
    },
  }
}
