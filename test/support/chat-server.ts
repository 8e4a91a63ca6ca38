import { createServer, type Server } from 'node:http'
import { createId } from '../../src/protocol/ids.ts'
import type { StreamEvent } from '../../src/protocol/events.ts'
import { toNodeListener, type NodeListener } from 'sluice/server/node'
import { createStreamHandler, type StreamHandlerOptions } from 'sluice/server'

/** A server on a free port of the loopback interface. */
export interface TestServer {
  readonly server: Server
  /** Of the handler, without a slash at the end. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Serves a listener. */
export async function listen(listener: NodeListener): Promise<TestServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    server,
    url: `http://127.0.0.1:${address.port}/api/chat`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Serves a handler over real HTTP. */
export function serveChat(options: StreamHandlerOptions): Promise<TestServer> {
  return listen(toNodeListener(createStreamHandler(options)))
}

/** A question by one user. */
export const question = (text = 'Hello'): object => ({
  id: 'q1',
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** Asks for an answer. */
export function ask(
  url: string,
  { requestId, ...more }: { requestId?: string | undefined; [field: string]: unknown } = {},
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    ...(signal !== undefined && { signal }),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ requestId: requestId ?? createId(), messages: [question()], ...more }),
  })
}

/** Reads the events of a body in our SSE form, as they come. */
export async function* sseEvents(response: Response): AsyncGenerator<StreamEvent, void> {
  for await (const block of sseBlocks(response)) {
    const line = block.split('\n').find((text) => text.startsWith('data: '))
    if (line !== undefined) yield JSON.parse(line.slice('data: '.length)) as StreamEvent
  }
}

/** Reads the blocks of a body in SSE form, comments included. */
export async function* sseBlocks(response: Response): AsyncGenerator<string, void> {
  if (response.body === null) throw new Error(`No body (${response.status}).`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 2)
    }
  }
}

/** Reads a stream to its end. */
export async function allEvents(response: Response): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of sseEvents(response)) events.push(event)
  return events
}

/** The answer text of events. */
export function textIn(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')
}
