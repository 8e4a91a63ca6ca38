import { approvalAnswered, toolReturned, type AnyToolPart } from './fold-tool.ts'
import { isToolPart, type MessagePart } from './message.ts'
import type { ToolAnswer } from './transport.ts'

/** Puts a person's decision, or the result of a tool that ran in the client, on the call that it answers. */
export function answerTool(parts: readonly MessagePart[], answer: ToolAnswer): MessagePart[] {
  return parts.map((part) =>
    isToolPart(part) && part.toolCallId === answer.toolCallId ? answered(part, answer) : part,
  )
}

function answered(call: AnyToolPart, answer: ToolAnswer): AnyToolPart {
  const { toolCallId } = call
  // Whether it was undone is the server's to say.
  if ('compensate' in answer) return call
  if ('approved' in answer) {
    const decided = approvalAnswered(call, answer.approved, answer.reason)
    const isEdited = answer.approved && answer.input !== undefined
    return isEdited ? ({ ...decided, input: answer.input } as AnyToolPart) : decided
  }
  return answer.state === 'failed'
    ? toolReturned(call, { toolCallId, state: 'failed', error: answer.error, trusted: false })
    : toolReturned(call, { toolCallId, state: 'succeeded', output: answer.output, trusted: false })
}
