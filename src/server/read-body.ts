import { isRecord, parseJson, type JsonObject } from '../protocol/json.ts'
import { fingerprintOf } from '../protocol/fingerprint.ts'
import { createId, isRequestId } from '../protocol/ids.ts'
import type { ChatMessage, ChatMessageInput } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { Refusal, StartRequest } from './runs.ts'

export const badRequestId: Refusal = {
  status: 400,
  code: 'bad-request-id',
  message: 'A requestId is 22 to 64 characters of A-Z a-z 0-9 _ and -, made at random.',
}

/** A body that was read, or why it can't be. */
export type Body =
  | { readonly type: 'read'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly type: 'refused'; readonly refusal: Refusal }

/** Reads a JSON object of at most `maxBytes`; what is longer is never held. */
export async function readJsonObject(request: Request, maxBytes: number): Promise<Body> {
  const text = await readText(request, maxBytes)
  if (text === undefined) {
    return refused(
      413,
      'too-large',
      `The body is longer than ${maxBytes} bytes. Send fewer messages.`,
    )
  }
  const value = parseJson(text)
  if (!isRecord(value)) {
    return refused(
      400,
      'bad-request',
      'The body is not a JSON object. Send { requestId, messages }.',
    )
  }
  return { type: 'read', value }
}

async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Not `for await`: it would cancel the body on return, which resets the connection before the answer is out.
  const reader = request.body?.getReader()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) return undefined
    text += decoder.decode(value, { stream: true })
  }
}

/** A call for an answer, checked, or why it can't be served. `resumable`: the client gave the stream an id. */
export type Call =
  | { readonly type: 'call'; readonly call: StartRequest; readonly resumable: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal }

/** Checks the body of a POST that asks for an answer (protocol §5). `headers`: those that it came with. */
export async function readCall(
  value: Readonly<Record<string, unknown>>,
  headers: Headers,
): Promise<Call> {
  const { requestId, messageId, messages, continues, ...body } = value
  if (requestId !== undefined && !isRequestId(requestId)) {
    return { type: 'refused', refusal: badRequestId }
  }
  if (continues !== undefined && !isRequestId(continues)) {
    return refused(400, 'bad-request', 'continues must be the requestId of an earlier stream.')
  }
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    const message =
      'messages must be an array of { id, role: "system" | "user" | "assistant", parts: [{ type, … }] }.'
    return refused(400, 'bad-request', message)
  }
  const request = {
    messages: messages.map((message): ChatMessage => toChatMessage(message)),
    messageId: typeof messageId === 'string' && messageId !== '' ? messageId : createId(),
    ...(continues !== undefined && { continues }),
    body: body as JsonObject,
  }
  const call = {
    requestId: requestId ?? createId(),
    request,
    headers,
    fingerprint: await fingerprintOf(value),
  }
  return { type: 'call', call, resumable: requestId !== undefined }
}

function isMessage(value: unknown): value is ChatMessageInput {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    (value['role'] === 'system' || value['role'] === 'user' || value['role'] === 'assistant') &&
    Array.isArray(value['parts']) &&
    value['parts'].every((part) => isRecord(part) && typeof part['type'] === 'string')
  )
}

function refused(status: number, code: Refusal['code'], message: string): Body & Call {
  return { type: 'refused', refusal: { status, code, message } }
}
