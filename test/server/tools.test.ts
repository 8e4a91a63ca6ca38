import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  collectMessage,
  createId,
  isToolPart,
  type ChatMessage,
  type EventBody,
  type StreamEvent,
  type ToolAction,
} from 'sluice/core'
import {
  memoryActionLog,
  memoryEventLog,
  tool,
  type StreamHandlerOptions,
  type Tools,
} from 'sluice/server'
import {
  allEvents,
  ask,
  question,
  serveChat,
  sseEvents,
  textIn,
  type TestServer,
} from '../support/chat-server.ts'
import { calls, says, toolModel } from '../support/tool-model.ts'

const open: TestServer[] = []
const serve = async (options: StreamHandlerOptions): Promise<string> => {
  const server = await serveChat(options)
  open.push(server)
  return server.url
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const input = z.object({ city: z.string() })
const ulm = { city: 'Ulm' }

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Answers a call of a stream. */
const answerTo = (
  url: string,
  requestId: string,
  body: object,
  headers: Record<string, string> = {},
  id = 'c1',
): Promise<Response> => post(`${url}/${requestId}/actions/${id}`, body, headers)

/** Goes on from a stream that has ended, with the message as the client has it. */
const goOn = async (
  url: string,
  events: readonly StreamEvent[],
  more: { message?: ChatMessage; headers?: Record<string, string> } = {},
): Promise<StreamEvent[]> => {
  const continues = events[0]?.requestId ?? ''
  const message = more.message ?? (await collectMessage(events))
  const messages = [question(), message]
  const fields = { messageId: message.id, continues, messages }
  return allEvents(await ask(url, fields, more.headers && { headers: more.headers }))
}

const typesOf = (events: readonly { readonly type: string }[]): string[] =>
  events.map(({ type }) => type)

const results = (events: readonly StreamEvent[]): object[] =>
  events.filter(({ type }) => type === 'tool_result')

const stateOf = async (url: string, requestId: string): Promise<{ actions: ToolAction[] }> =>
  (await (await fetch(`${url}/${requestId}`)).json()) as { actions: ToolAction[] }

const approvalIn = (events: readonly StreamEvent[]): string => {
  const asked = events.find((event) => event.type === 'tool_approval')
  if (asked?.type !== 'tool_approval') throw new Error('No approval was asked for.')
  return asked.approvalId
}

describe('steps', () => {
  test('what a tool returned goes to the model, in the same stream', async () => {
    const run = vi.fn(({ city }: { city: string }) => `4 degrees in ${city}`)
    const model = toolModel(calls(['weather', ulm]), says('Cold in Ulm.'))
    const url = await serve({
      model,
      tools: { weather: tool({ description: 'Weather', input, run }) },
    })
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId }))

    expect(typesOf(events)).toEqual([
      'start',
      'tool_start',
      'tool_complete',
      'tool_result',
      'step',
      'text_delta',
      'done',
    ])
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(events[1]).toMatchObject({ runs: 'server' })
    expect(events[3]).toMatchObject({
      state: 'succeeded',
      output: '4 degrees in Ulm',
      trusted: false,
    })
    expect(events.at(-1)).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 200, outputTokens: 15 },
      actions: [{ toolCallId: 'c1', name: 'weather', state: 'succeeded' }],
    })
    expect(run).toHaveBeenCalledWith(
      ulm,
      expect.objectContaining({ key: `${requestId}:c1`, requestId, toolCallId: 'c1' }),
    )
    const [first, second] = model.requests
    expect(first?.tools).toMatchObject([
      { name: 'weather', description: 'Weather', inputSchema: { required: ['city'] } },
    ])
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      status: { type: 'requires-action' },
      parts: [{ type: 'tool-weather', state: 'output-available', output: '4 degrees in Ulm' }, {}],
    })
    const message = await collectMessage(events)
    expect(message.parts.map(({ type }) => type)).toEqual(['tool-weather', 'step-start', 'text'])
    expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
  })

  test('calls of one step run beside each other, and are told as they end', async () => {
    const tools: Tools = {
      slow: tool({ input, run: () => later(60).then(() => 'slow') }),
      fast: tool({ input, run: () => 'fast' }),
    }
    const model = toolModel(calls(['slow', ulm], ['fast', ulm]), says('Both.'))
    const events = await allEvents(await ask(await serve({ model, tools })))
    expect(results(events)).toMatchObject([{ output: 'fast' }, { output: 'slow' }])
  })

  test('ids and parts that a later call of the model repeats stay apart', async () => {
    const model = toolModel(
      [{ type: 'text_delta', part: 't', text: 'First.' }, ...calls(['weather', ulm, 'call_0'])],
      [{ type: 'text_delta', part: 't', text: 'Then.' }, ...calls(['weather', ulm, 'call_0'])],
      says('Done.'),
    )
    const run = vi.fn(() => 1)
    const url = await serve({ model, tools: { weather: tool({ input, run }) } })
    const events = await allEvents(await ask(url))
    const message = await collectMessage(events)
    expect(message.counters.skipped).toBe(0)
    expect(message.parts).toMatchObject([
      { type: 'text', text: 'First.' },
      { type: 'tool-weather', toolCallId: 'call_0', state: 'output-available' },
      { type: 'step-start' },
      { type: 'text', text: 'Then.' },
      { type: 'tool-weather', toolCallId: 'call_0-2', state: 'output-available' },
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ])
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('are at most maxSteps; what then still wants to go on is paused, and can be continued', async () => {
    const model = toolModel(calls(['weather', ulm]))
    const url = await serve({
      model,
      tools: { weather: tool({ input, run: () => 1 }) },
      maxSteps: 3,
    })
    const events = await allEvents(await ask(url))
    expect(model.requests).toHaveLength(3)
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      finishReason: 'paused',
      rawFinishReason: 'max-steps',
    })
    expect((await collectMessage(events)).status).toEqual({ type: 'incomplete', reason: 'paused' })
    await goOn(url, events)
    expect(model.requests).toHaveLength(6)
  })

  test.each<[string, EventBody]>([
    ['was cut at a limit', { type: 'done', finishReason: 'length' }],
    ['was filtered', { type: 'done', finishReason: 'content-filter' }],
    ['failed', { type: 'error', code: 'overloaded', message: 'Busy.', retryable: true }],
    ['was lost', { type: 'interrupted', sentinel: false }],
  ])('a model call that %s has its calls not run, and its end is the stream’s', async (_, end) => {
    const run = vi.fn()
    const model = toolModel([...calls(['weather', ulm]).slice(0, -1), end])
    const events = await allEvents(
      await ask(await serve({ model, tools: { weather: tool({ input, run }) } })),
    )
    expect(run).not.toHaveBeenCalled()
    expect(events.at(-1)).toMatchObject({ ...end, actions: [{ state: 'not-run' }] })
  })

  test('a call that the model withdraws is not run', async () => {
    const run = vi.fn(() => 1)
    const model = toolModel(
      [
        ...calls(['weather', ulm, 'gone']).slice(0, -1),
        { type: 'reset', part: 'call:gone' },
        ...calls(['weather', ulm, 'stays']),
      ],
      says('Done.'),
    )
    await allEvents(await ask(await serve({ model, tools: { weather: tool({ input, run }) } })))
    expect(run).toHaveBeenCalledTimes(1)
    expect(run).toHaveBeenCalledWith(ulm, expect.objectContaining({ toolCallId: 'stays' }))
  })
})

