import { isSettled, type ActionLog, type ActionRecord } from '../actions/action-log.ts'
import { isExpired, waitsFor } from '../actions/decide.ts'
import type { CallOutcome } from '../actions/tool-runner.ts'
import { toolReturned, type AnyToolPart } from '../protocol/fold-tool.ts'
import { isToolPart, type ChatMessage } from '../protocol/message.ts'
import { resultEvent } from './tool-events.ts'
import { WAITS_FOR_MODEL } from './turn.ts'

/** The actions of an earlier stream; `waiting`: somebody has to act before an answer can go on from it. */
export async function earlierActions(
  log: ActionLog,
  requestId: string,
  now: number,
): Promise<readonly ActionRecord[] | 'waiting'> {
  const records = (await log.read(requestId)).filter(({ kind }) => kind === 'run')
  const isOpen = records.some((record) => waitsFor(record) !== 'nobody' && !isExpired(record, now))
  return isOpen ? 'waiting' : records
}

/** Whether the earlier stream can't have told how an action ended. */
export function isNews(record: ActionRecord): boolean {
  return record.approval !== undefined || record.runs === 'client' || !isSettled(record)
}

/** A message whose call says what the action log knows of it, whatever the client claims. */
export function withTruth(
  message: ChatMessage,
  record: ActionRecord,
  outcome: CallOutcome,
): ChatMessage {
  const parts = message.parts.map((part) =>
    isToolPart(part) && part.toolCallId === record.toolCallId
      ? partOf(part, record, outcome)
      : part,
  )
  return { ...message, parts, status: WAITS_FOR_MODEL }
}

function partOf(part: AnyToolPart, record: ActionRecord, outcome: CallOutcome): AnyToolPart {
  const { toolCallId, approval, args } = record
  // A person may have edited what was asked for.
  const call = { ...part, input: args } as AnyToolPart
  switch (outcome.type) {
    case 'ended':
      return toolReturned(call, resultEvent(toolCallId, outcome.end))
    case 'passed-on': {
      const { id = '', reason } = approval ?? {}
      return {
        ...call,
        state: 'approval-responded',
        approval: { id, approved: true, ...(reason !== undefined && { reason }) },
      } as AnyToolPart
    }
    case 'pending':
    case 'waits':
      return call
  }
}
