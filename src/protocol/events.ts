import type { ErrorCode } from './errors.ts'
import type { JsonObject, ProviderMetadata } from './json.ts'

/** The version of the protocol that this package speaks. */
export const PROTOCOL_VERSION = 1

/** Why a generation ended; the vendor's own word stays in `rawFinishReason` (protocol §2). */
export type FinishReason =
  | 'stop'
  | 'stop-sequence'
  | 'length'
  | 'context-window'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'paused'
  | 'interrupted'
  | 'other'

/** Token totals so far. A later report overwrites an earlier one, field by field; never add. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  /** Part of `outputTokens`. */
  reasoningTokens?: number
  /** Part of `inputTokens`. */
  cachedInputTokens?: number
}

/** How a tool action ended. `unknown`: nobody can tell whether it took effect; never retried blindly. */
export type ToolOutcome = 'succeeded' | 'failed' | 'denied' | 'unknown'

/** What a call must pass before it runs, in this order (protocol §6). */
export type ToolGate = 'tool' | 'parse' | 'schema' | 'facts' | 'permission' | 'approval'

/** The true state of one tool action, as the server knows it. */
export interface ToolAction {
  toolCallId: string
  name: string
  /** `pending`: begun and not ended; `not-run`: never begun. */
  state: ToolOutcome | 'pending' | 'not-run'
  /** Whether a compensation is offered for it. */
  compensable?: boolean
  /** What became of its compensation, once a person has asked for that. */
  compensation?: ToolOutcome | 'pending'
}

/** Fields that every event carries on the wire (protocol §1). */
export interface Envelope {
  readonly v: 1
  readonly requestId: string
  /** Starts at 1 and grows by exactly 1; assigned once, by the process that owns the generation. */
  readonly seq: number
  /** The event stands for `from..seq`: deltas merged for a late reader. */
  readonly from?: number | undefined
  /** Server clock, milliseconds since the epoch. */
  readonly at?: number | undefined
}

interface PartFields {
  /** Key of the part, unique in the stream; an unknown key opens a part. */
  readonly part: string
  /** Vendor data, stored unread as the part's `providerMetadata`. */
  readonly meta?: ProviderMetadata | undefined
}

interface ToolFields {
  /** Unique in the message; made by the translator where the wire's is blank or repeated. */
  readonly toolCallId: string
  readonly meta?: ProviderMetadata | undefined
}

/** Always seq 1. `heartbeatMs: 0`: no heartbeat is promised. */
export interface StartEvent {
  readonly type: 'start'
  readonly messageId: string
  readonly model?: string | undefined
  readonly replayable: boolean
  readonly heartbeatMs: number
  readonly continues?: string | undefined
}

/** A piece of answer, reasoning or refusal text. */
export interface TextDeltaEvent extends PartFields {
  readonly type: 'text_delta' | 'reasoning_delta' | 'refusal_delta'
  readonly text: string
}

/** The part is whole. */
export interface PartEndEvent extends PartFields {
  readonly type: 'part_end'
}

/** A tool call begins. */
export interface ToolStartEvent extends ToolFields, PartFields {
  readonly type: 'tool_start'
  readonly name: string
  readonly inputKind: 'json' | 'text'
  readonly runs: 'client' | 'server' | 'provider'
  readonly dynamic?: boolean | undefined
}

/** A raw piece of the arguments: for preview only, never to be acted on. */
export interface ToolDeltaEvent extends ToolFields {
  readonly type: 'tool_delta'
  readonly argsText: string
}

/** The stream has said that the arguments are whole. Without `args` they do not parse and are never runnable. */
export interface ToolCompleteEvent extends ToolFields {
  readonly type: 'tool_complete'
  readonly argsText: string
  readonly args?: unknown
}

/** A person must decide before the action runs. */
export interface ToolApprovalEvent extends ToolFields {
  readonly type: 'tool_approval'
  readonly approvalId: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
}

/** What a tool returned. Its content is never trusted. */
export interface ToolResultEvent extends ToolFields {
  readonly type: 'tool_result'
  readonly state: ToolOutcome
  readonly output?: unknown
  readonly error?: string | undefined
  /** The gate that denied the call; absent where a person did. */
  readonly gate?: ToolGate | undefined
  readonly preliminary?: boolean | undefined
  readonly trusted: false
}

