/** Does one thing at a time to each of many: what was read still holds when it is written. */
export interface Turns {
  take<T>(id: string, run: () => Promise<T>): Promise<T>
  /** Resolves once everything begun so far has ended, however it did. */
  idle(): Promise<void>
}

/** Makes queues, one an id. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(id, run) {
      const turn = (last.get(id) ?? Promise.resolve()).then(run)
      const settled = turn.catch(() => {})
      last.set(id, settled)
      void settled.then(() => last.get(id) === settled && last.delete(id))
      return turn
    },
    async idle() {
      await Promise.all(last.values())
    },
  }
}
