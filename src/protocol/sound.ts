import { assertNever } from './assert.ts'
import { isErrorCode } from './errors.ts'
import type { EventBody, EventType, FinishReason, TerminalEvent, ToolAction } from './events.ts'
import { isRecord } from './json.ts'

/** Fields that an event can't do without, and what they must be. */
type Shape = Readonly<Record<string, 'string' | 'number' | 'object' | readonly string[]>>

const TEXT: Shape = { part: 'string', text: 'string' }

const SHAPES: Readonly<Record<Exclude<EventType, TerminalEvent['type']>, Shape>> = {
  start: { messageId: 'string' },
  text_delta: TEXT,
  reasoning_delta: TEXT,
  refusal_delta: TEXT,
  part_end: { part: 'string' },
  tool_start: { part: 'string', toolCallId: 'string', name: 'string' },
  tool_delta: { toolCallId: 'string', argsText: 'string' },
  tool_complete: { toolCallId: 'string', argsText: 'string' },
  tool_approval: { toolCallId: 'string', approvalId: 'string' },
  tool_result: { toolCallId: 'string', state: ['succeeded', 'failed', 'denied', 'unknown'] },
  source: { part: 'string', sourceId: 'string' },
  file: { part: 'string', mediaType: 'string' },
  component: { part: 'string', componentId: 'string', name: 'string', props: 'object' },
  data: { part: 'string', name: 'string' },
  metadata: { value: 'object' },
  step: {},
  reset: { part: 'string' },
  review: { part: 'string', state: ['holding', 'released', 'retracted'] },
  usage: {},
}

/**
 * Whether an event has the fields that its type promises. Events come over the wire from servers of other versions:
 * one that lacks a field is skipped like one of an unknown type, and never reaches code that relies on it.
 */
export function isSound(event: Exclude<EventBody, TerminalEvent>): boolean {
  const shape = Object.hasOwn(SHAPES, event.type) ? SHAPES[event.type] : undefined
  if (shape === undefined) return false
  const fields = event as unknown as Readonly<Record<string, unknown>>
  for (const name in shape) {
    const wanted = shape[name]
    const value = fields[name]
    const fits =
      wanted === 'object'
        ? isRecord(value)
        : typeof wanted === 'string'
          ? typeof value === wanted
          : wanted?.includes(value as string) === true
    if (!fits) return false
  }
  return true
}

const REASONS: Readonly<Record<FinishReason, true>> = {
  stop: true,
  'stop-sequence': true,
  length: true,
  'context-window': true,
  'tool-calls': true,
  'content-filter': true,
  refusal: true,
  paused: true,
  interrupted: true,
  other: true,
}

/** A terminal event with all its fields: an end that is told badly is still an end, and never a better one. */
export function soundEnd(event: TerminalEvent): TerminalEvent {
  const told = event as unknown as Readonly<Record<string, unknown>>
  const actions = actionsOf(told['actions'])
  switch (event.type) {
    case 'done': {
      const reason = told['finishReason']
      return typeof reason === 'string' && Object.hasOwn(REASONS, reason)
        ? { ...event, actions }
        : { ...event, actions, finishReason: 'other', rawFinishReason: String(reason) }
    }
    case 'error': {
      const { code, message, retryable } = told
      return {
        ...event,
        actions,
        code: isErrorCode(code) ? code : 'server',
        message: typeof message === 'string' ? message : 'The server failed.',
        retryable: retryable === true,
      }
    }
    case 'interrupted':
      return { ...event, actions, sentinel: told['sentinel'] === true }
    case 'cancelled':
      return { ...event, actions }
    default:
      return assertNever(event)
  }
}

function actionsOf(actions: unknown): readonly ToolAction[] | undefined {
  if (!Array.isArray(actions)) return undefined
  return (actions as unknown[]).filter(
    (action): action is ToolAction => isRecord(action) && typeof action['toolCallId'] === 'string',
  )
}
