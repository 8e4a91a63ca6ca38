import { fingerprintOf } from '../protocol/fingerprint.ts'
import type { ToolAnswer } from '../protocol/transport.ts'
import {
  change,
  inState,
  isSettled,
  runKey,
  type Action,
  type ActionEnd,
  type ActionLog,
  type ActionRecord,
  type ActionState,
  type Change,
} from './action-log.ts'

/** What became of an answer to a call. */
export type Decided =
  /** It counts, or had been given already. */
  | { readonly type: 'taken'; readonly record: ActionRecord }
  /** No such call, or no such approval, waits here. */
  | { readonly type: 'no-such-action' }
  /** Something else was decided, or it is too late, or not yet time. */
  | { readonly type: 'conflict'; readonly problem: string }

/** Whom an action waits for: `nobody` may be run. */
export function waitsFor(record: ActionRecord): 'person' | 'client' | 'nobody' {
  if (record.state !== 'waiting') return 'nobody'
  if (record.approval !== undefined && record.approval.approved === undefined) return 'person'
  return record.runs === 'client' ? 'client' : 'nobody'
}

/** Keeps that an action waits. One that is kept already stays as it is; `undefined`: it is another one. */
export function propose(log: ActionLog, action: Action): Promise<ActionRecord | undefined> {
  return change(log, action.requestId, action.key, (record) => {
    if (record !== undefined) return { answer: record.hash === action.hash ? record : undefined }
    const write = inState(action, { state: 'waiting' })
    return { write, answer: { ...write, version: 1 } }
  })
}

/**
 * Takes a person's decision, or the result of a tool that ran in the client. The same answer again changes nothing;
 * another one is a conflict. Edited arguments must have passed the gates already.
 */
export async function decide(
  log: ActionLog,
  requestId: string,
  answer: Exclude<ToolAnswer, { readonly compensate: true }>,
  now: number,
): Promise<Decided> {
  const editedHash =
    'approved' in answer && answer.input !== undefined
      ? await fingerprintOf(answer.input)
      : undefined
  return change(log, requestId, runKey(requestId, answer.toolCallId), (record) => {
    if (record === undefined) return { answer: { type: 'no-such-action' } }
    return 'approved' in answer
      ? judge(record, answer, editedHash, now)
      : takeResult(record, answer, now)
  })
}

function judge(
  record: ActionRecord,
  answer: Extract<ToolAnswer, { readonly approved: boolean }>,
  editedHash: string | undefined,
  now: number,
): Change<Decided> {
  const { approval } = record
  if (approval === undefined || approval.id !== answer.approvalId) {
    return { answer: { type: 'no-such-action' } }
  }
  const { approved, reason } = answer
  if (approval.approved !== undefined) {
    const isRepeat =
      approval.approved === approved && (editedHash === undefined || editedHash === record.hash)
    return isRepeat
      ? { answer: { type: 'taken', record } }
      : conflict(`This was decided already: ${approval.approved ? 'approved' : 'denied'}.`)
  }
  if (isExpired(record, now)) return conflict(TOO_LATE)
  if (record.state !== 'waiting') return conflict('This action no longer waits for a decision.')
  const decided = {
    ...record,
    ...(approved && editedHash !== undefined && { args: answer.input, hash: editedHash }),
    approval: { ...approval, approved, ...(reason !== undefined && { reason }) },
  }
  return taken(
    decided,
    record.version,
    approved
      ? { state: 'waiting' }
      : { state: 'denied', error: reason ?? 'A person denied this action.' },
  )
}

function takeResult(
  record: ActionRecord,
  answer: Extract<ToolAnswer, { readonly state: string }>,
  now: number,
): Change<Decided> {
  if (record.runs !== 'client') return { answer: { type: 'no-such-action' } }
  const end: ActionEnd =
    answer.state === 'succeeded'
      ? { state: 'succeeded', output: answer.output ?? null }
      : { state: 'failed', error: answer.error }
  if (isSettled(record)) {
    return isSame(record, end)
      ? { answer: { type: 'taken', record } }
      : conflict('This call has another result already.')
  }
  if (isExpired(record, now)) return conflict(TOO_LATE)
  return waitsFor(record) === 'client'
    ? taken(record, record.version, end)
    : conflict('A person has to approve this call first.')
}

/** Whether the time to decide has passed without a decision. */
export function isExpired(record: ActionRecord, now: number): boolean {
  const { expiresAt } = record.approval ?? {}
  return waitsFor(record) === 'person' && expiresAt !== undefined && expiresAt <= now
}

const TOO_LATE = 'The time to decide is over.'

/** How an action ends whose time to be decided has passed. */
export const EXPIRED: ActionEnd = {
  state: 'denied',
  error: 'Nobody decided in time whether this may be done.',
  gate: 'approval',
}

function taken(action: Action, version: number, state: ActionState): Change<Decided> {
  const write = inState(action, state)
  return { write, answer: { type: 'taken', record: { ...write, version: version + 1 } } }
}

function conflict(problem: string): Change<Decided> {
  return { answer: { type: 'conflict', problem } }
}

function isSame(a: ActionEnd, b: ActionEnd): boolean {
  if (a.state === 'succeeded' && b.state === 'succeeded') {
    return JSON.stringify(a.output) === JSON.stringify(b.output)
  }
  return a.state === 'failed' && b.state === 'failed' && a.error === b.error
}
