import { assertNever } from './assert.ts'
import type {
  ToolAction,
  ToolApprovalEvent,
  ToolCompleteEvent,
  ToolDeltaEvent,
  ToolResultEvent,
  ToolStartEvent,
} from './events.ts'
import type { DynamicToolPart, NamedToolPart, ToolState } from './message.ts'

/** A tool call of either sort. */
export type AnyToolPart = NamedToolPart | DynamicToolPart

/** A tool call that has just begun. */
export function openTool(event: ToolStartEvent): AnyToolPart {
  const state: ToolState = {
    toolCallId: event.toolCallId,
    state: 'input-streaming',
    runs: event.runs,
    argsText: '',
    rawInput: '',
    inputEncoding: event.inputKind,
    ...(event.runs === 'provider' && { providerExecuted: true }),
    ...(event.meta !== undefined && { callProviderMetadata: event.meta }),
  }
  return event.dynamic === true
    ? { type: 'dynamic-tool', toolName: event.name, ...state }
    : { type: `tool-${event.name}`, ...state }
}

/** Adds a raw piece of the arguments: to be shown, never to be acted on. */
export function growTool(part: AnyToolPart, event: ToolDeltaEvent): AnyToolPart {
  if (part.state !== 'input-streaming') return part
  const argsText = (part.argsText ?? '') + event.argsText
  return { ...part, argsText, rawInput: argsText }
}

/** The arguments are whole. Ones that do not parse make a call that can never run. */
export function completeTool(part: AnyToolPart, event: ToolCompleteEvent): AnyToolPart {
  if (part.state !== 'input-streaming') return part
  const call = withState(part, event.argsText)
  return event.args === undefined
    ? {
        ...call,
        state: 'output-error',
        input: undefined,
        rawInput: event.argsText,
        errorText: 'The arguments are not valid JSON.',
      }
    : { ...call, state: 'input-available', input: event.args }
}

/** A person has to decide. */
export function requestApproval(part: AnyToolPart, event: ToolApprovalEvent): AnyToolPart {
  if (part.state !== 'input-available') return part
  return {
    ...withState(part),
    state: 'approval-requested',
    input: part.input,
    approval: { id: event.approvalId },
    ...(event.expiresAt !== undefined && { expiresAt: event.expiresAt }),
  }
}

/** A person has decided. */
export function approvalAnswered(
  part: AnyToolPart,
  approved: boolean,
  reason?: string | undefined,
): AnyToolPart {
  if (part.state !== 'approval-requested') return part
  return {
    ...withState(part),
    state: 'approval-responded',
    input: part.input,
    approval: { id: part.approval.id, approved, ...(reason !== undefined && { reason }) },
  }
}

/** The tool returned, or nobody knows what became of it (protocol §6, "Result → part"). */
export function toolReturned(part: AnyToolPart, event: Omit<ToolResultEvent, 'type'>): AnyToolPart {
  const { approval } = part
  const call = { ...withState(part), outcome: event.state, trusted: false as const }
  const { input } = part
  const failed = (otherwise: string): AnyToolPart => ({
    ...call,
    state: 'output-error',
    input,
    errorText: event.error ?? otherwise,
    ...allowedBy(approval),
  })
  switch (event.state) {
    case 'succeeded':
      return {
        ...call,
        state: 'output-available',
        input,
        output: event.output,
        ...(event.preliminary === true && { preliminary: true }),
        ...allowedBy(approval),
      }
    case 'denied': {
      // Denied by a person only where one was asked and did not allow it; else by a gate.
      if (approval === undefined || approval.approved === true) {
        return failed('The call was not permitted.')
      }
      const { id, reason } = approval
      return {
        ...call,
        state: 'output-denied',
        input,
        approval: { id, approved: false, ...(reason !== undefined && { reason }) },
      }
    }
    case 'failed':
      return failed('The tool failed.')
    case 'unknown':
      return failed('It is not known whether this took effect.')
    default:
      return assertNever(event.state)
  }
}

/** Takes over what a terminal event says of the action. */
export function toolActed(part: AnyToolPart, action: ToolAction | undefined): AnyToolPart {
  if (action === undefined || isSettled(part)) return part
  switch (action.state) {
    case 'pending':
    case 'unknown':
      return toolReturned(part, { toolCallId: part.toolCallId, state: 'unknown', trusted: false })
    case 'failed':
    case 'denied':
      return toolReturned(part, {
        toolCallId: part.toolCallId,
        state: action.state,
        trusted: false,
      })
    // A success without its output, and a call that never ran, stay as they are: there is nothing to show.
    case 'succeeded':
      return { ...part, outcome: 'succeeded' }
    case 'not-run':
      return part
    default:
      return assertNever(action.state)
  }
}

/** The stream has ended: arguments that were still growing are incomplete. */
export function settleTool(part: AnyToolPart): AnyToolPart {
  if (part.state !== 'input-streaming') return part
  return {
    ...withState(part),
    state: 'output-error',
    input: undefined,
    rawInput: part.argsText ?? '',
    errorText: 'The arguments are incomplete.',
  }
}

function isSettled(part: AnyToolPart): boolean {
  if (part.state === 'output-available') return part.preliminary !== true
  return part.state === 'output-error' || part.state === 'output-denied'
}

function allowedBy(approval: AnyToolPart['approval']): {
  approval?: { id: string; approved: true; reason?: string }
} {
  if (approval?.approved !== true) return {}
  const { id, reason } = approval
  return { approval: { id, approved: true, ...(reason !== undefined && { reason }) } }
}

/** The fields that a call keeps in every state. */
function withState(part: AnyToolPart, argsText?: string | undefined): ToolHead {
  const head: ToolHead = {
    ...(part.type === 'dynamic-tool'
      ? { type: part.type, toolName: part.toolName }
      : { type: part.type }),
    toolCallId: part.toolCallId,
    argsText: argsText ?? part.argsText ?? '',
  }
  if (part.title !== undefined) head.title = part.title
  if (part.runs !== undefined) head.runs = part.runs
  if (part.providerExecuted !== undefined) head.providerExecuted = part.providerExecuted
  if (part.outcome !== undefined) head.outcome = part.outcome
  if (part.callProviderMetadata !== undefined) head.callProviderMetadata = part.callProviderMetadata
  return head
}

type ToolHead = Pick<
  ToolState,
  | 'toolCallId'
  | 'title'
  | 'runs'
  | 'argsText'
  | 'providerExecuted'
  | 'outcome'
  | 'callProviderMetadata'
> &
  (Pick<DynamicToolPart, 'type' | 'toolName'> | Pick<NamedToolPart, 'type'>)
