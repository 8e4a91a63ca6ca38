import { answerTool } from '../protocol/answer.ts'
import {
  isToolPart,
  type ChatMessage,
  type DynamicToolPart,
  type MessagePart,
  type NamedToolPart,
} from '../protocol/message.ts'
import type { ToolAnswer } from '../protocol/transport.ts'

/** What an answer to a call makes of its message. */
export interface AfterAnswer {
  readonly next: ChatMessage
  /** The call, where it was allowed just now and runs on this side. */
  readonly allowed: NamedToolPart | DynamicToolPart | undefined
  /** Some call still waits for this side: the model is not asked yet. */
  readonly waits: boolean
}

/**
 * Puts an answer on the call that it belongs to. `isTaken`: the server took it; it may have been decided elsewhere, and then the
 * continuation tells what holds.
 */
export function afterAnswer(
  message: ChatMessage,
  answer: ToolAnswer,
  isTaken: boolean,
): AfterAnswer {
  if (!isTaken) {
    const others = message.parts.filter((part) => !isCall(part, answer.toolCallId))
    return { next: message, allowed: undefined, waits: others.some(isWaiting) }
  }
  const parts = answerTool(message.parts, answer)
  return {
    next: { ...message, parts },
    allowed: parts.filter((part) => isCall(part, answer.toolCallId)).find(isAllowed),
    waits: parts.some(isWaiting),
  }
}

function isCall(part: MessagePart, toolCallId: string): part is NamedToolPart | DynamicToolPart {
  return isToolPart(part) && part.toolCallId === toolCallId
}

/** A person allowed it, and it runs on this side. */
function isAllowed(part: NamedToolPart | DynamicToolPart): boolean {
  return part.state === 'approval-responded' && part.approval.approved && part.runs === 'client'
}

function isWaiting(part: MessagePart): boolean {
  if (!isToolPart(part)) return false
  if (part.state === 'approval-requested' || isAllowed(part)) return true
  return part.state === 'input-available' && part.runs === 'client'
}
