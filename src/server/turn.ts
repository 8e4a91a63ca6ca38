import type { EventBody } from '../protocol/events.ts'
import { continueFold, emptyFold, fold, type Fold } from '../protocol/fold.ts'
import { isToolPart, type ChatMessage } from '../protocol/message.ts'
import type { ModelRequest } from '../protocol/transport.ts'

/** The conversation as each model call of one answer is to see it. */
export interface Turn {
  /** Whether what is said is appended to the message of the earlier answer. */
  readonly isAppended: boolean
  /** Ids of the calls that the message has from an earlier answer. */
  readonly earlierCalls: readonly string[]
  messages(): readonly ChatMessage[]
  /** Adds what one model call, and the tools after it, have said. */
  add(said: readonly EventBody[]): void
}

/** The message of the history that an answer goes on from. */
export function continuedIn({ messages, continues }: ModelRequest): ChatMessage | undefined {
  if (continues === undefined) return undefined
  const last = messages.at(-1)
  return (
    messages.findLast(({ role, requestIds }) => {
      return role === 'assistant' && requestIds.includes(continues)
    }) ?? (last?.role === 'assistant' ? last : undefined)
  )
}

/** Begins an answer. `truth`: the message that it goes on from, as this server knows it. */
export function createTurn(
  request: ModelRequest,
  requestId: string,
  truth: ChatMessage | undefined,
): Turn {
  const { messageId } = request
  const continued = continuedIn(request)
  const isAppended = truth !== undefined && truth.id === messageId
  const history = request.messages.map((message) =>
    message === continued ? (truth ?? message) : message,
  )
  let draft: Fold | undefined

  return {
    isAppended,
    earlierCalls: isAppended ? truth.parts.filter(isToolPart).map((part) => part.toolCallId) : [],
    messages() {
      if (draft === undefined) return history
      // A message whose calls have been answered is neither cut nor whole: the model is to go on.
      const answered: ChatMessage = { ...draft.draft, status: WAITS_FOR_MODEL }
      return isAppended
        ? history.map((message) => (message === truth ? answered : message))
        : [...history, answered]
    },
    add(said) {
      draft ??= isAppended ? continueFold(truth, requestId) : emptyFold(messageId, requestId)
      draft = said.reduce(fold, draft)
    },
  }
}

/** The status of a message of which the model has yet to see the results. */
export const WAITS_FOR_MODEL: ChatMessage['status'] = {
  type: 'requires-action',
  reason: 'tool-calls',
}
