import type Anthropic from '@anthropic-ai/sdk'
import type { EventType } from '@ag-ui/core'
import type { FinishReason as GeminiReason } from '@google/genai'
import type { UIMessageChunk } from 'ai'
import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { collectMessage, readModelStream, type StreamFormat } from 'sluice/core'

// Each table names exactly what the vendor's own types name: a new version of an SDK that knows more, or less, does not
// compile here. At run time, nothing of it may be skipped as unknown, and each reason means what it says.

type Table<Name extends string, Value = true | object> = Readonly<Record<Name, Value>>

type ResponseEvent = OpenAI.Responses.ResponseStreamEvent | OpenAI.Responses.ResponsesServerEvent

const responseEvents: Table<ResponseEvent['type']> = {
  error: true,
  'response.audio.delta': true,
  'response.audio.done': true,
  'response.audio.transcript.delta': true,
  'response.audio.transcript.done': true,
  'response.code_interpreter_call.completed': true,
  'response.code_interpreter_call.in_progress': true,
  'response.code_interpreter_call.interpreting': true,
  'response.code_interpreter_call_code.delta': true,
  'response.code_interpreter_call_code.done': true,
  'response.compaction.compacting': true,
  'response.completed': true,
  'response.content_part.added': true,
  'response.content_part.done': true,
  'response.created': true,
  'response.custom_tool_call_input.delta': true,
  'response.custom_tool_call_input.done': true,
  'response.failed': true,
  'response.file_search_call.completed': true,
  'response.file_search_call.in_progress': true,
  'response.file_search_call.searching': true,
  'response.function_call_arguments.delta': true,
  'response.function_call_arguments.done': true,
  'response.image_generation_call.completed': true,
  'response.image_generation_call.generating': true,
  'response.image_generation_call.in_progress': true,
  'response.image_generation_call.partial_image': true,
  'response.in_progress': true,
  'response.incomplete': true,
  'response.mcp_call.completed': true,
  'response.mcp_call.failed': true,
  'response.mcp_call.in_progress': true,
  'response.mcp_call_arguments.delta': true,
  'response.mcp_call_arguments.done': true,
  'response.mcp_list_tools.completed': true,
  'response.mcp_list_tools.failed': true,
  'response.mcp_list_tools.in_progress': true,
  'response.output_item.added': { item: { type: 'message' } },
  'response.output_item.done': { item: { type: 'message' } },
  'response.output_text.annotation.added': true,
  'response.output_text.delta': true,
  'response.output_text.done': true,
  'response.queued': true,
  'response.reasoning_summary_part.added': true,
  'response.reasoning_summary_part.done': true,
  'response.reasoning_summary_text.delta': true,
  'response.reasoning_summary_text.done': true,
  'response.reasoning_text.delta': true,
  'response.reasoning_text.done': true,
  'response.refusal.delta': true,
  'response.refusal.done': true,
  'response.shell_call_command.added': true,
  'response.shell_call_command.delta': true,
  'response.shell_call_command.done': true,
  'response.shell_call_output_content.delta': true,
  'response.shell_call_output_content.done': true,
  'response.steer.accepted': true,
  'response.steer.failed': true,
  'response.steer.pending': true,
  'response.web_search_call.completed': true,
  'response.web_search_call.in_progress': true,
  'response.web_search_call.searching': true,
}

const anthropicEvents: Table<Anthropic.RawMessageStreamEvent['type']> = {
  content_block_delta: { index: 0, delta: { type: 'text_delta', text: 'Yes' } },
  content_block_start: { index: 0, content_block: { type: 'text', text: '' } },
  content_block_stop: true,
  message_delta: true,
  message_start: true,
  message_stop: true,
}

const responseItems: Table<OpenAI.Responses.ResponseOutputItem['type']> = {
  additional_tools: true,
  apply_patch_call: true,
  apply_patch_call_output: true,
  code_interpreter_call: true,
  compaction: true,
  computer_call: true,
  computer_call_output: true,
  custom_tool_call: true,
  custom_tool_call_output: true,
  file_search_call: true,
  function_call: true,
  function_call_output: true,
  image_generation_call: true,
  local_shell_call: true,
  local_shell_call_output: true,
  mcp_approval_request: true,
  mcp_approval_response: true,
  mcp_call: true,
  mcp_list_tools: true,
  message: true,
  program: true,
  program_output: true,
  reasoning: true,
  shell_call: true,
  shell_call_output: true,
  tool_search_call: true,
  tool_search_output: true,
  web_search_call: true,
}

