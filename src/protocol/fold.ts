import { assertNever } from './assert.ts'
import { isTerminal, type EventBody, type TerminalEvent, type Usage } from './events.ts'
import {
  dataPart,
  endPart,
  filePart,
  growPart,
  isReservedName,
  openPart,
  reviewPart,
  sourcePart,
  withheldPart,
} from './fold-part.ts'
import {
  completeTool,
  growTool,
  openTool,
  requestApproval,
  toolReturned,
  type AnyToolPart,
} from './fold-tool.ts'
import { mergeJson } from './json.ts'
import {
  isToolPart,
  NO_COUNTS,
  type ChatMessage,
  type MessagePart,
  type StreamCounters,
} from './message.ts'
import { isSound, soundEnd } from './sound.ts'

/** Events folded so far. An immutable value; parts that did not change keep their identity. */
export interface Fold {
  /** The message while it runs: no part settled, status `running`. */
  readonly draft: ChatMessage
  /** Key of each part of the draft, by place. */
  readonly keys: readonly string[]
  /** The terminal event, once it was seen. */
  readonly end: TerminalEvent | undefined
}

/** Begins a message of which nothing has arrived. */
export function emptyFold(id: string, requestId?: string): Fold {
  return {
    draft: {
      id,
      role: 'assistant',
      parts: [],
      status: { type: 'running' },
      requestIds: requestId === undefined ? [] : [requestId],
      counters: NO_COUNTS,
    },
    keys: [],
    end: undefined,
  }
}

/** Goes on with a message: what the next stream says is appended after a `step-start`. */
export function continueFold(message: ChatMessage, requestId: string): Fold {
  const draft: ChatMessage = {
    ...message,
    parts: [...message.parts, { type: 'step-start' }],
    status: { type: 'running' },
    requestIds: [...message.requestIds, requestId],
  }
  delete draft.finishReason
  delete draft.rawFinishReason
  return { draft, keys: draft.parts.map((_, place) => ownKey(place)), end: undefined }
}

/** Applies one event. The caller has put the events in order (protocol §4). Terminal events are final. */
export function fold(state: Fold, event: EventBody): Fold {
  if (state.end !== undefined) return count(state, 'late')
  if (isTerminal(event)) return { ...applied(state), end: soundEnd(event) }
  // A newer server may send types and fields that this version does not know (protocol §1).
  if (!isSound(event)) return count(state, 'skipped')
  switch (event.type) {
    case 'start':
      return start(state, event)
    case 'text_delta':
    case 'reasoning_delta':
    case 'refusal_delta':
      return grow(state, event)
    case 'part_end':
      return change(state, event.part, (part) => endPart(part, event.meta))
    case 'tool_start':
      return hasCall(state, event.toolCallId)
        ? count(state, 'skipped')
        : append(state, event.part, openTool(event))
    case 'tool_delta':
      return changeTool(state, event.toolCallId, (part) => growTool(part, event))
    case 'tool_complete':
      return changeTool(state, event.toolCallId, (part) => completeTool(part, event))
    case 'tool_approval':
      return changeTool(state, event.toolCallId, (part) => requestApproval(part, event))
    case 'tool_result':
      return changeTool(state, event.toolCallId, (part) => toolReturned(part, event))
    case 'source':
      return put(state, event.part, sourcePart(event))
    case 'file':
      return put(state, event.part, filePart(event))
    case 'component':
      return put(state, event.part, {
        type: 'data-component',
        id: event.componentId,
        data: { name: event.name, props: event.props },
      })
    case 'data':
      return putData(state, event)
    case 'metadata':
      return withDraft(state, { metadata: mergeJson(state.draft.metadata, event.value) })
    case 'step':
      return append(state, ownKey(state.keys.length), { type: 'step-start' })
    case 'reset':
      return reset(state, event.part)
    case 'review':
      return review(state, event)
    case 'usage':
      return withDraft(state, { usage: { ...state.draft.usage, ...usageOf(event) } })
    default:
      return assertNever(event)
  }
}

/** Counts what was seen and not applied. */
export function count(state: Fold, counter: keyof StreamCounters): Fold {
  const { draft } = state
  const counters = { ...draft.counters, [counter]: draft.counters[counter] + 1 }
  return { ...state, draft: { ...draft, counters } }
}

