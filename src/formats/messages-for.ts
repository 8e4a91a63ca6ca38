import type { StreamFormat } from '../protocol/format.ts'
import type { JsonObject } from '../protocol/json.ts'
import { SluiceError } from '../protocol/errors.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { ChatMessage, ChatMessageInput } from '../protocol/message.ts'
import { agUiMessages } from './ag-ui-request.ts'
import { anthropicMessages } from './anthropic-request.ts'
import { geminiContents } from './gemini-request.ts'
import { ollamaMessages } from './ollama-request.ts'
import { openaiChatMessages } from './openai-chat-request.ts'
import { openaiResponsesInput } from './openai-responses-request.ts'
import { uiMessages } from './ui-messages.ts'

type Builder = (messages: readonly ChatMessage[]) => readonly unknown[]

const BUILDERS: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ['openai-chat', openaiChatMessages],
  ['openai-responses', openaiResponsesInput],
  ['anthropic', anthropicMessages],
  ['gemini', geminiContents],
  ['ollama', ollamaMessages],
  ['ag-ui', agUiMessages],
  ['tanstack', agUiMessages],
  ['ai-sdk-ui', uiMessages],
  ['sluice', uiMessages],
])

/**
 * A history as a vendor takes it, such that it cannot poison the next request: no empty turns, no call without its
 * result, no thought without the signature that proves it. An answer that was cut is marked as such, or left out where
 * it was blocked or refused. Anthropic and Gemini take system messages apart: they are left out here.
 *
 * Throws {@link SluiceError} `invalid-options` for a format that takes no history.
 */
export function messagesFor(
  format: StreamFormat | StreamFormat['name'],
  messages: readonly ChatMessageInput[],
): JsonObject[] {
  const name = typeof format === 'string' ? format : format.name
  const build = BUILDERS.get(name)
  if (build === undefined) {
    throw new SluiceError(
      'invalid-options',
      `There is no history in the format "${name}". Known: ${[...BUILDERS.keys()].join(', ')}.`,
    )
  }
  return build(messages.map((message) => toChatMessage(message))) as JsonObject[]
}
