import type { Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import { fingerprintOf } from '../protocol/fingerprint.ts'
import { createId } from '../protocol/ids.ts'
import {
  change,
  compensationKey,
  inState,
  isSettled,
  runKey,
  type Action,
  type ActionEnd,
  type ActionLog,
  type ActionRecord,
  type Approval,
} from './action-log.ts'
import { endOf } from './begin.ts'
import { EXPIRED, isExpired, propose, waitsFor } from './decide.ts'
import { passGates, type Passage } from './gates.ts'
import { runOnce, type Deed } from './run-once.ts'
import {
  DEFAULT_TIMEOUT_MS,
  toolNamed,
  type Tool,
  type ToolContext,
  type Tools,
  type ToolStatus,
} from './tool.ts'

/** What the tools of a server need. */
export interface ToolRunnerOptions {
  readonly log: ActionLog
  /** Absent: the model's calls are the client's own affair, and pass every gate. */
  readonly tools: Tools | undefined
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** A call that a model has made. */
export interface ToolCall {
  readonly requestId: string
  readonly toolCallId: string
  readonly name: string
  /** `provider`: at the model's side. Else who runs it follows from the tool. */
  readonly runs: 'client' | 'server' | 'provider'
  /** Absent: they are not JSON. */
  readonly args?: unknown
  /** An approval that the model's side has asked for. */
  readonly approval?: Approval | undefined
}

/** Who asks, and until when. */
export interface Asking {
  readonly headers: Headers
  readonly signal: AbortSignal
}

/** How a call stands once this side has done what it can. */
export type CallOutcome =
  | { readonly type: 'ended'; readonly end: ActionEnd }
  /** Stopped, while another process was at it. */
  | { readonly type: 'pending' }
  | { readonly type: 'waits'; readonly for: 'person' | 'client'; readonly record: ActionRecord }
  /** A person has approved what the model's side runs. */
  | { readonly type: 'passed-on'; readonly record: ActionRecord }

/** Leads calls through the gates and runs what passes, at most once. */
export interface ToolRunner {
  /** A call of this answer. */
  take(call: ToolCall, asking: Asking): Promise<CallOutcome>
  /** An action of an earlier answer: runs what was approved since. Rejects if the log can't be written or read. */
  goOn(record: ActionRecord, asking: Asking): Promise<CallOutcome>
  /** Whether other arguments, which a person has put in their place, pass the gates. */
  examine(record: ActionRecord, args: unknown, asking: Asking): Promise<Passage>
  /** Undoes an action that succeeded. `undefined`: there is nothing to undo, or no way to. */
  compensate(record: ActionRecord, asking: Asking): Promise<CallOutcome | undefined>
}

const APPROVAL_MS = 24 * 60 * 60_000

/** Makes the runner of a server's tools. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { log, tools, clock, onError } = options

  const gates = (
    { key, requestId, toolCallId, name }: Action,
    args: unknown,
    approved: boolean,
    { headers, signal }: Asking,
  ): Promise<Passage> =>
    passGates(
      { tool: toolNamed(tools, name), args, approved },
      { context: { key, requestId, toolCallId, headers }, clock, signal, onError },
    )

  const run = async (
    action: Action,
    tool: Tool,
    input: unknown,
    { headers, signal }: Asking,
  ): Promise<CallOutcome> => {
    const { key, requestId, toolCallId } = action
    const context = (own: AbortSignal): ToolContext => ({
      key,
      requestId,
      toolCallId,
      headers,
      signal: own,
    })
    const deed: Deed = {
      timeoutMs: tool.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      run: (own) => tool.run?.(input, context(own)),
      queryStatus:
        tool.queryStatus && ((own) => tool.queryStatus?.(input, context(own)) ?? unknownStatus),
    }
    const end = await runOnce(action, deed, { log, clock, signal, onError })
    return end.state === 'pending' ? { type: 'pending' } : { type: 'ended', end }
  }

  const wait = async (action: Action, asking: Asking): Promise<CallOutcome> => {
    const record = await propose(log, action)
    return record === undefined ? ended(TAKEN) : goOn(record, asking)
  }

  /** Ends an action that has not begun. If somebody else has moved it in between, that counts. */
  const settle = async (
    record: ActionRecord,
    end: ActionEnd,
    asking: Asking,
  ): Promise<CallOutcome> => {
    const moved = await change(log, record.requestId, record.key, (now) =>
      now === undefined || now.version === record.version
        ? { write: inState(record, end), answer: undefined }
        : { answer: now },
    )
    return moved === undefined ? ended(end) : goOn(moved, asking)
  }

  /** How an action that has begun ends: what it needs is its input, since it has passed the gates. */
  const find = async (record: ActionRecord, asking: Asking): Promise<CallOutcome> => {
    const tool = toolNamed(tools, record.name)
    if (tool?.run !== undefined) {
      const { key, requestId, toolCallId } = record
      const context = { key, requestId, toolCallId, headers: asking.headers }
      const bare: Tool = { input: tool.input, timeoutMs: tool.timeoutMs }
      const passage = await passGates(
        { tool: bare, args: record.args, approved: true },
        { context, clock, signal: new AbortController().signal, onError },
      )
      if (passage.type === 'passed') return run(record, tool, passage.input, asking)
    }
    // Nobody is left who could run it or be asked after it.
    return run(record, LOST, undefined, asking)
  }

  const goOn = async (record: ActionRecord, asking: Asking): Promise<CallOutcome> => {
    if (isSettled(record)) return ended(endOf(record))
    if (record.state === 'pending') return find(record, asking)
    if (isExpired(record, clock.now())) return settle(record, EXPIRED, asking)
    const whom = waitsFor(record)
    if (whom !== 'nobody') return { type: 'waits', for: whom, record }
    if (record.runs === 'provider') return { type: 'passed-on', record }
    // Hours may lie between the call and the person's yes: the facts and the permission must hold now.
    const passage = await gates(record, record.args, true, asking)
    const tool = toolNamed(tools, record.name)
    if (passage.type !== 'refused' && tool?.run !== undefined) {
      return run(record, tool, passage.input, asking)
    }
    const { gate, error } = passage.type === 'refused' ? passage : NO_RUN
    const end: ActionEnd = asking.signal.aborted ? WITHDRAWN : { state: 'denied', error, gate }
    return settle(record, end, asking)
  }

  const take = async (call: ToolCall, asking: Asking): Promise<CallOutcome> => {
    const { requestId, toolCallId, name, runs, args, approval } = call
    const key = runKey(requestId, toolCallId)
    const action: Action = {
      key,
      requestId,
      toolCallId,
      kind: 'run',
      name,
      runs,
      args,
      hash: await fingerprintOf(args),
    }
    if (approval !== undefined) return wait({ ...action, approval }, asking)
    if (tools === undefined) return wait({ ...action, runs: 'client' }, asking)
    const passage = await gates(action, args, false, asking)
    switch (passage.type) {
      case 'refused': {
        const { gate, error } = passage
        return ended(asking.signal.aborted ? WITHDRAWN : { state: 'denied', error, gate })
      }
      case 'ask': {
        const ms = toolNamed(tools, name)?.approvalMs ?? APPROVAL_MS
        const expiresAt = Math.round(clock.now() + ms)
        return wait({ ...action, approval: { id: createId(), expiresAt } }, asking)
      }
      case 'passed': {
        const tool = toolNamed(tools, name)
        if (tool?.run === undefined) return wait({ ...action, runs: 'client' }, asking)
        return run(action, tool, passage.input, asking)
      }
    }
  }

  return {
    take: (call, asking) =>
      take(call, asking).catch((error: unknown) => {
        onError(error)
        return ended(UNLOGGED)
      }),

    goOn,

    examine: (record, args, asking) => gates(record, args, true, asking),

    async compensate(record, asking) {
      const tool = toolNamed(tools, record.name)
      if (record.state !== 'succeeded' || tool?.compensate === undefined) return undefined
      const { requestId, toolCallId, output } = record
      const action: Action = {
        key: compensationKey(requestId, toolCallId),
        requestId,
        toolCallId,
        kind: 'compensate',
        name: record.name,
        runs: 'server',
        args: output,
        hash: await fingerprintOf(output),
      }
      const undo: Tool = {
        input: tool.input,
        timeoutMs: tool.timeoutMs,
        run: (value, context) => tool.compensate?.(value, context),
      }
      return run(action, undo, output, asking)
    },
  }
}

function ended(end: ActionEnd): CallOutcome {
  return { type: 'ended', end }
}

const WITHDRAWN: ActionEnd = { state: 'withdrawn' }

const UNLOGGED: ActionEnd = {
  state: 'failed',
  error: 'Nothing was done: the action could not be logged.',
}

const TAKEN: ActionEnd = {
  state: 'failed',
  error: 'Nothing was done: another action was begun under the same id.',
}

const NO_RUN = {
  gate: 'tool',
  error: 'Refused by the list of tools: There is no such tool.',
} as const

const unknownStatus: ToolStatus = { state: 'unknown' }

/** Stands in for a tool that is no longer there. */
const LOST: Tool = {
  input: { '~standard': { version: 1, vendor: 'sluice', validate: (value) => ({ value }) } },
  run() {
    throw new SluiceError('not-found', 'Nothing was done: there is no such tool any more.')
  },
}