test.each<[string, string, unknown, Partial<Tools[string]>]>([
  ['tool', 'nonsense', ulm, {}],
  ['parse', 'weather', undefined, {}],
  ['schema', 'weather', { city: 7 }, {}],
  ['facts', 'weather', ulm, { facts: () => 'No such city.' }],
  ['permission', 'weather', ulm, { permit: () => false }],
])('the gate %s: nothing runs, and the model is told why', async (gate, name, args, checks) => {
  const run = vi.fn()
  const model = toolModel(calls([name, args]), says('I could not.'))
  const url = await serve({ model, tools: { weather: { ...tool({ input, run }), ...checks } } })
  const events = await allEvents(await ask(url))
  expect(results(events)).toMatchObject([{ state: 'denied', gate }])
  expect(run).not.toHaveBeenCalled()
  expect(events.at(-1)).toMatchObject({ finishReason: 'stop', actions: [{ state: 'denied' }] })
  const told = model.requests[1]?.messages.at(-1)?.parts.find(isToolPart)
  expect(told).toMatchObject({ state: 'output-error', outcome: 'denied' })
})

test('permission is asked for with the headers of whoever asks', async () => {
  const run = vi.fn(() => 1)
  const model = toolModel(calls(['weather', ulm]), says('Well.'))
  const permit = (_: unknown, { headers }: { headers: Headers }): boolean =>
    headers.get('x-user') === 'ann'
  const url = await serve({ model, tools: { weather: tool({ input, run, permit }) } })
  await allEvents(await ask(url, {}, { headers: { 'x-user': 'bob' } }))
  expect(run).not.toHaveBeenCalled()
})

