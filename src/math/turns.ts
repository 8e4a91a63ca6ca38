'use client'
/** What one turn may take before the page gets its own. */
const turnMs = 8

let end = 0

/** Runs `work` now if this turn has time left, else in a later one. Gives what takes it back. */
export function inTurn(work: () => void): () => void {
  const now = performance.now()
  if (end === 0) {
    end = now + turnMs
    setTimeout(() => (end = 0))
  }
  if (now < end) {
    work()
    return () => undefined
  }
  let takeBack = (): void => undefined
  const timer = setTimeout(() => (takeBack = inTurn(work)))
  return () => {
    clearTimeout(timer)
    takeBack()
  }
}
