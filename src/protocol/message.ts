import type { StreamError } from './errors.ts'
import type { FinishReason, ToolOutcome, Usage } from './events.ts'
import type { ProviderMetadata } from './json.ts'

/** How an answer stands. Stored with the message and survives JSON (protocol §3). */
export type MessageStatus =
  | { type: 'running' }
  | { type: 'requires-action'; reason: 'tool-calls' | 'approval' }
  | { type: 'complete'; reason: 'stop' | 'stop-sequence' | 'other' }
  | { type: 'incomplete'; reason: IncompleteReason; error?: StreamError }

/** Why an answer is not a complete one. */
export type IncompleteReason =
  | 'length'
  | 'context-window'
  | 'content-filter'
  | 'refusal'
  | 'paused'
  | 'cancelled'
  | 'unknown'
  | 'interrupted'
  | 'error'
  | 'invalid'

/** What was seen on the way, beside what was applied. */
export interface StreamCounters {
  /** Events applied. */
  applied: number
  /** Events seen before, dropped. */
  duplicates: number
  /** Times that an event arrived ahead of one that was missing. */
  gaps: number
  /** Events of another request, dropped. */
  foreign: number
  /** Events, records or fields of a kind that this version does not know. */
  skipped: number
  /** Events after the terminal one, dropped. */
  late: number
  /** Connections lost and opened anew. */
  reconnects: number
}

/** Moderation of a text: withheld so far, let through, or taken back after it was shown. */
export type Review = { state: 'holding' | 'released' | 'retracted'; category?: string }

/** Answer text. */
export type TextPart = {
  type: 'text'
  text: string
  state?: 'streaming' | 'done'
  review?: Review
  providerMetadata?: ProviderMetadata
}

/** What the model thought, where it is shown. */
export type ReasoningPart = {
  type: 'reasoning'
  text: string
  state?: 'streaming' | 'done'
  review?: Review
  providerMetadata?: ProviderMetadata
}

/**
 * The model's own words for declining; never answer text. A data part, so that the message stays assignable to
 * AI SDK's `UIMessage`, which has no refusal part.
 */
export type RefusalPart = { type: 'data-refusal'; id?: string; data: { text: string } }

/** One component of generative UI, validated before it is drawn. */
export type ComponentPart = {
  type: 'data-component'
  id?: string
  data: { name: string; props: unknown }
}

/** The words that a citation belongs to, in UTF-16 units of the part named by `part`. */
export type SourceRange = { part: string; start: number; end: number }

/** A web page cited. */
export type SourceUrlPart = {
  type: 'source-url'
  sourceId: string
  url: string
  title?: string
  range?: SourceRange
  providerMetadata?: ProviderMetadata
}

/** A document cited. */
export type SourceDocumentPart = {
  type: 'source-document'
  sourceId: string
  mediaType: string
  title: string
  filename?: string
  range?: SourceRange
  providerMetadata?: ProviderMetadata
}

/** A file; `url` may be a data URL. */
export type FilePart = {
  type: 'file'
  mediaType: string
  url: string
  filename?: string
  providerMetadata?: ProviderMetadata
}

/** A border between two model calls of one answer. */
export type StepStartPart = { type: 'step-start' }

/**
 * A best-effort look at arguments that still grow. An interface, which unlike an object type has no implicit index
 * signature: it can't be passed where arguments are wanted, not even as `Record<string, unknown>`.
 */
export interface ArgumentPreview {
  readonly __preview: 'for display only'
  readonly value: unknown
}

type Approval<A> = { id: string; reason?: string } & A

/** Fields of a tool call in each of its states; the states are AI SDK's. */
export type ToolState<Input = unknown, Output = unknown> = {
  toolCallId: string
  title?: string
  /** The call ran, or runs, at the model's vendor. */
  providerExecuted?: boolean
  /** Who runs it. */
  runs?: 'client' | 'server' | 'provider'
  /** The arguments as they came: raw text, whole once the state is no longer `input-streaming`. */
  argsText?: string
  /** How the action really ended; finer than `state`. */
  outcome?: ToolOutcome
  /** What a tool returned is never trusted. */
  trusted?: false
  callProviderMetadata?: ProviderMetadata
} & (
  | {
      state: 'input-streaming'
      input?: undefined
      rawInput?: string
      inputEncoding?: 'json' | 'text'
      preview?: ArgumentPreview
      output?: never
      errorText?: never
      approval?: never
    }
  | { state: 'input-available'; input: Input; output?: never; errorText?: never; approval?: never }
  | {
      state: 'approval-requested'
      input: Input
      output?: never
      errorText?: never
      approval: Approval<{ approved?: never; reason?: never }>
      /** Milliseconds since the epoch. */
      expiresAt?: number
    }
  | {
      state: 'approval-responded'
      input: Input
      output?: never
      errorText?: never
      approval: Approval<{ approved: boolean }>
    }
  | {
      state: 'output-available'
      input: Input
      output: Output
      errorText?: never
      preliminary?: boolean
      approval?: Approval<{ approved: true }>
    }
  | {
      state: 'output-error'
      input: Input | undefined
      rawInput?: unknown
      output?: never
      errorText: string
      approval?: Approval<{ approved: true }>
    }
  | {
      state: 'output-denied'
      input: Input
      output?: never
      errorText?: never
      approval: Approval<{ approved: false }>
    }
)