const anthropicBlocks: Table<Anthropic.ContentBlock['type']> = {
  bash_code_execution_tool_result: true,
  code_execution_tool_result: true,
  container_upload: true,
  redacted_thinking: true,
  server_tool_use: true,
  text: true,
  text_editor_code_execution_tool_result: true,
  thinking: true,
  tool_search_tool_result: true,
  tool_use: true,
  web_fetch_tool_result: true,
  web_search_tool_result: true,
}

const anthropicDeltas: Table<Anthropic.RawContentBlockDelta['type']> = {
  citations_delta: true,
  input_json_delta: true,
  signature_delta: true,
  text_delta: true,
  thinking_delta: true,
}

const uiChunks: Table<Exclude<UIMessageChunk['type'], `data-${string}`> | 'data-any'> = {
  abort: true,
  custom: true,
  'data-any': true,
  error: true,
  file: true,
  finish: true,
  'finish-step': true,
  'message-metadata': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'reasoning-file': true,
  'reasoning-start': true,
  'reset-step': true,
  'source-document': true,
  'source-url': true,
  start: true,
  'start-step': true,
  'steering-message': true,
  'text-delta': true,
  'text-end': true,
  'text-start': true,
  'tool-approval-request': true,
  'tool-approval-response': true,
  'tool-input-available': true,
  'tool-input-delta': true,
  'tool-input-error': true,
  'tool-input-start': true,
  'tool-output-available': true,
  'tool-output-denied': true,
  'tool-output-error': true,
}

const agUiEvents: Table<`${EventType}`> = {
  ACTIVITY_DELTA: true,
  ACTIVITY_SNAPSHOT: true,
  CUSTOM: true,
  MESSAGES_SNAPSHOT: true,
  RAW: true,
  REASONING_ENCRYPTED_VALUE: true,
  REASONING_END: true,
  REASONING_MESSAGE_CHUNK: true,
  REASONING_MESSAGE_CONTENT: true,
  REASONING_MESSAGE_END: true,
  REASONING_MESSAGE_START: true,
  REASONING_START: true,
  RUN_ERROR: true,
  RUN_FINISHED: true,
  RUN_STARTED: true,
  STATE_DELTA: true,
  STATE_SNAPSHOT: true,
  STEP_FINISHED: true,
  STEP_STARTED: true,
  SUBAGENT_ERROR: true,
  SUBAGENT_FINISHED: true,
  SUBAGENT_STARTED: true,
  TEXT_MESSAGE_CHUNK: true,
  TEXT_MESSAGE_CONTENT: true,
  TEXT_MESSAGE_END: true,
  TEXT_MESSAGE_START: true,
  TOOL_CALL_ARGS: true,
  TOOL_CALL_CHUNK: true,
  TOOL_CALL_END: true,
  TOOL_CALL_RESULT: true,
  TOOL_CALL_START: true,
}

const events: readonly (readonly [StreamFormat, Table<string>])[] = [
  ['openai-responses', responseEvents],
  ['anthropic', anthropicEvents],
  ['ai-sdk-ui', uiChunks],
  ['ag-ui', agUiEvents],
]

const record = (value: { readonly type?: string }): string =>
  `${value.type === undefined ? '' : `event: ${value.type}\n`}data: ${JSON.stringify(value)}\n\n`

const response = (...records: readonly object[]): Response =>
  new Response(records.map(record).join(''), { headers: { 'content-type': 'text/event-stream' } })

/** How many records of an answer nothing was known about. */
async function skippedOf(format: StreamFormat, ...records: readonly object[]): Promise<number> {
  const stream = readModelStream(response(...records), { format })
  for await (const event of stream) expect(event.requestId).not.toBe('')
  return stream.skipped
}

describe.each(events)('%s', (format, table) => {
  test.each(Object.entries(table))('knows %s', async (type, rest) => {
    expect(await skippedOf(format, { type, ...(rest === true ? {} : rest) })).toBe(0)
  })
})