describe('a tool that times out', () => {
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })

  test('with its action done: one execution, and it has succeeded', async () => {
    const ledger: string[] = []
    const pay = tool({
      input,
      timeoutMs: 50,
      run(_, { key, signal }) {
        ledger.push(key)
        return untilAborted(signal)
      },
      queryStatus: (_, { key }) =>
        ledger.includes(key) ? { state: 'succeeded', output: 'paid' } : { state: 'not-run' },
    })
    const model = toolModel(calls(['pay', ulm]), says('Paid.'))
    const events = await allEvents(await ask(await serve({ model, tools: { pay } })))
    expect(ledger).toHaveLength(1)
    expect(results(events)).toMatchObject([{ state: 'succeeded', output: 'paid' }])
  })

  test('with its action not done: one execution, after it was asked', async () => {
    const ledger: string[] = []
    let tries = 0
    const pay = tool({
      input,
      timeoutMs: 50,
      run(_, { key, signal }) {
        tries += 1
        if (tries === 1) return untilAborted(signal)
        ledger.push(key)
        return 'paid'
      },
      queryStatus: () => ({ state: 'not-run' }),
    })
    const model = toolModel(calls(['pay', ulm]), says('Paid.'))
    const events = await allEvents(await ask(await serve({ model, tools: { pay } })))
    expect([tries, ledger.length]).toEqual([2, 1])
    expect(results(events)).toMatchObject([{ state: 'succeeded', output: 'paid' }])
  })

  test('that nobody can ask about is unknown, not failed, and never tried again', async () => {
    const run = vi.fn((_: unknown, { signal }: { signal: AbortSignal }) => untilAborted(signal))
    const model = toolModel(calls(['pay', ulm]), says('I don’t know.'))
    const url = await serve({ model, tools: { pay: tool({ input, timeoutMs: 50, run }) } })
    const events = await allEvents(await ask(url))
    expect(results(events)).toMatchObject([{ state: 'unknown' }])
    expect(run).toHaveBeenCalledTimes(1)
    expect(events.at(-1)).toMatchObject({ actions: [{ state: 'unknown' }] })
  })
})

