/**
 * Streams without React: events, messages, the store of one answer and of a conversation, transports.
 *
 * @module
 */
export {
  exportTranscript,
  type Transcript,
  type TranscriptEntry,
  type TranscriptSource,
} from './chat/transcript.ts'
export { createModelStream } from './generation/model-stream.ts'
export type {
  FinishInfo,
  ModelStream,
  ModelStreamOptions,
  PressureOutcome,
  StartOptions,
  StreamInput,
  StreamKeeper,
  StreamObserver,
  StreamStorage,
  Validity,
} from './generation/stream-types.ts'
export type { StreamSnapshot, StreamTimings } from './generation/snapshot.ts'
export type { Connection, StopState, StreamStatus } from './generation/status.ts'
export type { Fact } from './generation/facts.ts'
export { reduce } from './generation/reduce.ts'
export type { GenerationState } from './generation/state.ts'
export {
  createRecorder,
  type SavedFact,
  type SavedRequest,
  type SavedStream,
  type StreamRecorder,
} from './generation/record.ts'
export { statusOf } from './generation/status.ts'
export { tabStorage, type TabStorageOptions } from './generation/tab-storage.ts'
export { frameScheduler, type Scheduler } from './generation/scheduler.ts'
export type { ConnectionLimits } from './generation/connection.ts'
export { coalesce } from './protocol/coalesce.ts'
export type { Clock } from './protocol/clock.ts'
export type { Conclusion } from './protocol/end.ts'
export {
  ERROR_CODES,
  SluiceError,
  streamError,
  type ErrorCode,
  type StreamError,
  type UsageErrorCode,
} from './protocol/errors.ts'
export {
  isTerminal,
  PROTOCOL_VERSION,
  type EventBody,
  type EventType,
  type FinishReason,
  type StreamEvent,
  type TerminalEvent,
  type ToolAction,
  type ToolOutcome,
  type Usage,
} from './protocol/events.ts'
export { collectMessage, toChatMessage } from './protocol/settle.ts'
export type { RecordReader, StreamFormat as WireFormat, WireRecord } from './protocol/format.ts'
export { createId, isRequestId } from './protocol/ids.ts'
export type { JsonObject, JsonValue, ProviderMetadata } from './protocol/json.ts'
export {
  isToolPart,
  refusalOf,
  textOf,
  toolNameOf,
  type ArgumentPreview,
  type ChatMessage,
  type ChatMessageInput,
  type ComponentPart,
  type DataPart,
  type DynamicToolPart,
  type FilePart,
  type IncompleteReason,
  type MessagePart,
  type MessageStatus,
  type NamedToolPart,
  type ReasoningPart,
  type RefusalPart,
  type Review,
  type SourceDocumentPart,
  type SourceRange,
  type SourceUrlPart,
  type StepStartPart,
  type StreamCounters,
  type TextPart,
  type ToolPart,
  type ToolState,
} from './protocol/message.ts'
export type {
  Io,
  Model,
  ModelRequest,
  StopOutcome,
  StreamRequest,
  StreamState,
  ToolAnswer,
  Transport,
} from './protocol/transport.ts'
export { createChat } from './chat/create-chat.ts'
export type {
  ChatActions,
  ChatOptions,
  ChatSnapshot,
  ChatStore,
  MessageDraft,
  QueuedMessage,
  SendOptions,
  ToolApprovalResponse,
  ToolOutput,
} from './chat/chat-types.ts'
export type { Branches } from './chat/tree.ts'
export { indexedDbThreads, type IndexedDbThreadsOptions } from './chat/indexed-db-threads.ts'
export { memoryThreads } from './chat/memory-threads.ts'
export { openThread, type KeptThread, type OpenThreadOptions } from './chat/open-thread.ts'
export { readThread, type ReadThread, type SavedThread } from './chat/saved-thread.ts'
export type {
  SaveOutcome,
  StoredThread,
  ThreadStorage,
  ThreadSummary,
  ThreadToSave,
} from './chat/thread-storage.ts'
export { directTransport } from './transport/direct.ts'
export { httpTransport } from './transport/http.ts'
export type { Asked, HttpCall, HttpTransportOptions } from './transport/http-call.ts'
export type { ReadLimits } from './transport/limits.ts'
export type { FormatName as StreamFormat } from './transport/named-format.ts'
export { readModelStream, type ReadModelStreamOptions } from './transport/read-model-stream.ts'
export type { EventStream } from './transport/read.ts'
export type { StreamSource } from './transport/source.ts'
export { toTransport, type ChatTransportLike } from './transport/to-transport.ts'
export { webSocketTransport, type WebSocketTransportOptions } from './transport/websocket.ts'
