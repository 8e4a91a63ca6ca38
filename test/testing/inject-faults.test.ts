import { describe, expect, test } from 'vitest'
import { collectMessage, textOf, type Model, type StreamEvent, type Transport } from 'sluice/core'
import { injectFaults, manualClock, scriptedModel, type FaultType } from 'sluice/testing'
import { readModelStream } from 'sluice/core'

const text = 'Ebbe und Flut: 潮の満ち引き 🌊 in one breath.'
const request = { messages: [], messageId: 'm', body: {} }
const io = (): { signal: AbortSignal; requestId: string } => ({
  signal: new AbortController().signal,
  requestId: 'r',
})

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
const body =
  Array.from(text, chunk).join('') +
  `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
const bytesModel: Model = async () =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } })

async function read(model: Model): Promise<Awaited<ReturnType<typeof collectMessage>>> {
  const answer = model(request, io())
  if (!(answer instanceof Promise)) throw new Error('It answers with a response.')
  return collectMessage(readModelStream(await answer, { format: 'openai-chat' }))
}

describe('in bytes', () => {
  test.each<FaultType>(['split-utf8', 'cut-event'])(
    '%s changes nothing in the end',
    async (fault) => {
      const message = await read(injectFaults(bytesModel, [fault]))
      expect(textOf(message)).toBe(text)
      expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
    },
  )

  test('split-utf8 really cuts characters in two', async () => {
    const response = await (injectFaults(bytesModel, ['split-utf8'])(
      request,
      io(),
    ) as Promise<Response>)
    const pieces: string[] = []
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece))
    expect(pieces.join('')).toContain('\uFFFD')
  })

  test.each<[FaultType, string]>([
    ['disconnect', 'interrupted'],
    ['restart', 'interrupted'],
    ['model-error', 'error'],
  ])('%s ends as %s, with the text so far', async (fault, reason) => {
    const message = await read(injectFaults(bytesModel, [{ type: fault, after: 5 }]))
    expect(textOf(message)).toBe('Ebbe ')
    expect(message.status).toMatchObject({ type: 'incomplete', reason })
  })

  test('faults strike the connection that they are meant for', async () => {
    const model = injectFaults(bytesModel, [{ type: 'disconnect', connection: 1 }])
    expect((await read(model)).status.type).toBe('complete')
    expect((await read(model)).status.type).toBe('incomplete')
    expect((await read(model)).status.type).toBe('complete')
  })
})

describe('in events', () => {
  const events = (count: number): StreamEvent[] =>
    Array.from({ length: count }, (_, place) => ({
      v: 1,
      requestId: 'r',
      seq: place + 1,
      type: 'text_delta',
      part: 'p',
      text: String(place + 1),
    }))
  const transport: Transport = {
    async *start() {
      yield* events(5)
    },
    async *resume(_id, after) {
      yield* events(5).slice(after)
    },
    state: async () => ({ state: 'running', lastSeq: 5, replayable: true, actions: [] }),
  }
  const own = { signal: new AbortController().signal, onActivity: () => {} }
  const start = async (target: Transport): Promise<(number | string)[]> => {
    const seen: (number | string)[] = []
    try {
      const asked = { requestId: 'r', messageId: 'm', messages: [] }
      for await (const event of target.start(asked, own)) {
        seen.push(event.type === 'error' ? 'error' : event.seq)
      }
    } catch (error) {
      seen.push(error instanceof TypeError ? 'lost' : String(error))
    }
    return seen
  }

  test.each<[FaultType, (number | string)[]]>([
    ['reorder', [1, 2, 4, 3, 5]],
    ['duplicate', [1, 2, 3, 3, 4, 5]],
    ['drop', [1, 2, 4, 5]],
    ['disconnect', [1, 2, 'lost']],
    ['restart', [1, 2, 'lost']],
    ['model-error', [1, 2, 'error']],
  ])('%s', async (fault, seen) => {
    expect(await start(injectFaults(transport, [fault]))).toEqual(seen)
  })

  test('after a restart the server knows nothing', async () => {
    const target = injectFaults(transport, ['restart'])
    await start(target)
    expect(() => target.state?.('r', own)).toThrow('no such stream')
    expect(() => target.resume?.('r', 2, own)).toThrow('no such stream')
  })

  test('stall keeps what follows back', async () => {
    const clock = manualClock()
    const model = scriptedModel({ text: 'one two three', clock })
    const stalled = injectFaults(model, [{ type: 'stall', after: 1, ms: 700 }], { clock })
    const times: number[] = []
    const reading = (async () => {
      const answer = stalled(request, io())
      if (answer instanceof Promise) throw new Error('It answers with events.')
      for await (const _ of answer) times.push(clock.now())
    })()
    await clock.advance(1_000)
    await reading
    expect(times.slice(0, 3)).toEqual([0, 700, 700])
  })

  test('tool-timeout leaves the outcome unknown', async () => {
    const model = scriptedModel({
      events: [
        {
          type: 'tool_start',
          part: 'p',
          toolCallId: 'c',
          name: 'pay',
          inputKind: 'json',
          runs: 'server',
        },
        { type: 'tool_complete', toolCallId: 'c', argsText: '{}', args: {} },
        { type: 'tool_result', toolCallId: 'c', state: 'succeeded', output: 1, trusted: false },
      ],
    })
    const answer = injectFaults(model, ['tool-timeout'])(request, io())
    if (answer instanceof Promise) throw new Error('It answers with events.')
    const results: unknown[] = []
    for await (const event of answer) if (event.type === 'tool_result') results.push(event)
    expect(results).toMatchObject([{ state: 'unknown' }])
    expect(results[0]).not.toHaveProperty('output')
  })

  test('faults of bytes are refused where there are none', () => {
    expect(() => injectFaults(transport, ['split-utf8'])).toThrow('fault of bytes')
  })
})
