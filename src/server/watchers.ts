import type { Hint } from './event-log.ts'

/** Who in this process wants to be told of which run. */
export interface Watchers {
  tell(id: string, hint: Hint): void
  add(id: string, hear: (hint: Hint) => void, signal: AbortSignal): void
}

/** Keeps who watches which run. */
export function createWatchers(): Watchers {
  const watchers = new Map<string, Set<(hint: Hint) => void>>()
  return {
    tell(id, hint) {
      for (const hear of watchers.get(id) ?? []) hear(hint)
    },
    add(id, hear, signal) {
      if (signal.aborted) return
      const own = watchers.get(id) ?? new Set()
      watchers.set(id, own.add(hear))
      signal.addEventListener(
        'abort',
        () => {
          own.delete(hear)
          if (own.size === 0) watchers.delete(id)
        },
        { once: true },
      )
    },
  }
}