describe('nothing runs twice', () => {
  test('by replay, by the same POST again, or by two of them at once', async () => {
    const run = vi.fn(() => later(40).then(() => 'once'))
    const model = toolModel(calls(['weather', ulm]), says('Done.'))
    const url = await serve({
      model,
      log: memoryEventLog(),
      tools: { weather: tool({ input, run }) },
    })
    const requestId = createId()
    const body = { requestId, messageId: 'a' }
    const both = await Promise.all([ask(url, body), ask(url, body)])
    const [first, second] = await Promise.all(both.map(allEvents))
    expect(second).toEqual(first)
    const replay = await allEvents(await fetch(`${url}/${requestId}/events`))
    expect(textIn(replay)).toBe('Done.')
    await allEvents(await ask(url, body))
    expect(run).toHaveBeenCalledTimes(1)
    expect(model.requests).toHaveLength(2)
  })

  test('by a server that lost its streams and kept its actions', async () => {
    const run = vi.fn(() => 'once')
    const actions = memoryActionLog()
    const tools = { weather: tool({ input, run }) }
    const requestId = createId()
    for (let restart = 0; restart < 2; restart += 1) {
      const model = toolModel(calls(['weather', ulm]), says('Done.'))
      const url = await serve({ model, tools, actions })
      const events = await allEvents(await ask(url, { requestId }))
      expect(results(events)).toMatchObject([{ state: 'succeeded', output: 'once' }])
    }
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('under the same id with other arguments: a conflict', async () => {
    const run = vi.fn(() => 'once')
    const actions = memoryActionLog()
    const tools = { weather: tool({ input, run }) }
    const requestId = createId()
    const first = await serve({
      model: toolModel(calls(['weather', ulm]), says('.')),
      tools,
      actions,
    })
    await allEvents(await ask(first, { requestId }))
    const other = toolModel(calls(['weather', { city: 'Bonn' }]), says('.'))
    const events = await allEvents(
      await ask(await serve({ model: other, tools, actions }), { requestId }),
    )
    expect(results(events)).toMatchObject([{ state: 'failed' }])
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('an approval', () => {
  const guarded = async (
    more: Partial<Tools[string]> = {},
    options: Partial<StreamHandlerOptions> = {},
  ) => {
    const run = vi.fn(({ city }: { city: string }) => `sold ${city}`)
    const model = toolModel(calls(['sell', ulm]), says('So be it.'))
    const sell = { ...tool({ input, run, approval: true }), ...more }
    const url = await serve({ model, log: memoryEventLog(), tools: { sell }, ...options })
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId, messageId: 'a' }))
    return { run, model, url, requestId, events, approvalId: approvalIn(events) }
  }

  test('ends the stream as paused; nothing has run, and nobody is waited for', async () => {
    const { events, run, model } = await guarded()
    expect(typesOf(events)).toEqual([
      'start',
      'tool_start',
      'tool_complete',
      'tool_approval',
      'done',
    ])
    expect(events.at(-1)).toMatchObject({ finishReason: 'paused', actions: [{ state: 'not-run' }] })
    expect((await collectMessage(events)).status).toEqual({
      type: 'requires-action',
      reason: 'approval',
    })
    expect(run).not.toHaveBeenCalled()
    expect(model.requests).toHaveLength(1)
  })

  test('given: it runs when the answer goes on, once, under the key of its own stream', async () => {
    const { run, model, url, requestId, events, approvalId } = await guarded()
    const decision = { approvalId, approved: true }
    const [one, two] = await Promise.all([
      answerTo(url, requestId, decision),
      answerTo(url, requestId, decision),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(await one.json()).toEqual({ toolCallId: 'c1', name: 'sell', state: 'not-run' })
    expect(run).not.toHaveBeenCalled()

    const [more, again] = await Promise.all([goOn(url, events), goOn(url, events)])
    expect(typesOf(more)).toEqual(['start', 'tool_result', 'text_delta', 'done'])
    expect(results(more)).toMatchObject([
      { toolCallId: 'c1', state: 'succeeded', output: 'sold Ulm' },
    ])
    expect(results(again)).toMatchObject([{ state: 'succeeded', output: 'sold Ulm' }])
    expect(run).toHaveBeenCalledTimes(1)
    expect(run).toHaveBeenCalledWith(ulm, expect.objectContaining({ key: `${requestId}:c1` }))
    expect(more.at(-1)).toMatchObject({ actions: [{ toolCallId: 'c1', state: 'succeeded' }] })
    expect(model.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { type: 'tool-sell', state: 'output-available', output: 'sold Ulm' },
    ])
    expect((await stateOf(url, requestId)).actions).toMatchObject([{ state: 'succeeded' }])
  })

  test('refused: it never runs, and the model learns that and why', async () => {
    const { run, model, url, requestId, events, approvalId } = await guarded()
    const no = { approvalId, approved: false, reason: 'Not that one.' }
    const answered = await answerTo(url, requestId, no)
    expect(await answered.json()).toMatchObject({ state: 'denied' })
    const other = await answerTo(url, requestId, { approvalId, approved: true })
    expect(other.status).toBe(409)
    const more = await goOn(url, events)
    expect(results(more)).toMatchObject([{ state: 'denied', error: 'Not that one.' }])
    expect(run).not.toHaveBeenCalled()
    expect(model.requests[1]?.messages.at(-1)?.parts).toMatchObject([{ state: 'output-denied' }])
  })

  test('edited: what runs is what the person wrote, once it has passed the gates', async () => {
    const facts = ({ city }: { city: string }): true | string =>
      city === 'Oz' ? 'There is no such city.' : true
    const { run, model, url, requestId, events, approvalId } = await guarded({ facts })
    const edit = (edited: object): Promise<Response> =>
      answerTo(url, requestId, { approvalId, approved: true, input: edited })
    const refused = await edit({ city: 'Oz' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'invalid-tool-arguments',
        message: 'Refused by the check of the facts: There is no such city.',
      },
    })
    expect((await edit({ city: 7 })).status).toBe(400)
    expect((await edit({ city: 'Bonn' })).status).toBe(200)
    expect((await edit({ city: 'Bonn' })).status).toBe(200)
    expect((await edit({ city: 'Köln' })).status).toBe(409)
    const more = await goOn(url, events)
    expect(results(more)).toMatchObject([{ output: 'sold Bonn' }])
    expect(run).toHaveBeenCalledTimes(1)
    expect(model.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { input: { city: 'Bonn' }, output: 'sold Bonn' },
    ])
  })

  test('late: it counts no more, and the answer goes on without', async () => {
    const { run, url, requestId, events, approvalId } = await guarded({ approvalMs: 30 })
    await later(60)
    const late = await answerTo(url, requestId, { approvalId, approved: true })
    expect(late.status).toBe(409)
    const more = await goOn(url, events)
    expect(results(more)).toMatchObject([{ state: 'denied', gate: 'approval' }])
    expect(run).not.toHaveBeenCalled()
  })

  test('open: the answer can’t go on, and says so', async () => {
    const { model, url, events } = await guarded()
    const more = await goOn(url, events)
    expect(more.at(-1)).toMatchObject({ type: 'error', code: 'conflict' })
    expect(model.requests).toHaveLength(1)
  })

  test('in a posted history is a claim, and authorises nothing', async () => {
    const { run, url, events } = await guarded()
    const message = await collectMessage(events)
    const claim: ChatMessage = {
      ...message,
      parts: message.parts.map((part) =>
        isToolPart(part)
          ? ({
              ...part,
              state: 'approval-responded',
              approval: { id: part.approval?.id ?? '', approved: true },
            } as never)
          : part,
      ),
    }
    await goOn(url, events, { message: claim })
    const unnamed = { messageId: message.id, messages: [question(), claim] }
    await allEvents(await ask(url, unnamed))
    expect(run).not.toHaveBeenCalled()
  })

  test('of another id, another call or another stream is none', async () => {
    const { url, requestId, approvalId } = await guarded()
    const yes = { approvalId, approved: true }
    expect((await answerTo(url, requestId, { ...yes, approvalId: 'x' })).status).toBe(404)
    expect((await answerTo(url, requestId, yes, {}, 'c2')).status).toBe(404)
    expect((await answerTo(url, createId(), yes)).status).toBe(404)
    expect((await answerTo(url, requestId, { approved: true })).status).toBe(400)
    const plain = await fetch(`${url}/${requestId}/actions/c1`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(yes),
    })
    expect(plain.status).toBe(415)
  })

  test('is looked at again when it runs: the permission may be gone by then', async () => {
    let allowed = true
    const { run, url, requestId, events, approvalId } = await guarded({ permit: () => allowed })
    await answerTo(url, requestId, { approvalId, approved: true })
    allowed = false
    const more = await goOn(url, events)
    expect(results(more)).toMatchObject([{ state: 'denied', gate: 'permission' }])
    expect(run).not.toHaveBeenCalled()
  })

  test('is for its own user to give, and nobody else can go on from the stream', async () => {
    const owners = new Map<string, string>()
    const ann = { 'x-user': 'ann' }
    const run = vi.fn(() => 'secret')
    const model = toolModel(calls(['sell', ulm]), says('So be it.'))
    const url = await serve({
      model,
      log: memoryEventLog(),
      tools: { sell: tool({ input, run, approval: true }) },
      authorize(request, { action, requestId }) {
        const user = request.headers.get('x-user') ?? ''
        if (action === 'start' && !owners.has(requestId)) owners.set(requestId, user)
        return owners.get(requestId) === user
      },
    })
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId }, { headers: ann }))
    const approvalId = approvalIn(events)
    const yes = { approvalId, approved: true }
    const mallory = { 'x-user': 'mallory' }
    const refused = await answerTo(url, requestId, yes, mallory)
    const nothing = await answerTo(url, createId(), yes, mallory)
    expect([refused.status, await refused.text()]).toEqual([404, await nothing.text()])

    expect((await answerTo(url, requestId, yes, ann)).status).toBe(200)
    const message = await collectMessage(events)
    const stolen = await ask(
      url,
      { continues: requestId, messageId: message.id, messages: [question(), message] },
      { headers: mallory },
    )
    expect(stolen.status).toBe(404)
    expect(run).not.toHaveBeenCalled()
    const own = await goOn(url, events, { headers: ann })
    expect(results(own)).toMatchObject([{ output: 'secret' }])
  })
})

