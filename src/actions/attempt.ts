import { sleep, type Clock } from '../protocol/clock.ts'

/** How long work that was told to stop may take to do so, in milliseconds. */
export const SETTLE_MS = 1_000

type Ended<T> =
  | { readonly type: 'returned'; readonly value: T }
  | { readonly type: 'threw'; readonly error: unknown }

/** How an attempt went. */
export type Attempt<T> =
  | Ended<T>
  /** It was told to stop and did not return. `rest`: it goes on all the same, and how it ends. */
  | {
      readonly type: 'cut'
      readonly by: 'timeout' | 'stop'
      readonly rest: Promise<Ended<T>> | undefined
    }

/** Bounds of an attempt. */
export interface Bounds {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Does some work within bounds of time, until it is stopped. Begins at once; never rejects. */
export async function attempt<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  { clock, timeoutMs, signal }: Bounds,
): Promise<Attempt<T>> {
  const controller = new AbortController()
  const ending = new AbortController()
  let ended: Ended<T> | undefined
  const running = (async () => work(controller.signal))()
    .then(
      (value): Ended<T> => ({ type: 'returned', value }),
      (error: unknown): Ended<T> => ({ type: 'threw', error }),
    )
    .then((how) => {
      ended = how
      ending.abort()
      return how
    })
  await sleep(clock, timeoutMs, AbortSignal.any([signal, ending.signal]))
  if (ended !== undefined) return ended
  const by = signal.aborted ? 'stop' : 'timeout'
  controller.abort(
    by === 'stop'
      ? new DOMException('The answer was stopped.', 'AbortError')
      : new DOMException(`The tool took longer than ${timeoutMs} ms.`, 'TimeoutError'),
  )
  await sleep(clock, SETTLE_MS, ending.signal)
  const late = ended as Ended<T> | undefined
  if (late?.type === 'returned') return late
  return { type: 'cut', by, rest: late === undefined ? running : undefined }
}
