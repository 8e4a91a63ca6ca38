import { request as ask } from 'node:http'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { Route } from '../../support/static-server.ts'

/** Serves another server under a path of this site, so that the page reads its headers without CORS. */
export function relayUnder(prefix: string, target: string): Route {
  return (request, response) => {
    if (request.url?.startsWith(prefix) !== true) return false
    const url = target + request.url.slice(prefix.length)
    const { host: _host, ...headers } = request.headers
    const onward = ask(url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
    return true
  }
}

/** A TCP pass-through that writes down when each connection ended and what came after. */
export interface PassThrough {
  readonly url: string
  /** When the newest connection to the upstream was closed; `Date.now()` milliseconds. */
  readonly closedAt: number | undefined
  /** When the last byte of the upstream came. */
  readonly lastByteAt: number | undefined
  close(): Promise<void>
}

/** Puts itself before a server. */
export async function passThrough(target: string): Promise<PassThrough> {
  const { hostname, port } = new URL(target)
  let closedAt: number | undefined
  let lastByteAt: number | undefined
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    closedAt = undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (bytes) => {
      lastByteAt = Date.now()
      client.write(bytes)
    })
    // Without half-open sockets: who asks is gone, so the upstream goes too.
    client.on('close', () => {
      closedAt = Date.now()
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get closedAt() {
      return closedAt
    },
    get lastByteAt() {
      return lastByteAt
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
