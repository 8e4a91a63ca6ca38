// A server process of its own, which may be killed: `REDIS` is the socket, `PREFIX` what keys begin with.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { z } from 'zod'
import type { EventBody, Model } from 'sluice/core'
import { redisActionLog, redisEventLog } from 'sluice/redis'
import { createStreamHandler, tool, type StreamHandler } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { FIRST, SECOND, type FromOwner, type ToOwner } from './owner-protocol.ts'

const tell = (message: FromOwner): void => void process.send?.(message)

// Without a parent nobody would ever end this.
process.on('disconnect', () => process.exit())

const client = await createClient({
  socket: { path: process.env['REDIS'] ?? '', tls: false },
}).connect()
client.on('error', () => {})
const prefix = process.env['PREFIX'] ?? 'sluice'

async function* words(text: string, part: string, signal: AbortSignal): AsyncGenerator<EventBody> {
  for (const word of text.split(/(?<= )/)) {
    if (signal.aborted) return
    yield { type: 'text_delta', part, text: word }
    await sleep(15)
  }
}

function call(name: string): EventBody[] {
  return [
    { type: 'tool_start', part: 'call', toolCallId: 'c1', name, inputKind: 'json', runs: 'client' },
    { type: 'tool_complete', toolCallId: 'c1', argsText: '{"amount":5}', args: { amount: 5 } },
    { type: 'done', finishReason: 'tool-calls' },
  ]
}

const model: Model = async function* (request, { signal }) {
  const last = request.messages.at(-1)
  if (last?.role === 'assistant') {
    yield* words(SECOND, 'second', signal)
    yield { type: 'done', finishReason: 'stop' }
  } else if (request.body['asks'] === true) {
    yield* call('order')
  } else {
    yield* words(FIRST, 'first', signal)
    yield* call('pay')
  }
}

/** Takes effect once for each time that it is run, where all processes and the test can see it. */
const pay = tool({
  input: z.object({ amount: z.number() }),
  timeoutMs: 1_000,
  async run(_, { key }) {
    await sleep(150)
    await client.incr(`effects:${key}`)
    await sleep(150)
    return 'paid'
  },
})

const runs = new Set<Promise<unknown>>()
const handler = createStreamHandler({
  model,
  log: redisEventLog({ client, prefix }),
  actions: redisActionLog({ client, prefix }),
  tools: { pay, order: { ...pay, approval: true } },
  leaseMs: 2_000,
  // A run that is taken away says so here; that it was is what the test looks at.
  onError: () => {},
})
const waiting: StreamHandler = (request) =>
  handler(request, {
    waitUntil: (work) => {
      runs.add(work)
      void work.finally(() => runs.delete(work))
    },
  })

const server = createServer(toNodeListener(waiting))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) tell({ type: 'ready', port: address.port })
})

process.on('message', (message: ToOwner) => {
  if (message.type === 'settle') void Promise.all(runs).then(() => tell({ type: 'settled' }))
})
