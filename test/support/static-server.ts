import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface StaticServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Answers a request and returns `true`, or leaves it. */
export type Route = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves the files of a folder on a free port of the loopback interface; `routes` are asked first. */
export function serveFolder(folder: string, routes: readonly Route[] = []): Promise<StaticServer> {
  const server = createServer((request, response) => {
    if (routes.some((route) => route(request, response))) return
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    // Chromium asks for it by itself, and would report a 404 in the page's console.
    if (pathname === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    const name = normalize(decodeURIComponent(pathname))
    const path = join(folder, name.endsWith('/') ? `${name}index.html` : name)
    if (!existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
    createReadStream(path).pipe(response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        reject(new Error('The server has no port.'))
        return
      }
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      })
    })
  })
}
