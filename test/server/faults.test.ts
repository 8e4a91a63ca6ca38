import { afterEach, describe, expect, test } from 'vitest'
import { createModelStream, httpTransport, textOf } from 'sluice/core'
import { memoryEventLog } from 'sluice/server'
import { manualClock, scriptedModel } from 'sluice/testing'
import { serveChat, type TestServer } from '../support/chat-server.ts'
import { faultProxy, type FaultProxy, type Place, type WireFault } from '../support/fault-proxy.ts'

const text =
  '水門を少しずつ開けば、水は静かに流れ出します。The rest follows by itself, little by little.'
const faults: readonly WireFault[] = [
  'FIN',
  'RST',
  'silence',
  'half an event',
  'half a character',
  'duplicate',
  'reorder',
  'blocks',
]
const places: readonly Place[] = ['before the first event', 'in the middle', 'before the end']

const open: (TestServer | FaultProxy)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const framings = [
  ['SSE', 'text/event-stream'],
  ['NDJSON', 'application/x-ndjson'],
] as const

describe.each(
  framings.flatMap(([name, accept]) => places.map((place) => [name, place, accept] as const)),
)('%s, %s', (_name, place, accept) => {
  test.each(faults)('%s: the whole text, every seq once, one call of the model', async (fault) => {
    const model = scriptedModel({ text, tokenMs: 3 })
    const server = await serveChat({ model, log: memoryEventLog() })
    const proxy = await faultProxy(Number(new URL(server.url).port), fault, place)
    open.push(proxy, server)

    // The client's clock is ours: its watchdog and its waits are to be seen, not sat through.
    const clock = manualClock()
    let contentType = ''
    const stream = createModelStream({
      transport: httpTransport({
        url: `http://127.0.0.1:${proxy.port}/api/chat`,
        headers: { accept },
        fetch: async (...call) => {
          const response = await fetch(...call)
          contentType ||= response.headers.get('content-type') ?? ''
          return response
        },
      }),
      clock,
      // Where not even `start` came, no heartbeat is promised: five minutes, unless told otherwise.
      limits: { deadMs: 12_500 },
    })
    const seqs: number[] = []
    stream.observe({
      event: ({ seq, from = seq }) => {
        for (let each = from; each <= seq; each += 1) seqs.push(each)
      },
    })
    let isOver = false
    const answer = stream.start('Hello').finally(() => (isOver = true))
    while (!isOver) {
      await clock.advance(500)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const message = await answer

    expect(textOf(message)).toBe(text)
    expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
    expect(model.calls).toBe(1)
    expect(contentType).toContain(accept)
    expect(proxy.struck).toBe(true)
    expect(stream.getSnapshot().status).toBe('ready')
    stream.dispose()
  })
})
