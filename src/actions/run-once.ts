import { sleep, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import { attempt, SETTLE_MS } from './attempt.ts'
import type { Action, ActionEnd, ActionLog, ActionRecord } from './action-log.ts'
import { begin, renewClaim, settleAction } from './begin.ts'
import type { ToolStatus } from './tool.ts'

/** How an action is done, and how one asks after it. */
export interface Deed {
  readonly timeoutMs: number
  run(signal: AbortSignal): unknown
  queryStatus?: ((signal: AbortSignal) => ToolStatus | Promise<ToolStatus>) | undefined
}

/** What {@link runOnce} needs. */
export interface OnceOptions {
  readonly log: ActionLog
  readonly clock: Clock
  /** Stops the action, as far as it has not happened. */
  readonly signal: AbortSignal
  /** Is told what tools and logs threw. */
  readonly onError: (error: unknown) => void
}

/** How long a tool may take to say what became of an action, in milliseconds. */
const QUERY_MS = 10_000
/** Between clocks of different processes, and for the writing itself. */
const MARGIN_MS = 5_000
/** How soon one looks again whether another has ended it, in milliseconds: at first, and at last. */
const POLL_MS = { first: 50, last: 1_000 }

/**
 * Does an action at most once for its key, and resolves to how it ended: now, earlier, or in another process. What ended
 * is never run again. What ended without a word (timeout, Stop, a dead process) is asked after; only if the tool says
 * that it has not taken effect and will not, it is run once more under the same key. Never rejects. `pending`: stopped
 * while somebody else is at it.
 */
export async function runOnce(
  action: Action,
  deed: Deed,
  options: OnceOptions,
): Promise<ActionEnd | { readonly state: 'pending' }> {
  const { log, clock, signal, onError } = options
  const leaseMs = leaseOf(deed)
  let pollMs = POLL_MS.first
  try {
    for (;;) {
      const begun = await begin(log, action, clock.now(), leaseMs)
      switch (begun.type) {
        case 'owner': {
          const claim = await timely(begun.claim, deed, options)
          if (claim !== undefined) return carryOut(claim, deed, options, true)
          break
        }
        case 'orphaned':
          return recover(begun.claim, deed, options)
        case 'logged':
          return begun.end
        case 'waiting':
          return { state: 'failed', error: 'Nothing was done: nobody has approved it.' }
        case 'conflict':
          return {
            state: 'failed',
            error: 'Nothing was done: another action was begun under the same id.',
          }
        case 'busy':
          if (signal.aborted) return { state: 'pending' }
          await sleep(clock, pollMs, signal)
          pollMs = Math.min(pollMs * 2, POLL_MS.last)
      }
    }
  } catch (error) {
    onError(error)
    // It may have been done before, or be begun by a writing whose answer was lost.
    return {
      state: 'unknown',
      error:
        'Nothing was done now, since the action could not be logged; whether it was before is not known.',
    }
  }
}

/**
 * The claim, young enough for a run under it to end in time: one that was slow to be written might be somebody else's
 * before that. `undefined`: it is by now.
 */
async function timely(
  claim: ActionRecord,
  deed: Deed,
  { log, clock }: OnceOptions,
): Promise<ActionRecord | undefined> {
  let held: ActionRecord | undefined = claim
  while (held?.state === 'pending' && clock.now() > held.until - leaseOf(deed) + MARGIN_MS) {
    held = await renewClaim(log, held, clock.now() + leaseOf(deed))
  }
  return held
}

/** Runs what the caller has claimed. `isFirst`: it may be run once more. */
async function carryOut(
  claim: ActionRecord,
  deed: Deed,
  options: OnceOptions,
  isFirst: boolean,
): Promise<ActionEnd> {
  const { clock, signal } = options
  // The last look before it happens; nothing is awaited between here and the run.
  if (signal.aborted) return settle(claim, { state: 'withdrawn' }, options)
  const tried = await attempt((own) => deed.run(own), { clock, signal, timeoutMs: deed.timeoutMs })
  if (tried.type === 'returned') {
    return settle(claim, succeeded(tried.value, options), options)
  }
  if (tried.type === 'cut' && tried.rest !== undefined) {
    // It goes on without us. Should it say how it ended, that is the truth.
    void tried.rest.then((late) =>
      late.type === 'returned' ? settle(claim, succeeded(late.value, options), options) : undefined,
    )
  }
  if (tried.type === 'threw') options.onError(tried.error)
  const status = await ask(deed, options)
  switch (status?.state) {
    case 'succeeded':
      return settle(claim, succeeded(status.output, options), options)
    case 'failed':
      return settle(claim, { state: 'failed', error: status.error }, options)
    case 'not-run':
      if (tried.type === 'threw') return settle(claim, failed(tried.error), options)
      // What still runs may yet take effect, whatever was said of it.
      if (tried.rest !== undefined) return settle(claim, unknown(tried.by), options)
      if (tried.by === 'stop') return settle(claim, { state: 'withdrawn' }, options)
      return isFirst ? again(claim, deed, options) : settle(claim, notDone, options)
    case 'unknown':
      return settle(claim, unknown(tried.type === 'cut' ? tried.by : 'error'), options)
    case undefined:
      return tried.type === 'threw'
        ? settle(claim, failed(tried.error), options)
        : settle(claim, unknown(tried.by), options)
  }
}

/** What became of an action whose process has died. */
async function recover(claim: ActionRecord, deed: Deed, options: OnceOptions): Promise<ActionEnd> {
  const status = await ask(deed, options)
  switch (status?.state) {
    case 'succeeded':
      return settle(claim, succeeded(status.output, options), options)
    case 'failed':
      return settle(claim, { state: 'failed', error: status.error }, options)
    case 'not-run':
      return again(claim, deed, options)
    case 'unknown':
    case undefined:
      return settle(claim, unknown('death'), options)
  }
}

async function again(claim: ActionRecord, deed: Deed, options: OnceOptions): Promise<ActionEnd> {
  const { log, clock, onError } = options
  let renewed: ActionRecord | undefined
  try {
    renewed = await renewClaim(log, claim, clock.now() + leaseOf(deed))
    if (renewed !== undefined) renewed = await timely(renewed, deed, options)
  } catch (error) {
    onError(error)
  }
  return renewed === undefined
    ? settle(claim, notDone, options)
    : carryOut(renewed, deed, options, false)
}

async function ask(deed: Deed, { clock, onError }: OnceOptions): Promise<ToolStatus | undefined> {
  const { queryStatus } = deed
  if (queryStatus === undefined) return undefined
  // A Stop must not keep the truth from being found out.
  const { signal } = new AbortController()
  const asked = await attempt(queryStatus, { clock, signal, timeoutMs: QUERY_MS })
  if (asked.type === 'returned') return asked.value
  onError(asked.type === 'threw' ? asked.error : new Error('queryStatus took too long.'))
  return { state: 'unknown' }
}

async function settle(
  claim: ActionRecord,
  end: ActionEnd,
  { log, onError }: OnceOptions,
): Promise<ActionEnd> {
  try {
    return await settleAction(log, claim, end)
  } catch (error) {
    // The log still says pending, and will be asked after: nothing is run twice for it.
    onError(error)
    return end
  }
}

/** What is kept survives JSON, as it must in a store; so that it is the same from any. */
function succeeded(value: unknown, { onError }: OnceOptions): ActionEnd {
  try {
    const text = JSON.stringify(value) as string | undefined
    return { state: 'succeeded', output: text === undefined ? null : JSON.parse(text) }
  } catch (error) {
    onError(error)
    return { state: 'succeeded', output: null }
  }
}

/** What may be told of what a tool threw: other words than our own may hold keys, paths or addresses. */
function failed(error: unknown): ActionEnd {
  return {
    state: 'failed',
    error: error instanceof SluiceError ? error.message : 'The tool failed.',
  }
}

const notDone: ActionEnd = {
  state: 'failed',
  error: 'It did not end in time, and has not taken effect.',
}

const CUTS = {
  timeout: 'It did not end in time, and it is not known whether it has taken effect.',
  stop: 'It was stopped, and it is not known whether it has taken effect.',
  death: 'The server stopped in the middle, and it is not known whether it has taken effect.',
  error: 'It failed, and it is not known whether it has taken effect.',
} as const

function unknown(why: keyof typeof CUTS): ActionEnd {
  return { state: 'unknown', error: CUTS[why] }
}

function leaseOf({ timeoutMs }: Deed): number {
  return timeoutMs + SETTLE_MS + QUERY_MS + SETTLE_MS + MARGIN_MS
}
