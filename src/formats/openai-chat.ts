import type { ReaderContext, RecordReader, StreamFormat } from '../protocol/format.ts'
import type { EventBody } from '../protocol/events.ts'
import { isRecord } from '../protocol/json.ts'
import { createAssembler } from './assembler.ts'
import { usageOf, vendorMeta } from './usage.ts'
import { count, type Fields } from './fields.ts'
import { endingOf } from './finish.ts'
import { createChatCalls } from './openai-chat-calls.ts'
import { openaiChatRequest } from './openai-chat-request.ts'
import { createRecordReader } from './reader.ts'
import { createThinkTags } from './think-tags.ts'
import { vendorError } from './vendor-error.ts'

/** How Chat Completions is to be read. */
export interface OpenAIChatOptions {
  /** Reads `<think>…</think>` at the start of the answer as reasoning: for servers without a reasoning parser. */
  readonly thinkTags?: boolean | undefined
}

/**
 * OpenAI Chat Completions, and the servers that imitate it: Azure, vLLM, llama.cpp, Ollama `/v1`, OpenRouter, DeepSeek, Groq,
 * Mistral, xAI, Together.
 */
export const openaiChat: StreamFormat = openaiChatFormat()

/** {@link openaiChat} with options. */
export function openaiChatFormat(options: OpenAIChatOptions = {}): StreamFormat {
  return {
    name: 'openai-chat',
    framing: 'sse',
    createReader: (emit, context) => createReader(emit, context, options),
    request: openaiChatRequest,
  }
}

function createReader(
  emit: (event: EventBody) => void,
  context: ReaderContext,
  { thinkTags }: OpenAIChatOptions,
): RecordReader {
  const assembler = createAssembler(emit, context)
  const calls = createChatCalls(assembler)
  const tags = thinkTags === true ? createThinkTags(assembler) : undefined
  const choices = createChoiceFilter(readChoice)
  let sources = 0
  let transcript = ''

  function readObject(value: Fields, event: string | undefined): void {
    const groq = isRecord(value['x_groq']) ? value['x_groq'] : undefined
    if (isError(value, event)) return assembler.fail(vendorError(value))
    if (typeof groq?.['error'] === 'string')
      return assembler.fail(vendorError({ error: groq['error'] }))
    if (value['object'] === 'chat.completion') return assembler.fail(NOT_A_STREAM)
    if (typeof value['id'] === 'string' && value['id'] !== '') {
      assembler.start(typeof value['model'] === 'string' ? value['model'] : undefined)
    }
    if (Array.isArray(value['choices'])) choices.read(value['choices'])
    readUsage(value['usage'] ?? groq?.['usage'])
    if (Array.isArray(value['citations']))
      for (const url of value['citations']) if (typeof url === 'string') cite({ url })
  }

  function readChoice(choice: Fields): void {
    const delta = isRecord(choice['delta']) ? choice['delta'] : {}
    const reasoning = firstText(delta['reasoning_content'], delta['reasoning'])
    if (reasoning !== '') assembler.text('reasoning', 'reasoning', reasoning)
    readReasoningDetails(delta['reasoning_details'], reasoning !== '')
    if (typeof delta['content'] === 'string') answer(delta['content'])
    else if (Array.isArray(delta['content'])) for (const part of delta['content']) readPart(part)
    if (typeof delta['refusal'] === 'string') assembler.text('refusal', 'refusal', delta['refusal'])
    if (isRecord(delta['audio'])) readAudio(delta['audio'], choice)
    if (Array.isArray(delta['tool_calls'])) for (const call of delta['tool_calls']) calls.read(call)
    if (isRecord(delta['function_call'])) calls.readLegacy(delta['function_call'])
    if (Array.isArray(delta['annotations']))
      for (const annotation of delta['annotations']) readAnnotation(annotation)
    if (isRecord(choice['usage'])) readUsage(choice['usage'])
    const word = choice['finish_reason']
    if (typeof word === 'string' && word !== '') finish(word, choice['stop_reason'])
  }

  function answer(text: string): void {
    if (tags === undefined) assembler.text('text', 'text', text)
    else tags.push(text)
  }

  function finish(word: string, stopReason: unknown): void {
    const ending = endingOf(word)
    // vLLM tells the stop string that was hit; a number is a stop token, which is a natural end.
    assembler.finish(
      word,
      ending === 'stop' && typeof stopReason === 'string' ? 'stop-sequence' : ending,
    )
  }

  /** Mistral's typed content. */
  function readPart(part: unknown): void {
    if (!isRecord(part)) return
    if (part['type'] === 'text' && typeof part['text'] === 'string') answer(part['text'])
    else if (part['type'] === 'thinking')
      assembler.text('reasoning', 'reasoning', textsIn(part['thinking']))
    else if (part['type'] === 'reference' && Array.isArray(part['reference_ids'])) {
      for (const id of part['reference_ids']) cite({ id: `${id}` })
    } else assembler.skip()
  }

  /** OpenRouter tells reasoning twice; the second form has what must be sent back. */
  function readReasoningDetails(details: unknown, seen: boolean): void {
    if (!Array.isArray(details)) return
    for (const detail of details) {
      if (!isRecord(detail)) continue
      const text = firstText(detail['text'], detail['summary'])
      if (text !== '' && !seen) assembler.text('reasoning', 'reasoning', text)
      const { signature, data } = detail
      if (typeof signature === 'string')
        assembler.text('reasoning', 'reasoning', '', vendorMeta('openrouter', { signature }))
      if (typeof data === 'string')
        assembler.text('reasoning', 'reasoning', '', vendorMeta('openrouter', { encrypted: data }))
    }
  }

  /** Spoken answers: the transcript is text beside the answer, and the update with only `expires_at` is the end. */
  function readAudio(audio: Fields, choice: Fields): void {
    if (typeof audio['transcript'] === 'string') {
      transcript += audio['transcript']
      assembler.emit({
        type: 'data',
        part: 'transcript',
        name: 'audio-transcript',
        id: 'audio',
        value: transcript,
      })
    }
    if (audio['expires_at'] !== undefined && !('finish_reason' in choice))
      assembler.finish(undefined)
  }
  function readAnnotation(annotation: unknown): void {
    const citation = isRecord(annotation) ? annotation['url_citation'] : undefined
    if (isRecord(citation) && typeof citation['url'] === 'string') {
      cite({
        url: citation['url'],
        title: typeof citation['title'] === 'string' ? citation['title'] : undefined,
      })
    }
  }

  function cite({
    url,
    title,
    id,
  }: {
    url?: string
    title?: string | undefined
    id?: string
  }): void {
    sources += 1
    const sourceId = id ?? `source-${sources}`
    assembler.emit({
      type: 'source',
      part: `source-${sources}`,
      sourceId,
      ...(url && { url }),
      ...(title && { title }),
    })
  }

  function readUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const input = usage['prompt_tokens_details']
    const output = usage['completion_tokens_details']
    assembler.usage(
      usageOf({
        inputTokens: count(usage['prompt_tokens']),
        outputTokens: count(usage['completion_tokens']),
        cachedInputTokens: isRecord(input)
          ? count(input['cached_tokens'])
          : count(usage['prompt_cache_hit_tokens']),
        reasoningTokens: isRecord(output) ? count(output['reasoning_tokens']) : undefined,
      }),
    )
  }

  function settleAll(): void {
    choices.end()
    tags?.end()
  }

  return createRecordReader(assembler, {
    readObject,
    isForeign: (event) => event !== 'error' && event !== 'message',
    settle: settleAll,
  })
}

