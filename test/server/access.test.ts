import { expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog, type StreamHandler } from 'sluice/server'
import { scriptedModel } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'
import { allEvents, question } from '../support/chat-server.ts'

const text = 'Only for you.'

function call(
  handler: StreamHandler,
  method: string,
  path: string,
  { user, origin, body }: { user?: string; origin?: string; body?: object } = {},
): Promise<Response> {
  return handler(
    new Request(`http://localhost/api/chat${path}`, {
      method,
      headers: {
        ...(user !== undefined && { authorization: user }),
        ...(origin !== undefined && { origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
}

/** What an application does: the first to use an id owns it. */
function owned(): { handler: StreamHandler; model: ReturnType<typeof scriptedModel> } {
  const owners = new Map<string, string>()
  const model = scriptedModel({ text, tokenMs: 5 })
  const handler = createStreamHandler({
    model,
    log: memoryEventLog(),
    authorize(request, { action, requestId }) {
      const user = request.headers.get('authorization')
      if (user === null) return new Response('Who are you?', { status: 401 })
      if (action === 'start' && !owners.has(requestId)) owners.set(requestId, user)
      return owners.get(requestId) === user
    },
  })
  return { handler, model }
}

const others = [
  ['read', 'GET', '/events'],
  ['ask for the state', 'GET', ''],
  ['cancel', 'DELETE', ''],
  ['approve', 'POST', '/actions/call-1'],
] as const

test('another user can neither attach to a stream nor do anything else to it', async () => {
  const { handler, model } = owned()
  const body = { requestId: createId(), messages: [question()] }
  const mine = call(handler, 'POST', '', { user: 'ann', body }).then(allEvents)
  const answers = [
    await call(handler, 'POST', '', { user: 'bob', body }),
    ...(await Promise.all(
      others.map(([, method, rest]) =>
        call(handler, method, `/${body.requestId}${rest}`, { user: 'bob' }),
      ),
    )),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain(text)
  }
  expect((await mine).at(-1)).toMatchObject({ type: 'done' })
  expect(model.calls).toBe(1)
})

test.each(others)('who may not %s can’t tell a stream from none', async (_, method, rest) => {
  const { handler } = owned()
  const requestId = createId()
  const body = { requestId, messages: [question()] }
  await allEvents(await call(handler, 'POST', '', { user: 'ann', body }))
  const present = await call(handler, method, `/${requestId}${rest}`, { user: 'bob' })
  const absent = await call(handler, method, `/${createId()}${rest}`, { user: 'bob' })
  expect(present.status).toBe(absent.status)
  expect(await present.text()).toBe(await absent.text())
})

test('a response of the application’s own is sent as it is', async () => {
  const { handler } = owned()
  const response = await call(handler, 'GET', `/${createId()}`)
  expect(response.status).toBe(401)
  expect(await response.text()).toBe('Who are you?')
})

test('an authorize that throws lets nobody in, and is told', async () => {
  const thrown: unknown[] = []
  const model = scriptedModel({ text })
  const handler = createStreamHandler({
    model,
    authorize() {
      throw new Error('db down: postgres://user:secret@host')
    },
    onError: (error) => thrown.push(error),
  })
  const body = { requestId: createId(), messages: [question()] }
  const response = await call(handler, 'POST', '', { body })
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('secret')
  expect(thrown).toHaveLength(1)
  expect(model.calls).toBe(0)
})

test('an id can’t reach anything but streams', async () => {
  const { handler } = owned()
  for (const id of ['__proto__', 'constructor', '..%2f..%2fetc', 'a'.repeat(65)]) {
    expect((await call(handler, 'GET', `/${id}`, { user: 'ann' })).status).toBe(400)
  }
})

test('what a model throws stays on the server', async () => {
  const thrown: unknown[] = []
  const handler = createStreamHandler({
    // oxlint-disable-next-line require-yield -- it fails before it says anything
    async *model() {
      throw new Error('401 for key sk-secret')
    },
    onError: (error) => thrown.push(error),
  })
  const response = await call(handler, 'POST', '', { body: { messages: [question()] } })
  const events = await allEvents(response)
  expect(events.at(-1)).toMatchObject({ type: 'error', code: 'server', retryable: true })
  expect(JSON.stringify(events)).not.toContain('sk-secret')
  expect(thrown).toHaveLength(1)
})

test('a model that can’t be reached is told apart', async () => {
  const handler = createStreamHandler({
    model: () => Promise.reject(new TypeError('fetch failed')),
    onError: () => {},
  })
  const response = await call(handler, 'POST', '', { body: { messages: [question()] } })
  expect((await allEvents(response)).at(-1)).toMatchObject({ type: 'error', code: 'gateway' })
})

test('an iterator that just ends is interrupted, never done', async () => {
  const handler = createStreamHandler({
    async *model() {
      yield { type: 'text_delta', part: 't', text: 'Half a' }
    },
    log: memoryEventLog(),
  })
  const requestId = createId()
  const response = await call(handler, 'POST', '', { body: { requestId, messages: [question()] } })
  expect((await allEvents(response)).at(-1)).toMatchObject({ type: 'interrupted', sentinel: false })
  const state = await (await call(handler, 'GET', `/${requestId}`)).json()
  expect(state).toMatchObject({ state: 'unknown', replayable: true })
})

test('a result is taken for a call that was made, and for no other', async () => {
  const handler = createStreamHandler({
    model: scriptedModel({
      events: [
        {
          type: 'tool_start',
          part: 'p',
          toolCallId: 'c1',
          name: 'clock',
          inputKind: 'json',
          runs: 'client',
        },
        { type: 'tool_complete', toolCallId: 'c1', argsText: '{}', args: {} },
        { type: 'done', finishReason: 'tool-calls' },
      ],
    }),
    log: memoryEventLog(),
  })
  const requestId = createId()
  await allEvents(await call(handler, 'POST', '', { body: { requestId, messages: [question()] } }))
  const body = { state: 'succeeded', output: 1 }
  const known = await call(handler, 'POST', `/${requestId}/actions/c1`, { body })
  expect(known.status).toBe(200)
  const unknown = await call(handler, 'POST', `/${requestId}/actions/c2`, { body })
  expect(unknown.status).toBe(404)
  const state = await (await call(handler, 'GET', `/${requestId}`)).json()
  expect(state).toMatchObject({
    actions: [{ toolCallId: 'c1', name: 'clock', state: 'succeeded' }],
  })
})

test('other origins may call only where they are named', async () => {
  const model = scriptedModel({ text })
  const origin = 'https://app.example'
  const closed = createStreamHandler({ model })
  const open = createStreamHandler({ model, cors: { origin: [origin], credentials: true } })
  const header = async (
    handler: StreamHandler,
    from: string,
    name: string,
  ): Promise<string | null> =>
    (await call(handler, 'OPTIONS', '', { origin: from })).headers.get(name)
  expect(await header(closed, origin, 'access-control-allow-origin')).toBeNull()
  expect(await header(open, origin, 'access-control-allow-origin')).toBe(origin)
  expect(await header(open, origin, 'access-control-allow-credentials')).toBe('true')
  expect(await header(open, origin, 'access-control-allow-methods')).toBe('GET, POST, DELETE')
  expect(await header(open, 'https://evil.example', 'access-control-allow-origin')).toBeNull()
  const answer = await call(open, 'POST', '', { origin, body: { messages: [question()] } })
  expect(answer.headers.get('access-control-expose-headers')).toContain('sluice-request-id')
  expect(answer.headers.get('vary')).toBe('origin')
  await answer.body?.cancel()
})

test('a path or method that is not served says what is', async () => {
  const handler = createStreamHandler({ model: scriptedModel({ text }), base: '/chat/' })
  const at = (method: string, path: string): Promise<Response> =>
    handler(new Request(`http://localhost${path}`, { method }))
  expect((await at('GET', '/other')).status).toBe(404)
  expect((await at('GET', '/chatter')).status).toBe(404)
  const get = await at('GET', '/chat')
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  const put = await at('PUT', `/chat/${createId()}`)
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, DELETE, OPTIONS'])
})
