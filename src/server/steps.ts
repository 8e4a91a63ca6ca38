import type { ActionRecord } from '../actions/action-log.ts'
import { toolNamed } from '../actions/tool.ts'
import type { CallOutcome, ToolCall } from '../actions/tool-runner.ts'
import type { Clock } from '../protocol/clock.ts'
import { streamError } from '../protocol/errors.ts'
import {
  isTerminal,
  type EventBody,
  type FinishReason,
  type TerminalEvent,
  type ToolAction,
  type Usage,
} from '../protocol/events.ts'
import type { ChatMessage } from '../protocol/message.ts'
import type { Model, ModelRequest } from '../protocol/transport.ts'
import { callModel } from './call-model.ts'
import { earlierActions, isNews, withTruth } from './earlier-actions.ts'
import { createRenamer } from './renamer.ts'
import { createStep } from './step.ts'
import { asCompleted, resultEvent } from './tool-events.ts'
import type { Toolbox } from './toolbox.ts'
import { continuedIn, createTurn } from './turn.ts'
import { endWith } from './usage.ts'

/** What an answer in steps is made of. */
export interface StepsOptions {
  readonly model: Model
  readonly request: ModelRequest
  readonly requestId: string
  /** Of the request that asks for the answer. */
  readonly headers: Headers
  readonly toolbox: Toolbox
  readonly clock: Clock
}

/** An answer as the model and the tools make it, by turns. */
export interface Steps {
  /** What all model calls and tools say, as one stream with at most one end (protocol §6). */
  run(signal: AbortSignal): AsyncGenerator<EventBody, void>
  /** Sets right what the stream told of its actions, and adds those of an earlier stream that it saw to. */
  actions(told: readonly ToolAction[]): readonly ToolAction[]
}

/** The ends of a model call after which its calls are seen to. */
const RUNNABLE: ReadonlySet<FinishReason> = new Set([
  'stop',
  'stop-sequence',
  'tool-calls',
  'paused',
  'other',
])

