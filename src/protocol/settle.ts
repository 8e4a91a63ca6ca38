import { statusOfConclusion, statusOfEnd, type Conclusion } from './end.ts'
import type { StreamEvent, TerminalEvent, ToolAction } from './events.ts'
import { emptyFold, fold, type Fold } from './fold.ts'
import { settleTool, toolActed } from './fold-tool.ts'
import {
  isToolPart,
  NO_COUNTS,
  type ChatMessage,
  type ChatMessageInput,
  type DataTypes,
  type MessagePart,
  type MessageStatus,
  type ToolTypes,
} from './message.ts'
import { wholeText } from './whole-text.ts'

/** What a stream is whose end nobody told. */
const CUT: TerminalEvent = { type: 'interrupted', sentinel: false }

/** The message that the events, and what the client concluded without an end of them, amount to. */
export function messageOf(state: Fold, conclusion?: Conclusion | undefined): ChatMessage {
  const { draft, end } = state
  if (conclusion !== undefined) return settle(draft, statusOfConclusion(conclusion), end)
  if (end === undefined) return draft
  const openApproval = draft.parts.some(
    (part) => isToolPart(part) && part.state === 'approval-requested',
  )
  return settle(draft, statusOfEnd(end, openApproval), end)
}

/** Folds a whole stream into its message. Without a terminal event the message is `interrupted`: the end of an iteration is no end. */
export async function collectMessage(
  events: AsyncIterable<StreamEvent> | Iterable<StreamEvent>,
): Promise<ChatMessage> {
  let state: Fold | undefined
  for await (const event of events) {
    state = fold(state ?? emptyFold('', event.requestId), event)
  }
  state ??= emptyFold('')
  return messageOf(state.end === undefined ? { ...state, end: CUT } : state)
}

/**
 * Fills in what an application left out; a message that has everything keeps its identity. A stored `running` has no live
 * stream behind it and loads as interrupted.
 */
export function toChatMessage<M, D extends DataTypes, T extends ToolTypes>(
  input: ChatMessageInput<M, D, T>,
): ChatMessage<M, D, T> {
  const { status, requestIds, counters } = input
  const message = input as ChatMessage<M, D, T>
  if (status?.type === 'running') {
    const parts = settleParts(message.parts) as ChatMessage<M, D, T>['parts']
    return toChatMessage({ ...message, parts, status: statusOfEnd(CUT, false) })
  }
  if (status !== undefined && requestIds !== undefined && counters !== undefined) return message
  return {
    ...message,
    status: status ?? { type: 'complete', reason: 'stop' },
    requestIds: requestIds ?? [],
    counters: counters ?? NO_COUNTS,
  }
}

/** Ends every part and gives the message its status. No text is ever thrown away. */
function settle(
  draft: ChatMessage,
  status: MessageStatus,
  end: TerminalEvent | undefined,
): ChatMessage {
  const message: ChatMessage = { ...draft, parts: settleParts(draft.parts, end?.actions), status }
  if (end?.type === 'done') {
    message.finishReason = end.finishReason
    if (end.rawFinishReason !== undefined) message.rawFinishReason = end.rawFinishReason
    if (end.usage !== undefined) message.usage = { ...draft.usage, ...end.usage }
  }
  if (end?.type === 'cancelled' && end.outputTokens !== undefined) {
    message.usage = { ...draft.usage, outputTokens: end.outputTokens }
  }
  return message
}

function settleParts(
  parts: readonly MessagePart[],
  actions: readonly ToolAction[] = [],
): MessagePart[] {
  const byCall = new Map(actions.map((action) => [action.toolCallId, action]))
  return parts.map((part): MessagePart => {
    if (isToolPart(part)) return settleTool(toolActed(part, byCall.get(part.toolCallId)))
    if (part.type !== 'text' && part.type !== 'reasoning') return part
    if (part.state !== 'streaming') return part
    return { ...part, text: wholeText(part.text), state: 'done' }
  })
}
