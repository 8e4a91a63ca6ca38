import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { StreamHandler } from '../server/create-stream-handler.ts'

/** A request as Express and Connect hand it on: mounted below a path, they keep the whole one aside. */
type NodeRequest = IncomingMessage & { readonly originalUrl?: string | undefined }

/** What `http.createServer` and Express take. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Puts a handler behind Node's own server: `http.createServer(toNodeListener(handler))`, `app.use(toNodeListener(handler))`.
 * Headers go out before the first byte of the body, a slow socket is waited for, and a closed one ends the delivery.
 */
export function toNodeListener(handler: StreamHandler): NodeListener {
  return (request, response) => {
    respond(handler, request, response).catch((error: unknown) => {
      // The body broke off in the middle: a clean end would be a lie.
      response.destroy(error instanceof Error ? error : undefined)
    })
  }
}

async function respond(
  handler: StreamHandler,
  incoming: NodeRequest,
  outgoing: ServerResponse,
): Promise<void> {
  // `close` on the *request* comes once its body is read; only the response's tells of the connection.
  const connection = new AbortController()
  outgoing.once('close', () => connection.abort())

  const answer = await handler(toRequest(incoming, connection.signal))
  if (outgoing.destroyed) {
    await answer.body?.cancel()
    return
  }
  outgoing.statusCode = answer.status
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (answer.body === null) {
    outgoing.end()
    return
  }
  outgoing.socket?.setNoDelay(true)
  outgoing.flushHeaders()
  await send(answer.body, outgoing)
}

/** Not `pipe`: that would never tell the stream that its reader has gone. */
async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader()
  // Wakes a read that waits for a model, which may take its time.
  const leave = (): void => void reader.cancel().catch(() => {})
  outgoing.once('close', leave)
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (outgoing.destroyed) return
      if (done) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
  } finally {
    outgoing.off('close', leave)
  }
  outgoing.end()
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.once('drain', done)
    outgoing.once('close', done)
  })
}

function toRequest(incoming: NodeRequest, signal: AbortSignal): Request {
  const method = incoming.method ?? 'GET'
  const headers = new Headers()
  for (let place = 0; place + 1 < incoming.rawHeaders.length; place += 2) {
    const name = incoming.rawHeaders[place] ?? ''
    // HTTP/2 puts its pseudo headers here, which are no headers.
    if (!name.startsWith(':')) headers.append(name, incoming.rawHeaders[place + 1] ?? '')
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(urlOf(incoming), {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' as const }),
  })
}

function urlOf(incoming: NodeRequest): URL {
  const scheme = isEncrypted(incoming.socket) ? 'https' : 'http'
  const target = incoming.originalUrl ?? incoming.url ?? '/'
  // The path is appended, not resolved: `//evil.example/x` is a path here.
  const path = target.startsWith('/') ? target : '/'
  const host = incoming.headers.host ?? 'localhost'
  return URL.canParse(`${scheme}://${host}`)
    ? new URL(`${scheme}://${host}${path}`)
    : new URL(`${scheme}://localhost${path}`)
}

function isEncrypted(socket: Socket): boolean {
  return socket instanceof TLSSocket
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}