describe('a tool that runs in the client', () => {
  const clients = async (options: Partial<StreamHandlerOptions>) => {
    const model = toolModel(calls(['locate', ulm]), says('You are in Ulm.'))
    const url = await serve({ model, ...options })
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId }))
    return { model, url, requestId, events }
  }

  test.each<[string, Partial<StreamHandlerOptions>]>([
    ['declared', { tools: { locate: tool({ input }) } }],
    ['that the server knows nothing of', {}],
  ])('%s: the stream ends, its result is posted, and the answer goes on', async (_, options) => {
    const { model, url, requestId, events } = await clients(options)
    expect(events[1]).toMatchObject({ runs: 'client' })
    expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'tool-calls' })
    const early = await goOn(url, events)
    expect(early.at(-1)).toMatchObject({ type: 'error', code: 'conflict' })

    const result = { state: 'succeeded', output: { lat: 48 } }
    expect((await answerTo(url, requestId, result)).status).toBe(200)
    expect((await answerTo(url, requestId, result)).status).toBe(200)
    const other = { state: 'succeeded', output: { lat: 0 } }
    expect((await answerTo(url, requestId, other)).status).toBe(409)

    const message = await collectMessage(events)
    const lie = message.parts.map((part) =>
      isToolPart(part) ? ({ ...part, state: 'output-available', output: 'a lie' } as never) : part,
    )
    const more = await goOn(url, events, { message: { ...message, parts: lie } })
    expect(textIn(more)).toBe('You are in Ulm.')
    expect(model.requests[1]?.messages.at(-1)?.parts).toMatchObject([{ output: { lat: 48 } }])
  })

  test('has to pass the gates as well', async () => {
    const { events } = await clients({ tools: { locate: tool({ input, permit: () => false }) } })
    expect(results(events)).toMatchObject([{ state: 'denied', gate: 'permission' }])
  })

  test('that needs an approval takes no result before it', async () => {
    const { url, requestId, events } = await clients({
      tools: { locate: tool({ input, approval: true }) },
    })
    const result = { state: 'failed', error: 'No signal.' }
    expect((await answerTo(url, requestId, result)).status).toBe(409)
    await answerTo(url, requestId, { approvalId: approvalIn(events), approved: true })
    expect((await goOn(url, events)).at(-1)).toMatchObject({ code: 'conflict' })
    expect((await answerTo(url, requestId, result)).status).toBe(200)
    expect(results(await goOn(url, events))).toMatchObject([{ error: 'No signal.' }])
  })

  test('beside one that runs here: what can be done is done, and the rest is waited for', async () => {
    const run = vi.fn(() => 'warm')
    const model = toolModel(calls(['locate', ulm], ['weather', ulm]), says('Warm in Ulm.'))
    const tools = { locate: tool({ input }), weather: tool({ input, run }) }
    const url = await serve({ model, tools })
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId }))
    expect(results(events)).toMatchObject([{ toolCallId: 'c2', output: 'warm' }])
    expect(events.at(-1)).toMatchObject({ finishReason: 'tool-calls' })
    await answerTo(url, requestId, { state: 'succeeded', output: 'here' })
    const more = await goOn(url, events)
    expect(results(more)).toMatchObject([{ toolCallId: 'c1', output: 'here' }])
    expect(model.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { output: 'here' },
      { output: 'warm' },
    ])
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('Stop', () => {
  const stopped = async (
    wait: Tools[string],
    log = true,
  ): Promise<{
    url: string
    requestId: string
    outcome: { actions: ToolAction[] }
    events: StreamEvent[]
  }> => {
    const done = tool({ input, run: () => 'booked', compensate: () => 'unbooked' })
    const model = toolModel(calls(['done', ulm], ['wait', ulm], ['ask', ulm]), says('Never said.'))
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const run: NonNullable<Tools[string]>['run'] = (...given) => {
      begin()
      return wait?.run?.(...given)
    }
    const tools = {
      done,
      wait: { ...wait, run } as Tools[string],
      ask: tool({ input, run: () => 1, approval: true }),
    }
    const url = await serve({ model, tools, ...(log && { log: memoryEventLog() }) })
    const requestId = createId()
    const events: StreamEvent[] = []
    let stopping: Promise<Response> | undefined
    for await (const event of sseEvents(await ask(url, { requestId }))) {
      events.push(event)
      if (event.type === 'tool_result') {
        // Once the second one is at it.
        stopping ??= begun.then(() => fetch(`${url}/${requestId}`, { method: 'DELETE' }))
      }
    }
    const outcome = (await (await stopping)?.json()) as { actions: ToolAction[] }
    expect(model.requests).toHaveLength(1)
    return { url, requestId, outcome, events }
  }

  const cutOff = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })

  test.each([
    ['with a log', true],
    ['without a log', false],
  ])('tells the true state of each action, %s', async (_, log) => {
    const wait = tool({
      input,
      run: (__, { signal }) => cutOff(signal),
      queryStatus: () => ({ state: 'succeeded', output: 'paid' }),
    })
    const { outcome, events } = await stopped(wait, log)
    const actions = [
      { toolCallId: 'c1', name: 'done', state: 'succeeded', compensable: true },
      { toolCallId: 'c2', name: 'wait', state: 'succeeded' },
      { toolCallId: 'c3', name: 'ask', state: 'not-run' },
    ]
    expect(outcome).toMatchObject({ state: 'cancelled', actions })
    expect(events.at(-1)).toMatchObject({ type: 'cancelled', by: 'user', actions })
  })

  test('between pending and outcome: unknown, where nobody can be asked', async () => {
    const { outcome } = await stopped(tool({ input, run: (_, { signal }) => cutOff(signal) }))
    expect(outcome.actions[1]).toMatchObject({ name: 'wait', state: 'unknown' })
  })

  test('is not a rollback: what was done can be undone by name, once', async () => {
    const compensate = vi.fn(() => 'unbooked')
    const model = toolModel(calls(['book', ulm], ['plain', ulm]), says('Booked.'))
    const tools = {
      book: tool({ input, run: () => ({ ref: 7 }), compensate }),
      plain: tool({ input, run: () => 1 }),
    }
    const url = await serve({ model, tools, log: memoryEventLog() })
    const requestId = createId()
    await allEvents(await ask(url, { requestId }))
    expect(compensate).not.toHaveBeenCalled()
    expect((await stateOf(url, requestId)).actions[0]).toMatchObject({ compensable: true })

    const undo = { compensate: true }
    const both = await Promise.all([answerTo(url, requestId, undo), answerTo(url, requestId, undo)])
    for (const response of both) {
      expect(await response.json()).toEqual({
        toolCallId: 'c1',
        name: 'book',
        state: 'succeeded',
        compensation: 'succeeded',
      })
    }
    expect(compensate).toHaveBeenCalledTimes(1)
    expect(compensate).toHaveBeenCalledWith(
      { ref: 7 },
      expect.objectContaining({ key: `${requestId}/compensate:c1` }),
    )
    expect((await answerTo(url, requestId, undo, {}, 'c2')).status).toBe(409)
    expect((await stateOf(url, requestId)).actions[0]).toMatchObject({ compensation: 'succeeded' })
  })
})