test.each(Object.keys(responseItems))('openai-responses knows the item %s', async (type) => {
  const item = { id: 'item', type }
  const records = ['response.output_item.added', 'response.output_item.done'].map((name) => ({
    type: name,
    output_index: 0,
    item,
  }))
  expect(await skippedOf('openai-responses', ...records)).toBe(0)
})

test.each(Object.keys(anthropicBlocks))('anthropic knows the block %s', async (type) => {
  const start = { type: 'content_block_start', index: 0, content_block: { type, id: 'block' } }
  expect(await skippedOf('anthropic', start, { type: 'content_block_stop', index: 0 })).toBe(0)
})

test.each(Object.keys(anthropicDeltas))('anthropic knows the delta %s', async (type) => {
  const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  const delta = { type: 'content_block_delta', index: 0, delta: { type } }
  expect(await skippedOf('anthropic', start, delta)).toBe(0)
})

test.each(events)('%s counts what it does not know', async (format) => {
  expect(await skippedOf(format, { type: 'response.of_tomorrow' })).toBe(1)
})

const chatReasons: Table<
  NonNullable<OpenAI.ChatCompletionChunk.Choice['finish_reason']>,
  string
> = {
  content_filter: 'incomplete content-filter',
  function_call: 'complete stop',
  length: 'incomplete length',
  stop: 'complete stop',
  tool_calls: 'complete stop',
}

const anthropicReasons: Table<Anthropic.StopReason, string> = {
  end_turn: 'complete stop',
  max_tokens: 'incomplete length',
  model_context_window_exceeded: 'incomplete context-window',
  pause_turn: 'incomplete paused',
  refusal: 'incomplete refusal',
  stop_sequence: 'complete stop-sequence',
  tool_use: 'complete stop',
}

const geminiReasons: Table<keyof typeof GeminiReason, string> = {
  BLOCKLIST: 'incomplete content-filter',
  CONTINUATION: 'incomplete paused',
  FINISH_REASON_UNSPECIFIED: 'complete other',
  IMAGE_OTHER: 'incomplete error',
  IMAGE_PROHIBITED_CONTENT: 'incomplete content-filter',
  IMAGE_RECITATION: 'incomplete content-filter',
  IMAGE_SAFETY: 'incomplete content-filter',
  LANGUAGE: 'incomplete error',
  MALFORMED_FUNCTION_CALL: 'incomplete error',
  MAX_TOKENS: 'incomplete length',
  NO_IMAGE: 'incomplete error',
  OTHER: 'complete other',
  PROHIBITED_CONTENT: 'incomplete content-filter',
  RECITATION: 'incomplete content-filter',
  SAFETY: 'incomplete content-filter',
  SPII: 'incomplete content-filter',
  STOP: 'complete stop',
  TOO_MANY_TOOL_CALLS: 'incomplete error',
  UNEXPECTED_TOOL_CALL: 'incomplete error',
}

const endings: Readonly<
  Record<
    string,
    { format: StreamFormat; table: Table<string, string>; end: (word: string) => Response }
  >
> = {
  'OpenAI’s chat completions': {
    format: 'openai-chat',
    table: chatReasons,
    end: (finish_reason) =>
      new Response(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Yes' } }] })}\n\n` +
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\ndata: [DONE]\n\n`,
      ),
  },
  Anthropic: {
    format: 'anthropic',
    table: anthropicReasons,
    end: (stop_reason) =>
      response(
        { type: 'message_start', message: {} },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Yes' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason } },
        { type: 'message_stop' },
      ),
  },
  Gemini: {
    format: 'gemini',
    table: geminiReasons,
    end: (finishReason) =>
      response({ candidates: [{ content: { parts: [{ text: 'Yes' }] }, finishReason }] }),
  },
}

const reasons = Object.entries(endings).flatMap(([vendor, { format, table, end }]) =>
  Object.entries(table).map(([word, expected]) => ({ vendor, word, format, end, expected })),
)

test.each(reasons)(
  '$vendor ending by $word: $expected',
  async ({ word, format, end, expected }) => {
    const { status, rawFinishReason } = await collectMessage(readModelStream(end(word), { format }))
    expect(`${status.type} ${'reason' in status ? status.reason : ''}`).toBe(expected)
    // An error has a code and a message of its own.
    expect(rawFinishReason).toBe(expected.endsWith('error') ? undefined : word)
  },
)
