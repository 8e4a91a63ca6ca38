import type { StreamFormat } from '../protocol/format.ts'
import { createId } from '../protocol/ids.ts'
import { toChatMessage } from '../protocol/settle.ts'

/** What an endpoint is asked, and how. */
export interface Asking {
  readonly url: string
  readonly format: StreamFormat
  /** What the user says. */
  readonly message: string
  /** The model's name, for a vendor's API. */
  readonly model: string | undefined
  /** Sent in place of a body made from the message. */
  readonly data: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Asks for one answer, in the words of its format; `requestId` is for our own. */
export function ask(asking: Asking, requestId: string, signal?: AbortSignal): Promise<Response> {
  return fetch(asking.url, {
    method: 'POST',
    headers: headersOf(asking),
    body: asking.data ?? JSON.stringify(bodyOf(asking, requestId)),
    ...(signal !== undefined && { signal }),
  })
}

/** Headers for any call to the endpoint; keys come from the environment alone. */
export function headersOf({ format, headers, env }: Asking): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: format.framing === 'ndjson' ? 'application/x-ndjson' : 'text/event-stream',
    ...keyOf(format.name, env),
    ...headers,
  }
}

function bodyOf({ format, message, model }: Asking, requestId: string): object {
  const said = toChatMessage({
    id: 'check',
    role: 'user',
    parts: [{ type: 'text', text: message }],
  })
  const fields = format.request?.([said], { requestId })
  if (fields === undefined) return { requestId, messageId: createId(), messages: [said] }
  return { ...(model !== undefined && { model }), ...fields }
}

function keyOf(format: string, env: Asking['env']): Record<string, string> {
  const { OPENAI_API_KEY: openai, ANTHROPIC_API_KEY: anthropic, GEMINI_API_KEY: gemini } = env
  if (format.startsWith('openai') && openai !== undefined) {
    return { authorization: `Bearer ${openai}` }
  }
  if (format === 'anthropic') {
    return {
      'anthropic-version': '2023-06-01',
      ...(anthropic !== undefined && { 'x-api-key': anthropic }),
    }
  }
  return format.startsWith('gemini') && gemini !== undefined ? { 'x-goog-api-key': gemini } : {}
}
