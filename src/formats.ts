/**
 * Wire formats as values, and models behind them: an application carries only what it imports.
 *
 * @module
 */
export { agUi, tanstack } from './formats/ag-ui.ts'
export { aiSdkUi } from './formats/ai-sdk-ui.ts'
export { anthropic } from './formats/anthropic.ts'
export { auto } from './formats/auto.ts'
export { geminiInteractions } from './formats/gemini-interactions.ts'
export { gemini } from './formats/gemini.ts'
export { messagesFor } from './formats/messages-for.ts'
export {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openAIChatModel,
  openAIResponsesModel,
} from './formats/models.ts'
export { ollama } from './formats/ollama.ts'
export { openaiChat, openaiChatFormat, type OpenAIChatOptions } from './formats/openai-chat.ts'
export { openaiResponses } from './formats/openai-responses.ts'
export { sluice } from './formats/sluice.ts'
export { aiSdkUiWriter } from './formats/ai-sdk-ui-writer.ts'
export { anthropicWriter } from './formats/anthropic-writer.ts'
export { openaiChatWriter } from './formats/openai-chat-writer.ts'
export { openaiResponsesWriter } from './formats/openai-responses-writer.ts'
export {
  encodeSse,
  type RecordWriter,
  type WritableFormat,
  type WriterContext,
} from './formats/writer.ts'
export type { VendorModelOptions } from './formats/vendor-model.ts'
export type { StreamFormat } from './protocol/format.ts'
