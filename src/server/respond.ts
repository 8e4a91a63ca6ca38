import type { Refusal } from './runs.ts'

/** What every answer carries. */
const COMMON = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Headers of a stream (protocol §5): each keeps somebody on the way from holding it back or changing it. */
export function streamHeaders(requestId: string, contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'content-encoding': 'identity',
    'x-content-type-options': 'nosniff',
    'sluice-request-id': requestId,
  }
}

/** Answers with a value as JSON. */
export function json(
  value: unknown,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): Response {
  return Response.json(value, { status, headers: { ...COMMON, ...headers } })
}

/** Answers that a call can't be served, and why: `{ error: { code, message } }`. */
export function refuse(refusal: Refusal): Response {
  const { status, code, message, headers } = refusal
  return json({ error: { code, message } }, status, headers)
}

/** Answers without a body. */
export function empty(status: number): Response {
  return new Response(null, { status, headers: COMMON })
}