test('an action that a dead process left behind is found out about when the answer goes on', async () => {
  const actions = memoryActionLog()
  const requestId = createId()
  const run = vi.fn(() => 'again')
  const args = ulm
  await actions.write({
    key: `${requestId}:c1`,
    requestId,
    toolCallId: 'c1',
    kind: 'run',
    name: 'pay',
    runs: 'server',
    args,
    hash: 'of that process',
    state: 'pending',
    until: Date.now() - 1,
    version: 1,
  })
  const model = toolModel(says('It was paid.'))
  const pay = tool({
    input,
    run,
    queryStatus: (given, { key }) => ({ state: 'succeeded', output: `${given.city} ${key}` }),
  })
  const url = await serve({ model, tools: { pay }, actions })
  const message = {
    id: 'a',
    role: 'assistant',
    requestIds: [requestId],
    status: { type: 'incomplete', reason: 'interrupted' },
    parts: [{ type: 'tool-pay', toolCallId: 'c1', state: 'input-available', input: args }],
  }
  const fields = { continues: requestId, messageId: 'a', messages: [question(), message] }
  const events = await allEvents(await ask(url, fields))
  expect(results(events)).toMatchObject([{ state: 'succeeded', output: `Ulm ${requestId}:c1` }])
  expect(run).not.toHaveBeenCalled()
})

test('maxSteps has to be a number of steps', async () => {
  await expect(serve({ model: toolModel(says('.')), maxSteps: 0 })).rejects.toThrow(/maxSteps/)
})
