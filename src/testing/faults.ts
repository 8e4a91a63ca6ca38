import { sleep, type Clock } from '../protocol/clock.ts'

/** What can go wrong on the way from a model to a page. */
export type FaultType =
  /** Bytes: every character of more than one byte is cut in two. */
  | 'split-utf8'
  /** Bytes: every record is cut in two. */
  | 'cut-event'
  /** Nothing comes for a while. */
  | 'stall'
  /** An event comes after the one that follows it. */
  | 'reorder'
  /** An event comes twice. */
  | 'duplicate'
  /** An event never comes. */
  | 'drop'
  /** The model reports a failure and says no more. */
  | 'model-error'
  /** A tool's result never comes: nobody knows whether it took effect. */
  | 'tool-timeout'
  /** The connection is lost. */
  | 'disconnect'
  /** The server dies and comes back without its streams. */
  | 'restart'

/** One fault, and where it strikes. */
export interface Fault {
  readonly type: FaultType
  /** How many events or records come before it. Default: 2. */
  readonly after?: number | undefined
  /** How long a stall lasts, in milliseconds. Default: 1,000. */
  readonly ms?: number | undefined
  /** Which connection or call it strikes, from 0. Default: the first; then they are well. */
  readonly connection?: number | undefined
}

/** How faults look to what carries the items. */
export interface Disturbance<T> {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The item that tells of a model's failure. */
  modelError(): T
  /** The item in place of a tool's result; `undefined`: it is none. */
  timedOut(item: T): T | undefined
}

/** Thrown in place of the rest: the connection is gone. */
export class LostConnection extends TypeError {
  constructor() {
    // The text differs from browser to browser; nothing may depend on it.
    super('network error')
  }
}

/** Carries items on, with what goes wrong on the way. */
export async function* disturb<T>(
  items: AsyncIterable<T>,
  faults: readonly Fault[],
  { clock, signal, modelError, timedOut }: Disturbance<T>,
): AsyncGenerator<T, void> {
  let place = 0
  let held: T | undefined
  for await (const item of items) {
    const here = faults.filter(({ type, after = 2 }) => type !== 'tool-timeout' && after === place)
    const strikes = (type: FaultType): Fault | undefined =>
      here.find((fault) => fault.type === type)
    place += 1
    const stall = strikes('stall')
    if (stall !== undefined) await sleep(clock, stall.ms ?? 1_000, signal)
    if (strikes('disconnect') ?? strikes('restart')) throw new LostConnection()
    if (strikes('model-error')) {
      yield modelError()
      return
    }
    if (strikes('drop')) continue
    if (strikes('reorder')) {
      held = item
      continue
    }
    const late = faults.some(({ type }) => type === 'tool-timeout') ? timedOut(item) : undefined
    yield late ?? item
    if (strikes('duplicate')) yield item
    if (held !== undefined) {
      yield held
      held = undefined
    }
  }
  if (held !== undefined) yield held
}
