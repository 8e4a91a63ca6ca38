import {
  change,
  inState,
  isSettled,
  type Action,
  type ActionEnd,
  type ActionLog,
  type ActionRecord,
  type Change,
} from './action-log.ts'

/** The answer to somebody who wants to begin an action. */
export type Begun =
  /** It is the caller's to run, now. */
  | { readonly type: 'owner'; readonly claim: ActionRecord }
  /** Whoever had begun it did not come to an end in time. What became of it is the caller's to find out. */
  | { readonly type: 'orphaned'; readonly claim: ActionRecord }
  /** It has ended already. */
  | { readonly type: 'logged'; readonly end: ActionEnd }
  /** Somebody else is at it. */
  | { readonly type: 'busy' }
  /** A person, or the client, has to act first. */
  | { readonly type: 'waiting' }
  /** Another action has this key. */
  | { readonly type: 'conflict' }

/**
 * Begins an action, which one caller only can do: for anybody else, at any time, it has begun. It counts as pending from
 * before it runs until `leaseMs` later.
 */
export function begin(
  log: ActionLog,
  action: Action,
  now: number,
  leaseMs: number,
): Promise<Begun> {
  return change(log, action.requestId, action.key, (record) => claim(record, action, now, leaseMs))
}

function claim(
  record: ActionRecord | undefined,
  action: Action,
  now: number,
  leaseMs: number,
): Change<Begun> {
  const take = (type: 'owner' | 'orphaned'): Change<Begun> => {
    const write = inState(record ?? action, { state: 'pending', until: now + leaseMs })
    return {
      write,
      answer: { type, claim: { ...write, version: (record?.version ?? 0) + 1 } },
    }
  }
  if (record === undefined) return take('owner')
  if (record.hash !== action.hash) return { answer: { type: 'conflict' } }
  if (isSettled(record)) return { answer: { type: 'logged', end: endOf(record) } }
  if (record.state === 'pending') {
    return record.until < now ? take('orphaned') : { answer: { type: 'busy' } }
  }
  const isFree =
    record.runs === 'server' && (record.approval === undefined || record.approval.approved === true)
  return isFree ? take('owner') : { answer: { type: 'waiting' } }
}

/**
 * Goes on with an action that the caller has claimed. `undefined`: the claim was too old, and somebody else has the
 * action by now.
 */
export async function renewClaim(
  log: ActionLog,
  claimed: ActionRecord,
  until: number,
): Promise<ActionRecord | undefined> {
  const next = { ...inState(claimed, { state: 'pending', until }), version: claimed.version + 1 }
  return (await log.write(next)) ? next : undefined
}

/**
 * Writes how an action ended, and answers how it has ended by the log. A claim that was too old counts no more, and
 * somebody else finds out; but that an action was seen to succeed is the truth, whoever has it.
 */
export function settleAction(
  log: ActionLog,
  claimed: ActionRecord,
  end: ActionEnd,
): Promise<ActionEnd> {
  return change(log, claimed.requestId, claimed.key, (record) => {
    if (record === undefined) return { write: inState(claimed, end), answer: end }
    const isOpen = record.state === 'pending' || record.state === 'unknown'
    const isOwn = record.version === claimed.version
    if (isOwn || (isOpen && end.state === 'succeeded')) {
      return { write: inState(record, end), answer: end }
    }
    return { answer: isSettled(record) ? endOf(record) : TAKEN_OVER }
  })
}

const TAKEN_OVER: ActionEnd = {
  state: 'unknown',
  error: 'It took too long, and another process is finding out what became of it.',
}

/** How a settled action ended, without what it was. */
export function endOf(record: ActionRecord & ActionEnd): ActionEnd {
  switch (record.state) {
    case 'succeeded':
      return { state: record.state, output: record.output }
    case 'failed':
    case 'unknown':
      return { state: record.state, error: record.error }
    case 'denied':
      return { state: record.state, error: record.error, gate: record.gate }
    case 'withdrawn':
      return { state: record.state }
  }
}
