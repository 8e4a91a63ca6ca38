import type { JsonObject } from '../protocol/json.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { isCall, resultText, turnsOf, type Step } from './history.ts'

/** A history as AG-UI's `RunAgentInput`. The thread is named after the conversation's first message. */
export function agUiRequest(
  messages: readonly ChatMessage[],
  { requestId }: { readonly requestId: string },
): JsonObject {
  return {
    threadId: messages[0]?.id ?? requestId,
    runId: requestId,
    messages: agUiMessages(messages),
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  }
}

/** A history as AG-UI messages. */
export function agUiMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return messages.flatMap((message) =>
    turnsOf([message]).flatMap((turn): JsonObject[] => {
      const { id } = message
      switch (turn.role) {
        case 'system':
          return [{ id, role: 'system', content: turn.text }]
        case 'user': {
          const texts = turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          return texts.length === 0 ? [] : [{ id, role: 'user', content: texts.join('\n\n') }]
        }
        case 'assistant':
          return turn.steps.flatMap((step, index) =>
            stepMessages(step, index === 0 ? id : `${id}-${index}`),
          )
      }
    }),
  )
}

function stepMessages({ parts }: Step, id: string): JsonObject[] {
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const calls = parts.filter(isCall).filter((call) => call.runs !== 'provider')
  if (content === '' && calls.length === 0) return []
  const toolCalls = calls.map((call): JsonObject => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: resultText(call.input) },
  }))
  return [
    {
      id,
      role: 'assistant',
      ...(content !== '' && { content }),
      ...(toolCalls.length > 0 && { toolCalls }),
    },
    ...calls.map((call): JsonObject => ({
      id: `${id}:${call.id}`,
      role: 'tool',
      toolCallId: call.id,
      content: resultText(call.result.value),
    })),
  ]
}
