import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { messageEncoding } from '../formats/sluice-encode.ts'
import { isRequestId } from '../protocol/ids.ts'
import { isRecord, parseJson } from '../protocol/json.ts'
import type { StreamHandler } from '../server/create-stream-handler.ts'
import { linesOf } from '../server/lines.ts'

/** Options of {@link webSocketUpgrade}. */
export interface WebSocketUpgradeOptions {
  /**
   * Whether a page of another origin may connect: a browser lets any page open a WebSocket to anywhere, with this
   * site's cookies. Default: none.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined
  /** Most bytes of one message. Default: 4 MiB. */
  readonly messageBytes?: number | undefined
}

/** What `server.on('upgrade', …)` takes. */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Serves a stream handler over WebSocket too (protocol §1): `server.on('upgrade', webSocketUpgrade(handler))`. The path
 * of the WebSocket is the handler's `base`. Each message becomes a request to the handler, with the headers of the
 * upgrade, so that `authorize` sees the same cookies; a server with other WebSockets chooses by the path itself.
 */
export function webSocketUpgrade(
  handler: StreamHandler,
  { allowOrigin, messageBytes = 4 * 1024 * 1024 }: WebSocketUpgradeOptions = {},
): UpgradeListener {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    // Compresses each small message on its own, at the cost of memory for each connection.
    perMessageDeflate: false,
  })
  return (request, socket, head) => {
    const { origin, host } = request.headers
    const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
    if (!isOwn && allowOrigin?.(origin) !== true) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      converse(webSocket, request, handler)
    })
  }
}

/** What a client may ask for. */
type Asked =
  | { readonly type: 'start'; readonly requestId: string; readonly body: object }
  | { readonly type: 'resume'; readonly requestId: string; readonly after: number }
  | { readonly type: 'cancel'; readonly requestId: string }

function converse(webSocket: WebSocket, upgrade: IncomingMessage, handler: StreamHandler): void {
  const connection = new AbortController()
  webSocket.on('close', () => connection.abort())
  // What it has to say is said by the close that follows.
  webSocket.on('error', () => {})

  const url = `http://${upgrade.headers.host ?? 'localhost'}${(upgrade.url ?? '/').replace(/[?#].*$/, '')}`
  const headers = headersOf(upgrade)
  let streams = 0

  /** Resolves once the message has left this process, so that a slow reader slows what it reads. */
  const send = (text: string): Promise<void> =>
    new Promise((resolve) => webSocket.send(text, () => resolve()))

  const acknowledge = (of: string, requestId: string, more: object): Promise<void> =>
    send(JSON.stringify({ type: 'ack', of, requestId, ...more }))

  const call = (method: string, path: string, body?: object): Promise<Response> =>
    handler(
      new Request(`${url}${path}`, {
        method,
        signal: connection.signal,
        headers: {
          ...headers,
          accept: 'application/x-ndjson',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )

  const refuse = async (asked: Asked, response: Response): Promise<void> => {
    const value = parseJson(await response.text())
    const error = isRecord(value) && isRecord(value['error']) ? value['error'] : {}
    await acknowledge(asked.type, asked.requestId, { ok: false, code: 'bad-request', ...error })
  }

  const deliver = async (asked: Asked, response: Response): Promise<void> => {
    if (!response.ok) return refuse(asked, response)
    const isEmpty = response.status === 204 || response.body === null
    const { type, requestId } = asked
    await acknowledge(type, requestId, { ok: true, ...(isEmpty && { code: 'nothing-left' }) })
    if (response.body !== null) {
      for await (const line of linesOf(response.body)) {
        await send(line === '' ? messageEncoding.heartbeat : line)
      }
    }
  }

  const stream = async (asked: Asked, opening: Promise<Response>): Promise<void> => {
    streams += 1
    await deliver(asked, await opening)
    streams -= 1
    if (streams === 0) webSocket.close(1000)
  }

  const cancel = async (asked: Asked): Promise<void> => {
    let outcome: Record<string, unknown>
    do {
      const response = await call('DELETE', `/${asked.requestId}`)
      if (!response.ok) return refuse(asked, response)
      outcome = (await response.json()) as Record<string, unknown>
      await acknowledge('cancel', asked.requestId, { ok: true, ...outcome })
      // Each call waits for the model; what it tells in the end is what the client waits for.
    } while (outcome['state'] === 'running' && !connection.signal.aborted)
  }

  const answer = async (message: string): Promise<void> => {
    const asked = read(message)
    switch (asked?.type) {
      case 'start': {
        const { requestId, body } = asked
        return stream(asked, call('POST', '', { ...body, requestId }))
      }
      case 'resume':
        return stream(asked, call('GET', `/${asked.requestId}/events?after=${asked.after}`))
      case 'cancel':
        return cancel(asked)
      case undefined:
        return acknowledge('unknown', '', {
          ok: false,
          code: 'bad-request',
          message: 'Send { type: "start" | "resume" | "cancel", requestId, … } as JSON text.',
        })
    }
  }

  webSocket.on('message', (data: Buffer, isBinary) => {
    // A stream that breaks off is for the client to resume; this connection can't be trusted any more.
    answer(isBinary ? '' : data.toString()).catch(() => webSocket.terminate())
  })
}

function read(message: string): Asked | undefined {
  const value = parseJson(message)
  if (!isRecord(value)) return undefined
  const { type, requestId, body, after = 0 } = value
  if (!isRequestId(requestId)) return undefined
  if (type === 'start' && isRecord(body)) return { type, requestId, body }
  if (type === 'resume' && typeof after === 'number') return { type, requestId, after }
  return type === 'cancel' ? { type, requestId } : undefined
}

/** Those of the person and the page; those of the connection were for the upgrade alone. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const own = Object.entries(headers).filter(
    ([name]) => !/^(connection|upgrade|host|sec-websocket-.*|content-.*)$/.test(name),
  )
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}