/** Calls the model, sees to what it asks for, and calls it again with what came of that. */
export function createSteps(options: StepsOptions): Steps {
  const { model, request, requestId, headers, toolbox, clock } = options
  const { tools, descriptions, runner, log, maxSteps } = toolbox
  const known = new Map<string, ToolAction>()

  const note = (toolCallId: string, name: string, state: ToolAction['state']): void => {
    const isOffered = state === 'succeeded' && toolNamed(tools, name)?.compensate !== undefined
    known.set(toolCallId, { toolCallId, name, state, ...(isOffered && { compensable: true }) })
  }

  /** What the stream says of a call that has been seen to. */
  const telling = (
    { toolCallId, name }: ToolCall | ActionRecord,
    outcome: CallOutcome,
  ): readonly EventBody[] => {
    switch (outcome.type) {
      case 'pending':
      case 'passed-on':
        return []
      case 'waits': {
        note(toolCallId, name, 'not-run')
        const { approval } = outcome.record
        if (outcome.for === 'client' || approval === undefined) return []
        const { id: approvalId, expiresAt } = approval
        return [
          {
            type: 'tool_approval',
            toolCallId,
            approvalId,
            ...(expiresAt !== undefined && { expiresAt }),
          },
        ]
      }
      case 'ended': {
        const { end } = outcome
        const isWithdrawn = end.state === 'withdrawn'
        note(toolCallId, name, isWithdrawn ? 'not-run' : end.state)
        return [resultEvent(toolCallId, end)]
      }
    }
  }

  /** What runs here has not begun before it is seen to, unless the model says what came of it. */
  const watch = (body: EventBody): void => {
    if (body.type === 'tool_start' && body.runs !== 'provider') {
      note(body.toolCallId, body.name, 'not-run')
    } else if (body.type === 'tool_result' && body.preliminary !== true) {
      known.delete(body.toolCallId)
    }
  }

  async function* seeTo(
    calls: readonly ToolCall[],
    signal: AbortSignal,
    waits: CallOutcome[],
  ): AsyncGenerator<EventBody, void> {
    const work = calls.map(async (call) => {
      note(call.toolCallId, call.name, 'pending')
      return { call, outcome: await runner.take(call, { headers, signal }) }
    })
    for await (const { call, outcome } of asCompleted(work)) {
      if (outcome.type === 'waits') waits.push(outcome)
      const said = telling(call, outcome)
      // The model's side has asked for its own approvals itself, and what a Stop has kept from beginning is no result.
      const isUntold =
        outcome.type === 'waits'
          ? call.approval === undefined
          : outcome.type === 'ended' && outcome.end.state !== 'withdrawn'
      if (isUntold) yield* said
    }
  }

  async function* run(signal: AbortSignal): AsyncGenerator<EventBody, void> {
    let truth: ChatMessage | undefined = continuedIn(request)
    const { continues } = request
    if (continues !== undefined) {
      const earlier = await earlierActions(log, continues, clock.now())
      if (earlier === 'waiting') {
        yield { type: 'error', ...stillWaiting }
        return
      }
      const work = earlier.map(async (record) => ({
        record,
        outcome: await runner.goOn(record, { headers, signal }),
      }))
      for await (const { record, outcome } of asCompleted(work)) {
        truth = truth && withTruth(truth, record, outcome)
        if (isNews(record)) {
          const said = telling(record, outcome)
          if (truth?.id === request.messageId) yield* said
        }
      }
    }
    const turn = createTurn(request, requestId, truth)
    const names = createRenamer(turn.earlierCalls)
    let used: Usage = {}

    for (let count = 1; !signal.aborted; count += 1) {
      const step = createStep(requestId, tools, used)
      const said: EventBody[] = []
      const messages = turn.messages()
      const asked: ModelRequest =
        descriptions === undefined
          ? { ...request, messages }
          : { ...request, messages, tools: descriptions }
      let end: TerminalEvent | undefined
      for await (const body of callModel(model, asked, { signal, requestId })) {
        if (count > 1 && body.type === 'start') continue
        const own = step.add(names.rename(body))
        if (isTerminal(own)) {
          end = own
          break
        }
        if (tools !== undefined) {
          said.push(own)
          watch(own)
        }
        yield own
      }
      if (end?.type !== 'done' || !RUNNABLE.has(end.finishReason)) {
        if (end !== undefined) yield endWith(used, end)
        return
      }
      const calls = step.open()
      if (calls.length === 0) {
        yield endWith(used, end)
        return
      }
      const waits: CallOutcome[] = []
      for await (const body of seeTo(calls, signal, waits)) {
        said.push(body)
        yield body
      }
      if (signal.aborted) return
      used = step.usage()
      const usage = Object.keys(used).length === 0 ? {} : { usage: used }
      if (waits.length > 0) {
        const isAsked = waits.some((wait) => wait.type === 'waits' && wait.for === 'person')
        yield { ...end, finishReason: isAsked ? 'paused' : 'tool-calls', ...usage }
        return
      }
      if (count === maxSteps) {
        yield { type: 'done', finishReason: 'paused', rawFinishReason: 'max-steps', ...usage }
        return
      }
      const next: EventBody = { type: 'step', finishReason: end.finishReason }
      turn.add([...said, next])
      names.nextCall()
      yield next
    }
  }

  return {
    run,
    actions(told) {
      const own = new Set(told.map(({ toolCallId }) => toolCallId))
      const earlier = [...known.values()].filter(({ toolCallId }) => !own.has(toolCallId))
      return [...earlier, ...told.map((action) => known.get(action.toolCallId) ?? action)]
    },
  }
}

const stillWaiting = streamError(
  'conflict',
  'This answer can’t go on yet: one of its actions still waits for a decision or a result.',
)
