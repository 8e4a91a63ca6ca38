import { createServer, type IncomingMessage } from 'node:http'
import { parseJson, isRecord } from '../protocol/json.ts'
import type { Model } from '../protocol/transport.ts'
import { createStreamHandler, type StreamHandler } from '../server/create-stream-handler.ts'
import { memoryEventLog } from '../server/memory-event-log.ts'
import { readCall } from '../server/read-body.ts'
import { isDropped } from '../testing/demo-model.ts'
import { demoTools } from '../testing/demo-tools.ts'
import { dropConnections } from '../testing/drop-connection.ts'
import { listen, type Place } from './listen.ts'
import { staticFiles } from './static-files.ts'
import { toNodeListener } from './to-node-listener.ts'

/** What `sluice serve` serves, and where. */
export interface ServeOptions extends Place {
  readonly model: Model
  /** Whether the model is the demonstration's, some of whose connections drop on purpose. */
  readonly demo: boolean
  /** The built page. */
  readonly folder: string
}

/** A running server. */
export interface Served {
  readonly url: string
  close(): Promise<void>
}

const BASE = '/api/chat'
/** About the middle of the answer whose connection is to drop. */
const DROP_AFTER_BYTES = 16_000

/** Serves the example page and its stream handler. Rejects where no port can be had. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { model, demo, folder, host } = options
  const handler = createStreamHandler({
    base: BASE,
    model,
    log: memoryEventLog(),
    ...(demo && { tools: demoTools }),
  })
  const chat = toNodeListener(demo ? withDrops(handler) : handler)
  const page = staticFiles(folder)
  const isOurs = hostGuard(host)
  const server = createServer((request, response) => {
    if (!isOurs(request)) {
      response.writeHead(403, { 'content-type': 'text/plain' })
      response.end('This server answers only under its own name.\n')
      return
    }
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === BASE || pathname.startsWith(`${BASE}/`)) chat(request, response)
    else void page(request, response)
  })
  const port = await listen(server, options)
  return {
    url: `http://${host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * A page anywhere can have its name resolve to this machine, and would then be of this server's origin, with this
 * server's key at hand. So a server for this machine alone insists on being called by its name.
 */
function hostGuard(host: string): (request: IncomingMessage) => boolean {
  const own = new Set(['localhost', '127.0.0.1', '[::1]', host])
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return ({ headers }) => !isLocal || own.has((headers.host ?? '').replace(/:\d+$/, ''))
}

function withDrops(handler: StreamHandler): StreamHandler {
  return dropConnections(handler, {
    afterBytes: DROP_AFTER_BYTES,
    async when(request) {
      const body = parseJson(await request.text())
      const read = isRecord(body) ? await readCall(body, request.headers) : undefined
      return read?.type === 'call' && isDropped(read.call.request)
    },
  })
}
