import type { Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'

/** Longest wait for the answer to a question about a stream, in milliseconds. */
const ANSWER_MS = 10_000

/**
 * Runs what has to answer in time. Rejects with `timeout` when it does not, and when `outside` aborts, whatever it does with
 * its own signal: a call to a server that accepts and never answers would otherwise wait for ever.
 */
export function within<T>(
  { clock, outside }: { clock: Clock; outside?: AbortSignal | undefined },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const tidy = (): void => {
      clock.clearTimeout(timer)
      outside?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      tidy()
      limit.abort()
      reject(new SluiceError('timeout', `The server did not answer within ${ANSWER_MS} ms.`))
    }
    const timer = clock.setTimeout(giveUp, ANSWER_MS)
    outside?.addEventListener('abort', giveUp)
    const asked = async (): Promise<T> => run(limit.signal)
    asked().then(resolve, reject).finally(tidy)
  })
}