const NOT_A_STREAM = {
  code: 'not-a-stream',
  message: 'The model server answered with one whole completion instead of a stream.',
  retryable: false,
} as const

function isError(value: Fields, event: string | undefined): boolean {
  if (event === 'error' || value['object'] === 'error') return true
  return typeof value['error'] === 'string' ? value['error'] !== '' : isRecord(value['error'])
}

function firstText(...values: readonly unknown[]): string {
  for (const value of values) if (typeof value === 'string' && value !== '') return value
  return ''
}

function textsIn(parts: unknown): string {
  if (typeof parts === 'string') return parts
  if (!Array.isArray(parts)) return ''
  return parts
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

/**
 * Lets one answer through. With `n` > 1 the choices interleave, and only the first is read. A server that counts tokens
 * in `index` (0, 1, 2 …) has one answer all the same: the two look alike until one more record has come, so a
 * first higher index waits for it.
 */
function createChoiceFilter(read: (choice: Fields) => void): {
  read(choices: readonly unknown[]): void
  end(): void
} {
  let primary: number | undefined
  let mode: 'single' | 'unsure' | 'counter' | 'many' = 'single'
  let last = 0
  let waiting: Fields | undefined
  let closed = false

  function take(choice: Fields): void {
    if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '') closed = true
    read(choice)
  }

  function end(): void {
    const held = waiting
    waiting = undefined
    if (held !== undefined) take(held)
  }

  return {
    read(choices) {
      if (choices.length > 1) {
        mode = 'many'
        if (choices.some((choice) => isRecord(choice) && choice['index'] === 0)) primary ??= 0
      }
      for (const choice of choices) {
        if (!isRecord(choice)) continue
        const index = typeof choice['index'] === 'number' ? choice['index'] : (primary ?? 0)
        primary ??= index
        if (mode === 'counter') take(choice)
        else if (mode === 'unsure') {
          if (index === last + 1) {
            mode = 'counter'
            end()
            take(choice)
          } else {
            mode = 'many'
            waiting = undefined
            if (index === primary) take(choice)
          }
        } else if (index === primary) take(choice)
        else if (mode === 'single' && !closed && index === last + 1) {
          mode = 'unsure'
          waiting = choice
        } else mode = 'many'
        last = index
      }
    },
    end,
  }
}