function start(state: Fold, event: EventBody & { type: 'start' }): Fold {
  return withDraft(state, {
    id: state.draft.id === '' ? event.messageId : state.draft.id,
    ...(event.model !== undefined && {
      metadata: mergeJson({ model: event.model }, state.draft.metadata),
    }),
  })
}

function grow(
  state: Fold,
  event: EventBody & { type: 'text_delta' | 'reasoning_delta' | 'refusal_delta' },
): Fold {
  const place = state.keys.lastIndexOf(event.part)
  const part = state.draft.parts[place]
  const grown = part && growPart(part, event)
  if (grown !== undefined) return replace(state, place, grown)
  // A key that names a part of another kind: what the model thought or refused must never become answer text.
  const isBlank = part?.type === 'text' && part.text === ''
  return isBlank
    ? replace(state, place, openPart(event))
    : append(state, event.part, openPart(event))
}

function putData(state: Fold, event: EventBody & { type: 'data' }): Fold {
  if (isReservedName(event.name)) return count(state, 'skipped')
  if (event.transient === true) return applied(state)
  const part = dataPart(event)
  const same =
    part.id === undefined
      ? -1
      : state.draft.parts.findIndex(
          (other) => other.type === part.type && 'id' in other && other.id === part.id,
        )
  return same === -1 ? put(state, event.part, part) : replace(state, same, part)
}

function review(state: Fold, event: EventBody & { type: 'review' }): Fold {
  const isNew = !state.keys.includes(event.part) && event.state !== 'released'
  return isNew
    ? append(state, event.part, withheldPart(event))
    : change(state, event.part, (part) => reviewPart(part, event))
}

function reset(state: Fold, key: string): Fold {
  const place = state.keys.indexOf(key)
  if (place === -1) return count(state, 'skipped')
  return {
    ...withDraft(state, { parts: state.draft.parts.slice(0, place) }),
    keys: state.keys.slice(0, place),
  }
}

function usageOf(event: EventBody & { type: 'usage' }): Usage {
  const usage: Usage = {}
  if (event.inputTokens !== undefined) usage.inputTokens = event.inputTokens
  if (event.outputTokens !== undefined) usage.outputTokens = event.outputTokens
  if (event.reasoningTokens !== undefined) usage.reasoningTokens = event.reasoningTokens
  if (event.cachedInputTokens !== undefined) usage.cachedInputTokens = event.cachedInputTokens
  return usage
}

function put(state: Fold, key: string, part: MessagePart): Fold {
  const place = state.keys.lastIndexOf(key)
  return state.draft.parts[place]?.type === part.type
    ? replace(state, place, part)
    : append(state, key, part)
}

function append(state: Fold, key: string, part: MessagePart): Fold {
  return {
    ...withDraft(state, { parts: [...state.draft.parts, part] }),
    keys: [...state.keys, key],
  }
}

function replace(state: Fold, place: number, part: MessagePart): Fold {
  return withDraft(state, { parts: state.draft.parts.with(place, part) })
}

function change(state: Fold, key: string, to: (part: MessagePart) => MessagePart): Fold {
  const place = state.keys.lastIndexOf(key)
  const part = state.draft.parts[place]
  return part === undefined ? count(state, 'skipped') : replace(state, place, to(part))
}

function hasCall({ draft }: Fold, toolCallId: string): boolean {
  return draft.parts.some((part) => isToolPart(part) && part.toolCallId === toolCallId)
}

/**
 * Tool events name a call, not a part: a result may belong to a call of an earlier stream of the same message.
 */
function changeTool(state: Fold, toolCallId: string, to: (part: AnyToolPart) => AnyToolPart): Fold {
  const { parts } = state.draft
  const place = parts.findLastIndex((part) => isToolPart(part) && part.toolCallId === toolCallId)
  const part = parts[place]
  return part === undefined
    ? count(state, 'skipped')
    : replace(state, place, to(part as AnyToolPart))
}

/** Key of a part that no event names. The first character keeps it apart from the keys of any server. */
function ownKey(place: number): string {
  return `\u0000${place}`
}

function withDraft(state: Fold, fields: Partial<ChatMessage>): Fold {
  const { draft } = state
  const counters = { ...draft.counters, applied: draft.counters.applied + 1 }
  return { ...state, draft: { ...draft, ...fields, counters } }
}

function applied(state: Fold): Fold {
  return withDraft(state, {})
}
