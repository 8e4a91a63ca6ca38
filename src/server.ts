/**
 * The server half, for any runtime with web-standard requests and responses.
 *
 * @module
 */
export {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openAIChatModel,
  openAIResponsesModel,
} from './formats/models.ts'
export type { VendorModelOptions } from './formats/vendor-model.ts'
export type { Model, ModelRequest, StreamState } from './protocol/transport.ts'
export { compatHandler, type CompatHandlerOptions } from './server/compat-handler.ts'
export {
  createStreamHandler,
  type Access,
  type HandlerLimits,
  type StreamHandler,
  type StreamHandlerOptions,
} from './server/create-stream-handler.ts'
export type { CorsOptions } from './server/cors.ts'
export type { Appended, Created, EventLog, Hint, Page, RunState } from './server/event-log.ts'
export { memoryEventLog, type EventLogLimits } from './server/memory-event-log.ts'
export type {
  Action,
  ActionEnd,
  ActionLog,
  ActionRecord,
  ActionState,
  Approval,
} from './actions/action-log.ts'
export { memoryActionLog, type MemoryActionLogOptions } from './actions/memory-action-log.ts'
export {
  tool,
  type Tool,
  type ToolContext,
  type Tools,
  type ToolStatus,
  type Verdict,
} from './actions/tool.ts'
