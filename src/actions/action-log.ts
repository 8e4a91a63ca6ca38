import type { ToolGate } from '../protocol/events.ts'

/** A person's part in an action. */
export interface Approval {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Absent: not decided yet. */
  readonly approved?: boolean | undefined
  readonly reason?: string | undefined
}

/** What is to be done. */
export interface Action {
  /** `requestId:toolCallId`; a compensation has a key of its own. */
  readonly key: string
  readonly requestId: string
  readonly toolCallId: string
  readonly kind: 'run' | 'compensate'
  /** The tool's. */
  readonly name: string
  readonly runs: 'client' | 'server' | 'provider'
  /** As the model gave them, or as a person edited them; of a compensation, what the action returned. */
  readonly args: unknown
  /** Of `args`: another hash under the same key is another action, and refused. */
  readonly hash: string
  /** Where a person has to decide, or has decided. */
  readonly approval?: Approval | undefined
}

/** How an action ended. Final, but for an `unknown` of which the truth comes late. */
export type ActionEnd =
  | { readonly state: 'succeeded'; readonly output: unknown }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }
  /** By a person, or by the gate named. */
  | { readonly state: 'denied'; readonly error: string; readonly gate?: ToolGate | undefined }
  /** The answer was stopped before the action began: it never will. */
  | { readonly state: 'withdrawn' }

/** How an action stands. */
export type ActionState =
  /** For a person's decision, for the client's result, or, once approved, to be run. */
  | { readonly state: 'waiting' }
  /** Begun, by a process that must have ended it at `until` (milliseconds since the epoch). */
  | { readonly state: 'pending'; readonly until: number }
  | ActionEnd

/** One action as it is kept: plain JSON. */
export type ActionRecord = Action & ActionState & { readonly version: number }

/**
 * Where actions are kept, so that none is run twice: shared by all processes that may run them, and kept longer than the
 * streams themselves (24 hours or more).
 */
export interface ActionLog {
  /** The actions of a stream, in the order in which they were first written. Copies, or never changed. */
  read(requestId: string): Promise<readonly ActionRecord[]>
  /**
   * Writes a record if what is there under its key has the version before (1: if nothing is there), else changes nothing
   * and resolves to `false`. Atomic: all of the promise of "at most once" rests on it. Rejects if it can't write; the
   * action is then not begun.
   */
  write(record: ActionRecord): Promise<boolean>
}

/** The key of a call's action. */
export function runKey(requestId: string, toolCallId: string): string {
  return `${requestId}:${toolCallId}`
}

/** The key of its compensation. A request id has no slash, so that no call can be named to have this key. */
export function compensationKey(requestId: string, toolCallId: string): string {
  return `${requestId}/compensate:${toolCallId}`
}

/** Whether an action has come to its end. */
export function isSettled(record: ActionState): record is ActionEnd {
  return record.state !== 'waiting' && record.state !== 'pending'
}

/** What `change` is to write, if anything, and to answer. */
export interface Change<T> {
  readonly write?: (Action & ActionState) | undefined
  readonly answer: T
}

/** Changes one record by what it is now; tried anew for as long as others change it in between. */
export async function change<T>(
  log: ActionLog,
  requestId: string,
  key: string,
  step: (record: ActionRecord | undefined) => Change<T>,
): Promise<T> {
  for (;;) {
    const record = (await log.read(requestId)).find((each) => each.key === key)
    const { write, answer } = step(record)
    if (write === undefined) return answer
    if (await log.write({ ...write, version: (record?.version ?? 0) + 1 })) return answer
  }
}

/** The record in another state. */
export function inState(record: Action, state: ActionState): Action & ActionState {
  const { key, requestId, toolCallId, kind, name, runs, args, hash, approval } = record
  const action = { key, requestId, toolCallId, kind, name, runs, args, hash }
  return { ...action, ...(approval !== undefined && { approval }), ...state }
}