/** A call of a tool that the application knows by type. */
export type NamedToolPart<Name extends string = string, Input = unknown, Output = unknown> = {
  type: `tool-${Name}`
} & ToolState<Input, Output>

/** A call of a tool that is known by name only. */
export type DynamicToolPart = { type: 'dynamic-tool'; toolName: string } & ToolState

/** The input and output types of an application's tools, by name. */
export type ToolTypes = { [name: string]: { input: unknown; output: unknown } }

/** The types of an application's data parts, by name. */
export type DataTypes = { [name: string]: unknown }

type ValueOf<T> = T[keyof T]

/** A tool call, typed by name. */
export type ToolPart<Tools extends ToolTypes = ToolTypes> =
  | ValueOf<{
      [N in keyof Tools & string]: NamedToolPart<N, Tools[N]['input'], Tools[N]['output']>
    }>
  | DynamicToolPart

/** The application's own data, typed by name. */
export type DataPart<Data extends DataTypes = DataTypes> = ValueOf<{
  [N in keyof Data & string]: { type: `data-${N}`; id?: string; data: Data[N] }
}>

/** Anything that a message can hold. */
export type MessagePart<Data extends DataTypes = DataTypes, Tools extends ToolTypes = ToolTypes> =
  | TextPart
  | ReasoningPart
  | RefusalPart
  | ComponentPart
  | SourceUrlPart
  | SourceDocumentPart
  | FilePart
  | StepStartPart
  | ToolPart<Tools>
  | DataPart<Data>

/**
 * One message of a conversation: AI SDK's `UIMessage` plus how it ended. Its types are mutable, since AI SDK's are;
 * the values are never changed in place.
 */
export interface ChatMessage<
  Metadata = unknown,
  Data extends DataTypes = DataTypes,
  Tools extends ToolTypes = ToolTypes,
> {
  id: string
  role: 'system' | 'user' | 'assistant'
  metadata?: Metadata
  parts: MessagePart<Data, Tools>[]
  status: MessageStatus
  /** The streams that made this message, in order; its status is the last one's. */
  requestIds: string[]
  /** Id of the message that this one goes on from. */
  continues?: string
  finishReason?: FinishReason
  /** The vendor's own word for the end. */
  rawFinishReason?: string
  usage?: Usage
  counters: StreamCounters
  /** A user's message on its way; absent once it has arrived. */
  delivery?: 'queued' | 'sending' | 'failed'
}

/**
 * A message as an application may give it: AI SDK's `UIMessage`, or ours with anything left out. A part of a kind that this
 * package does not know is kept, and drawn by the caller's `fallback`.
 */
export type ChatMessageInput<
  Metadata = unknown,
  Data extends DataTypes = DataTypes,
  Tools extends ToolTypes = ToolTypes,
> = Pick<ChatMessage<Metadata, Data, Tools>, 'id' | 'role'> & {
  parts: readonly (MessagePart<Data, Tools> | { readonly type: string })[]
} & Partial<Omit<ChatMessage<Metadata, Data, Tools>, 'id' | 'role' | 'parts'>>

/** A name of a part's kind that narrows tool parts of either sort. */
export function isToolPart(part: MessagePart): part is NamedToolPart | DynamicToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

/** The tool's name, for either sort of tool part. */
export function toolNameOf(part: NamedToolPart | DynamicToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** The answer text of a message: its text parts, in order. Reasoning and refusals are left out. */
export function textOf(message: Pick<ChatMessage, 'parts'>): string {
  let text = ''
  for (const part of message.parts) if (part.type === 'text') text += part.text
  return text
}

/** The words with which the model declined, where it did. */
export function refusalOf(message: Pick<ChatMessage, 'parts'>): string {
  let text = ''
  for (const part of message.parts) {
    if (part.type === 'data-refusal') text += (part as RefusalPart).data.text
  }
  return text
}

/** Counters of a stream of which nothing was seen. */
export const NO_COUNTS: StreamCounters = Object.freeze({
  applied: 0,
  duplicates: 0,
  gaps: 0,
  foreign: 0,
  skipped: 0,
  late: 0,
  reconnects: 0,
})
