import type { DoneEvent, EventBody, FinishReason, Usage } from '../protocol/events.ts'
import type { WireRecord } from '../protocol/format.ts'
import {
  CUT_MESSAGE,
  DONE,
  jsonRecord,
  type RecordWriter,
  type WritableFormat,
  type WriterContext,
} from './writer.ts'

/** Writes Chat Completions streams. */
export const openaiChatWriter: WritableFormat = { name: 'openai-chat', createWriter }

const WORDS: { readonly [R in FinishReason]?: string } = {
  length: 'length',
  'context-window': 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

function createWriter(context: WriterContext): RecordWriter {
  const { id, model, created } = context
  const calls = new Map<
    string,
    { readonly index: number; readonly isText: boolean; sent: boolean }
  >()

  function chunk(delta: object, finishReason: string | null = null): WireRecord {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
    return jsonRecord({ id, object: 'chat.completion.chunk', created, model, choices })
  }

  function piece(toolCallId: string, text: string): WireRecord[] {
    const call = calls.get(toolCallId)
    if (call === undefined || text === '') return []
    call.sent = true
    const { index, isText } = call
    return [
      chunk({
        tool_calls: [
          isText ? { index, custom: { input: text } } : { index, function: { arguments: text } },
        ],
      }),
    ]
  }

  function write(event: EventBody): readonly WireRecord[] {
    switch (event.type) {
      case 'start':
        return [chunk({ role: 'assistant', content: '', refusal: null })]
      case 'text_delta':
        return [chunk({ content: event.text })]
      case 'reasoning_delta':
        return event.text === '' ? [] : [chunk({ reasoning_content: event.text })]
      case 'refusal_delta':
        return [chunk({ refusal: event.text })]
      case 'tool_start': {
        if (event.runs !== 'client') return []
        const index = calls.size
        const isText = event.inputKind === 'text'
        calls.set(event.toolCallId, { index, isText, sent: false })
        const { toolCallId, name } = event
        const call = isText
          ? { index, id: toolCallId, type: 'custom', custom: { name, input: '' } }
          : { index, id: toolCallId, type: 'function', function: { name, arguments: '' } }
        return [chunk({ tool_calls: [call] })]
      }
      case 'tool_delta':
        return piece(event.toolCallId, event.argsText)
      case 'tool_complete':
        return calls.get(event.toolCallId)?.sent === true
          ? []
          : piece(event.toolCallId, event.argsText)
      case 'done':
        return [chunk({}, WORDS[event.finishReason] ?? 'stop'), ...usage(event), DONE]
      case 'error':
        return [failure(event.message, event.code)]
      case 'cancelled':
      case 'interrupted':
        return [failure(CUT_MESSAGE, event.type)]
      default:
        return []
    }
  }

  function usage({ usage: totals }: DoneEvent): WireRecord[] {
    if (totals === undefined) return []
    return [
      jsonRecord({
        id,
        object: 'chat.completion.chunk',
        created,
        model,
        choices: [],
        usage: chatUsage(totals),
      }),
    ]
  }

  return { write }
}

function failure(message: string, code: string): WireRecord {
  return jsonRecord({ error: { message, type: 'server_error', param: null, code } })
}

function chatUsage({
  inputTokens = 0,
  outputTokens = 0,
  cachedInputTokens,
  reasoningTokens,
}: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: cachedInputTokens },
    }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}
