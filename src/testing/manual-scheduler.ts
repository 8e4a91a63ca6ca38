import type { Scheduler } from '../generation/scheduler.ts'

/** A scheduler whose frames come when they are told to. */
export interface ManualScheduler extends Scheduler {
  /** Draws one frame: runs what was asked for. Returns whether anything was. */
  frame(): boolean
  /** Whether a frame is asked for. */
  readonly pending: boolean
}

/** Makes a scheduler for tests. */
export function manualScheduler(): ManualScheduler {
  let asked: (() => void) | undefined
  return {
    request(flush) {
      asked = flush
    },
    cancel() {
      asked = undefined
    },
    frame() {
      const flush = asked
      asked = undefined
      flush?.()
      return flush !== undefined
    },
    get pending() {
      return asked !== undefined
    },
  }
}
