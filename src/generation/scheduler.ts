import { systemClock, type Clock } from '../protocol/clock.ts'

/** Decides when what has arrived is shown. */
export interface Scheduler {
  /** Asks for one call of `flush` at the next good moment. Asking again before that changes nothing. */
  request(flush: () => void): void
  /** Forgets what was asked. */
  cancel(): void
}

/** The parts of a page that the frame scheduler uses. */
export interface FrameHost {
  requestAnimationFrame(run: (time: number) => void): number
  cancelAnimationFrame(handle: number): void
  isHidden(): boolean
  onVisible(run: () => void): () => void
}

/** How often a hidden page is brought up to date, at most, in milliseconds. */
const HIDDEN_INTERVAL_MS = 250
/** A flush whose frame took longer than this makes the next one wait. */
const FRAME_BUDGET_MS = 34
/** Longest wait after a slow flush. */
const MAX_WAIT_MS = 250

/**
 * Flushes once per animation frame. While the page is hidden no frame comes and timers are throttled, so there it flushes
 * from the call itself, at most every 250 ms, and when the page becomes visible. Without a page (Node, workers) it flushes
 * once per turn of the event loop. After a frame that took long the next
 * flush waits as long again, so that input stays responsive.
 */
export function frameScheduler(
  host: FrameHost | undefined = pageHost(),
  clock: Clock = systemClock,
): Scheduler {
  let pending: (() => void) | undefined
  let frame: number | undefined
  let timer: unknown
  let offVisible: (() => void) | undefined
  let lastFlush = -Infinity
  let notBefore = -Infinity

  const run = (): void => {
    const flush = pending
    clear()
    if (flush === undefined) return
    const begun = clock.now()
    lastFlush = begun
    flush()
    // What React draws for this flush runs before the next task; its cost is what counts.
    if (host !== undefined) {
      afterTask(() => {
        const cost = clock.now() - begun
        notBefore = cost > FRAME_BUDGET_MS ? clock.now() + Math.min(cost, MAX_WAIT_MS) : -Infinity
      })
    }
  }

  const onFrame = (): void => {
    frame = undefined
    if (clock.now() < notBefore && host !== undefined) frame = host.requestAnimationFrame(onFrame)
    else run()
  }

  const clear = (): void => {
    pending = undefined
    if (frame !== undefined) host?.cancelAnimationFrame(frame)
    frame = undefined
    clock.clearTimeout(timer)
    timer = undefined
    offVisible?.()
    offVisible = undefined
  }

  return {
    request(flush) {
      pending = flush
      if (host === undefined) {
        timer ??= clock.setTimeout(run, 0)
        return
      }
      if (host.isHidden()) {
        if (clock.now() - lastFlush >= HIDDEN_INTERVAL_MS) run()
        else offVisible ??= host.onVisible(run)
        return
      }
      frame ??= host.requestAnimationFrame(onFrame)
      // A frame that was asked for may never come if the page is hidden before it.
      offVisible ??= host.onVisible(run)
    },
    cancel: clear,
  }
}

/** The host of the page that this runs in; `undefined` where there is none (Node, workers). */
export function pageHost(): FrameHost | undefined {
  if (typeof document === 'undefined' || typeof requestAnimationFrame === 'undefined')
    return undefined
  return {
    requestAnimationFrame: (run) => requestAnimationFrame(run),
    cancelAnimationFrame: (handle) => cancelAnimationFrame(handle),
    isHidden: () => document.visibilityState === 'hidden',
    onVisible(run) {
      const onChange = (): void => {
        if (document.visibilityState === 'visible') run()
      }
      document.addEventListener('visibilitychange', onChange)
      return () => document.removeEventListener('visibilitychange', onChange)
    },
  }
}

function afterTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    run()
  }
  port2.postMessage(null)
}
