import type { JsonObject } from '../protocol/json.ts'
import type { ChatMessage, ChatMessageInput, FilePart, MessagePart } from '../protocol/message.ts'
import type { StopOutcome } from '../protocol/transport.ts'
import type { StreamTimings } from '../generation/snapshot.ts'
import type { StatusWords } from '../generation/status.ts'
import type { ModelStreamOptions, StreamObserver } from '../generation/stream-types.ts'
import type { ChatRecord } from './chat-record.ts'
import type { Branches } from './tree.ts'

/** What a person sends: text, files, or parts of any kind. */
export type MessageDraft =
  | string
  | {
      readonly text: string
      readonly files?: readonly FilePart[] | undefined
      readonly metadata?: unknown
    }
  | { readonly parts: readonly MessagePart[]; readonly metadata?: unknown }

/** Fields of one request. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: JsonObject | undefined
  readonly metadata?: unknown
}

/** A message that waits until the answer before it is over. */
export interface QueuedMessage {
  readonly id: string
  readonly draft: MessageDraft
  readonly options: SendOptions | undefined
}

/** Options of {@link createChat}: those of one stream, and a conversation to begin with. */
export interface ChatOptions extends Omit<ModelStreamOptions, 'saved' | 'storage'> {
  /** Read once, at creation. */
  readonly id?: string | undefined
  /** Read once, at creation. Messages without `status` are accepted. */
  readonly messages?: readonly ChatMessageInput[] | undefined
  /** Records the conversation so that it can be kept; gives it what was kept, in place of `messages`. Read once, at creation. */
  readonly record?: ChatRecord | undefined
}

/** All that is shown of a conversation: immutable, one identity for each change. */
export interface ChatSnapshot extends StatusWords {
  readonly id: string
  /** The messages of the branch that is shown. A message that did not change keeps its identity. */
  readonly messages: readonly ChatMessage[]
  readonly queue: readonly QueuedMessage[]
  /** Figures of the newest answer. */
  readonly metrics: StreamTimings
}

/** The result of a tool that ran in the client. */
export type ToolOutput =
  | { readonly toolCallId: string; readonly output: unknown }
  | { readonly toolCallId: string; readonly state: 'output-error'; readonly errorText: string }

/** A person's decision about a tool call; `id` is the approval's. */
export interface ToolApprovalResponse {
  readonly id: string
  readonly approved: boolean
  readonly reason?: string | undefined
  /** Other arguments than the model's, where the person has edited them; the server checks them anew. */
  readonly input?: unknown
}

/** What can be done with a conversation. The functions keep their identity; promises never reject for a stream's failure. */
export interface ChatActions {
  /** Sends a message; while an answer runs it is queued. Resolves when its answer is over; at once where it is queued. */
  sendMessage(draft: MessageDraft, options?: SendOptions): Promise<void>
  /** Answers anew, beside the old answer. Default: the last answer. */
  regenerate(options?: SendOptions & { readonly messageId?: string | undefined }): Promise<void>
  /** Stops the answer, and the model. */
  stop(): Promise<StopOutcome>
  /** Goes on with an answer whose connection was lost, where it can be replayed. */
  resumeStream(): Promise<void>
  /** Goes on after an answer that was cut: a new message with `continues`; the cut one stays incomplete. */
  continueResponse(options?: SendOptions): Promise<void>
  /** Does the most that can be done after a failure: resumes, sends again what never arrived, or answers anew. */
  retry(): Promise<void>
  /** Sends another version of a message, beside the old one. */
  editMessage(messageId: string, draft: MessageDraft, options?: SendOptions): Promise<void>
  branchesOf(messageId: string): Branches
  selectBranch(messageId: string): void
  removeQueued(id: string): void
  /** Replaces the conversation. An answer that runs and is no longer part of it is stopped. */
  setMessages(
    messages:
      | readonly ChatMessageInput[]
      | ((messages: readonly ChatMessage[]) => readonly ChatMessageInput[]),
  ): void
  clearError(): void
  addToolOutput(output: ToolOutput): Promise<void>
  addToolApprovalResponse(response: ToolApprovalResponse): Promise<void>
}

/** A conversation as a store: `subscribe` and `getSnapshot` are React's external store. */
export interface ChatStore extends ChatActions {
  getSnapshot(): ChatSnapshot
  getServerSnapshot(): ChatSnapshot
  subscribe(listener: () => void): () => void
  /** Looks at every stream of the conversation from beside. */
  observe(observer: StreamObserver): () => void
  dispose(): void
}
