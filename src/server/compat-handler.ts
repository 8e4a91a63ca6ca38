import { aiSdkUiWriter } from '../formats/ai-sdk-ui-writer.ts'
import { anthropicWriter } from '../formats/anthropic-writer.ts'
import { openaiChatWriter } from '../formats/openai-chat-writer.ts'
import { openaiResponsesWriter } from '../formats/openai-responses-writer.ts'
import { encodeSse, type WritableFormat } from '../formats/writer.ts'
import { systemClock } from '../protocol/clock.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { createId } from '../protocol/ids.ts'
import { parseJson, type JsonObject } from '../protocol/json.ts'
import {
  fromAnthropic,
  fromChat,
  fromResponses,
  fromUi,
  type ReadHistory,
} from './compat-history.ts'
import {
  createStreamHandler,
  type StreamHandler,
  type StreamHandlerOptions,
} from './create-stream-handler.ts'
import { linesOf } from './lines.ts'
import { readJsonObject } from './read-body.ts'
import { json, streamHeaders } from './respond.ts'

/** Options of {@link compatHandler}. */
export interface CompatHandlerOptions extends Pick<
  StreamHandlerOptions,
  | 'model'
  | 'tools'
  | 'actions'
  | 'maxSteps'
  | 'authorize'
  | 'limits'
  | 'onEvent'
  | 'onError'
  | 'clock'
> {}

/** By the end of the path; what ends otherwise is AI SDK's. */
const VENDORS: readonly (readonly [end: string, writer: WritableFormat, read: ReadHistory])[] = [
  ['/chat/completions', openaiChatWriter, fromChat],
  ['/responses', openaiResponsesWriter, fromResponses],
  ['/messages', anthropicWriter, fromAnthropic],
  ['', aiSdkUiWriter, fromUi],
]

/**
 * Answers clients that were made for somebody else: OpenAI's Chat Completions (`…/chat/completions`) and Responses
 * (`…/responses`), Anthropic's Messages (`…/messages`), and AI SDK's `useChat` (any other path). Streams only. Such a
 * stream can't be resumed, and a client that leaves stops it.
 */
export function compatHandler(options: CompatHandlerOptions): StreamHandler {
  const { clock = systemClock, limits } = options
  const inner = createStreamHandler({ ...options, base: '/' })

  return async (request, context) => {
    const { pathname, origin } = new URL(request.url)
    if (request.method !== 'POST') return refuse(405, 'Send a POST.', { allow: 'POST' })
    const body = await readJsonObject(request, limits?.bodyBytes ?? 4 * 1024 * 1024)
    if (body.type === 'refused') return refuse(body.refusal.status, body.refusal.message)
    const [, writer, read] = VENDORS.find(([end]) =>
      pathname.endsWith(end),
    ) as (typeof VENDORS)[number]
    const { model, stream, ...more } = body.value
    if (writer !== aiSdkUiWriter && stream !== true) {
      return refuse(400, 'Only streams are served here: send "stream": true.')
    }
    const messages = read(body.value)
    if (typeof messages === 'string') return refuse(400, messages)

    const { requestId: _requestId, messageId: _messageId, continues: _continues, ...rest } = more
    const leaving = new AbortController()
    const asked = new Request(`${origin}/`, {
      method: 'POST',
      signal: AbortSignal.any([request.signal, leaving.signal]),
      headers: {
        ...Object.fromEntries(request.headers),
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify({ ...(rest as JsonObject), messages }),
    })
    const answer = await inner(asked, context)
    if (answer.body === null || !answer.ok) return answer
    const requestId = answer.headers.get('sluice-request-id') ?? createId()
    const written = write(answer.body, writer, {
      id: requestId,
      model: typeof model === 'string' ? model : 'sluice',
      created: Math.floor(clock.now() / 1000),
    })
    return new Response(streamOf(written, leaving), {
      headers: {
        ...streamHeaders(requestId, 'text/event-stream; charset=utf-8'),
        ...writer.headers,
      },
    })
  }
}

async function* write(
  body: ReadableStream<Uint8Array>,
  format: WritableFormat,
  context: Parameters<WritableFormat['createWriter']>[0],
): AsyncGenerator<string, void> {
  const writer = format.createWriter(context)
  for await (const line of linesOf(body)) {
    if (line === '') {
      yield ': heartbeat\n\n'
    } else {
      // Our own handler wrote it.
      const { v: _v, requestId: _requestId, seq: _seq, ...event } = parseJson(line) as StreamEvent
      const text = writer.write(event).map(encodeSse).join('')
      if (text !== '') yield text
    }
  }
}

function streamOf(
  pieces: AsyncGenerator<string, void>,
  leaving: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    // A model may be silent for long: the signal reaches it where `return` would wait for its next word.
    cancel: () => leaving.abort(),
  })
}

/** In words that OpenAI's and Anthropic's clients both understand. */
function refuse(status: number, message: string, headers?: Record<string, string>): Response {
  const type = 'invalid_request_error'
  return json({ type: 'error', error: { type, code: type, message } }, status, headers)
}