/** A citation; `range` counts UTF-16 units of the part named by `range.part`. */
export interface SourceEvent extends PartFields {
  readonly type: 'source'
  readonly sourceId: string
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly mediaType?: string | undefined
  readonly filename?: string | undefined
  readonly range?:
    | { readonly part: string; readonly start: number; readonly end: number }
    | undefined
}

/** A file; `data` is base64. Exactly one of `url` and `data` is present. */
export interface FileEvent extends PartFields {
  readonly type: 'file'
  readonly mediaType: string
  readonly url?: string | undefined
  readonly data?: string | undefined
  readonly filename?: string | undefined
}

/** One whole, validated line of generative UI. */
export interface ComponentEvent extends PartFields {
  readonly type: 'component'
  readonly componentId: string
  readonly name: string
  readonly props: JsonObject
}

/** The application's own data; the same name and id replaces. `transient` data is handed on, never stored. */
export interface DataEvent extends PartFields {
  readonly type: 'data'
  readonly name: string
  readonly id?: string | undefined
  readonly value: unknown
  readonly transient?: boolean | undefined
}

/** Merged into the message's metadata. */
export interface MetadataEvent {
  readonly type: 'metadata'
  readonly value: JsonObject
}

/** One model call ended and the next begins in the same stream (protocol §6). */
export interface StepEvent {
  readonly type: 'step'
  readonly finishReason: FinishReason
}

/** Withdraws the parts opened at or after this one: a vendor retried a step. */
export interface ResetEvent {
  readonly type: 'reset'
  readonly part: string
}

/** Moderation (protocol §7). `upTo` counts UTF-16 units of the part. */
export interface ReviewEvent {
  readonly type: 'review'
  readonly part: string
  readonly state: 'holding' | 'released' | 'retracted'
  readonly upTo: number
  readonly category?: string | undefined
}

/** Token totals so far. */
export interface UsageEvent extends Readonly<Usage> {
  readonly type: 'usage'
}

interface TerminalFields {
  /** Every tool action of the stream with its true state. */
  readonly actions?: readonly ToolAction[] | undefined
}

/** Terminal: the generation failed. */
export interface ErrorEvent extends TerminalFields {
  readonly type: 'error'
  readonly code: ErrorCode
  readonly message: string
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  readonly status?: number | undefined
}

/** Terminal: sent only once the model loop has really stopped. */
export interface CancelledEvent extends TerminalFields {
  readonly type: 'cancelled'
  readonly by: 'user' | 'server' | 'timeout' | 'backpressure'
  readonly outputTokens?: number | undefined
}

/** Terminal: the source ended and nobody knows how. `sentinel`: an end mark was seen, without any finish record. */
export interface InterruptedEvent extends TerminalFields {
  readonly type: 'interrupted'
  readonly sentinel: boolean
}

/** Terminal: the generation ended and the server's own checks passed. */
export interface DoneEvent extends TerminalFields {
  readonly type: 'done'
  readonly finishReason: FinishReason
  readonly rawFinishReason?: string | undefined
  readonly usage?: Usage | undefined
}

/** The four events of which exactly one ends a stream. */
export type TerminalEvent = ErrorEvent | CancelledEvent | InterruptedEvent | DoneEvent

/** An event without its envelope: what a model or a translator makes before a `seq` is assigned. */
export type EventBody =
  | StartEvent
  | TextDeltaEvent
  | PartEndEvent
  | ToolStartEvent
  | ToolDeltaEvent
  | ToolCompleteEvent
  | ToolApprovalEvent
  | ToolResultEvent
  | SourceEvent
  | FileEvent
  | ComponentEvent
  | DataEvent
  | MetadataEvent
  | StepEvent
  | ResetEvent
  | ReviewEvent
  | UsageEvent
  | TerminalEvent

/** The word in `type`. */
export type EventType = EventBody['type']

/** One event of the protocol, as it goes over the wire. */
export type StreamEvent = Envelope & EventBody

/** Whether an event is one of the four that end a stream. */
export function isTerminal<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: TerminalEvent['type'] } {
  return (
    event.type === 'done' ||
    event.type === 'error' ||
    event.type === 'cancelled' ||
    event.type === 'interrupted'
  )
}
