import { runKey } from '../actions/action-log.ts'
import { decide } from '../actions/decide.ts'
import { toolActions } from '../actions/tool-action.ts'
import type { Clock } from '../protocol/clock.ts'
import type { ToolAnswer } from '../protocol/transport.ts'
import { json, refuse } from './respond.ts'
import type { Refusal } from './runs.ts'
import type { Toolbox } from './toolbox.ts'

/** An answer to a call, and who gives it. */
export interface Act {
  readonly requestId: string
  readonly toolCallId: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** Takes a decision, a result, or the wish to undo an action; answers with the action's true state. Idempotent. */
export async function act(
  { requestId, toolCallId, body, headers }: Act,
  { log, tools, runner }: Toolbox,
  clock: Clock,
): Promise<Response> {
  const answer = readAnswer(toolCallId, body)
  if (answer === undefined) return refuse(noAnswer)
  const find = async (key: string) => (await log.read(requestId)).find((each) => each.key === key)
  const record = await find(runKey(requestId, toolCallId))
  if (record === undefined) return refuse(unknownAction)
  // What was begun goes on, whoever leaves: a person who asks again must find it done.
  const asking = { headers, signal: new AbortController().signal }

  if ('compensate' in answer) {
    const undone = await runner.compensate(record, asking)
    if (undone === undefined) return refuse(notCompensable)
  } else {
    const isEdited = 'approved' in answer && answer.approved && answer.input !== undefined
    if (isEdited && record.state === 'waiting') {
      const passage = await runner.examine(record, answer.input, asking)
      if (passage.type === 'refused') {
        return refuse({ status: 400, code: 'invalid-tool-arguments', message: passage.error })
      }
    }
    const decided = await decide(log, requestId, answer, clock.now())
    if (decided.type === 'no-such-action') return refuse(unknownAction)
    if (decided.type === 'conflict') {
      return refuse({ status: 409, code: 'conflict', message: decided.problem })
    }
  }
  const actions = toolActions(await log.read(requestId), tools)
  return json(actions.find((action) => action.toolCallId === toolCallId))
}

function readAnswer(
  toolCallId: string,
  body: Readonly<Record<string, unknown>>,
): ToolAnswer | undefined {
  const { approvalId, approved, reason, input, state, output, error, compensate } = body
  if (compensate === true) return { toolCallId, compensate }
  if (typeof approvalId === 'string' && typeof approved === 'boolean') {
    return {
      toolCallId,
      approvalId,
      approved,
      ...(typeof reason === 'string' && { reason }),
      ...(input !== undefined && { input }),
    }
  }
  if (state === 'succeeded') return { toolCallId, state, output: output ?? null }
  if (state === 'failed' && typeof error === 'string') return { toolCallId, state, error }
  return undefined
}

const noAnswer: Refusal = {
  status: 400,
  code: 'bad-request',
  message:
    'Send { approvalId, approved, reason?, input? }, { state: "succeeded", output }, { state: "failed", error } or { compensate: true }.',
}

const unknownAction: Refusal = {
  status: 404,
  code: 'not-found',
  message: 'No such tool call of this stream waits for an answer.',
}

const notCompensable: Refusal = {
  status: 409,
  code: 'conflict',
  message: 'There is nothing to undo: the action did not succeed, or its tool has no compensation.',
}
