/** Waits and limits of reconnecting (protocol §9). */
export interface BackoffOptions {
  /** First wait after the immediate try, in milliseconds. Default 250. */
  readonly baseMs?: number | undefined
  /** Longest wait, in milliseconds. Default 8,000. */
  readonly maxMs?: number | undefined
  /** Tries without progress before the server is asked what became of the stream. Default 8. */
  readonly tries?: number | undefined
  /** Time without progress before that, in milliseconds. Default 60,000. */
  readonly budgetMs?: number | undefined
  /** 0 ≤ x < 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined
}

/** Time without progress before tries are given up, in milliseconds. */
export const BUDGET_MS = 60_000

/** Counts tries. Only a new event is progress, an opened connection is none. */
export interface Backoff {
  /** How long to wait before the next try, in milliseconds; `undefined`: give up. */
  next(now: number): number | undefined
  /** Time in which nothing could be tried, in milliseconds, counts for nothing. */
  skip(ms: number): void
  progress(): void
}

/** 0, 250 ms, then doubled up to 8 s, with full jitter, for 8 tries or 60 s. */
export function createBackoff(options: BackoffOptions = {}): Backoff {
  const {
    baseMs = 250,
    maxMs = 8000,
    tries = 8,
    budgetMs = BUDGET_MS,
    random = Math.random,
  } = options
  let tried = 0
  let since: number | undefined
  return {
    next(now) {
      since ??= now
      if (tried >= tries || now - since >= budgetMs) return undefined
      tried++
      return tried === 1 ? 0 : random() * Math.min(maxMs, baseMs * 2 ** (tried - 2))
    },
    skip(ms) {
      if (since !== undefined) since += ms
    },
    progress() {
      tried = 0
      since = undefined
    },
  }
}
