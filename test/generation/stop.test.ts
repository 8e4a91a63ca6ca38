import { describe, expect, test, vi } from 'vitest'
import { SluiceError, type StopOutcome } from 'sluice/core'
import { begun, createRig, createServer, done, text, type Rig, type ServerOptions } from './rig.ts'

const cancelled: StopOutcome = { state: 'cancelled', outputTokens: 12, actions: [] }
const completed: StopOutcome = { state: 'completed', actions: [] }
const stoppable = (
  cancel: () => Promise<StopOutcome> = async () => cancelled,
  more: ServerOptions = {},
): Rig => createRig(createServer({ cancel, ...more }))

/** An answer that is given by hand. */
function pending<T>(): {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (cause: unknown) => void
} {
  let resolve!: (value: T) => void
  let reject!: (cause: unknown) => void
  const promise = new Promise<T>((ok, fail) => {
    resolve = ok
    reject = fail
  })
  return { promise, resolve, reject }
}

describe('Stop, in one tick', () => {
  test('before the first byte: ready at once, no error, and the connection is gone', async () => {
    const rig = stoppable()
    const onError = vi.fn<() => void>()
    const over = rig.stream.start('q')
    await rig.settle()
    void rig.stream.stop()
    expect(rig.shown).toMatchObject({
      status: 'ready',
      stopState: 'requested',
      connection: 'closed',
      error: undefined,
    })
    expect(rig.server.last.signal.aborted).toBe(true)
    expect((await over).status).toEqual({ type: 'incomplete', reason: 'cancelled' })
    expect(onError).not.toHaveBeenCalled()
    expect(rig.clock.pending).toBe(0)
  })

  test('before the transport has even opened: nothing is left waiting', async () => {
    const rig = stoppable()
    const over = rig.stream.start('q')
    void rig.stream.stop()
    expect(rig.shown.status).toBe('ready')
    await rig.settle()
    expect((await over).status).toMatchObject({ reason: 'cancelled' })
    expect(rig.server.connections.every(({ signal }) => signal.aborted)).toBe(true)
  })

  test('during the answer: the text stays, all parts settle, and no later text is shown', async () => {
    const answer = pending<StopOutcome>()
    const rig = stoppable(() => answer.promise)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One two three'), {
      type: 'tool_start',
      part: 'p',
      toolCallId: 'c',
      name: 'pay',
      inputKind: 'json',
      runs: 'server',
    })
    const stopped = rig.stream.stop()
    expect(rig.shown).toMatchObject({
      status: 'ready',
      text: 'One two three',
      stopState: 'requested',
    })
    expect(rig.shown.message?.parts).toMatchObject([
      { state: 'done' },
      { state: 'output-error', errorText: 'The arguments are incomplete.' },
    ])
    await rig.say(4, text(' four'))
    expect(rig.shown.text).toBe('One two three')
    answer.resolve({
      ...cancelled,
      actions: [{ toolCallId: 'c', name: 'pay', state: 'pending' }],
    })
    expect(await stopped).toMatchObject({ state: 'cancelled', outputTokens: 12 })
    expect(rig.shown).toMatchObject({ stopState: 'confirmed', text: 'One two three' })
    expect(rig.shown.message).toMatchObject({
      usage: { outputTokens: 12 },
      parts: [{}, { state: 'output-error', outcome: 'unknown' }],
    })
  })

  test('while it reconnects: no further try', async () => {
    const rig = stoppable()
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    rig.server.last.close()
    await rig.settle()
    rig.server.last.close()
    await rig.settle()
    expect(await rig.stream.stop()).toEqual(cancelled)
    await rig.clock.advance(60_000)
    expect(rig.server.connections).toHaveLength(2)
    expect(rig.clock.pending).toBe(0)
  })

  test('of a resumed stream: its connection carries the signal', async () => {
    const rig = stoppable()
    void rig.stream.start('q')
    await rig.say(1, begun(), text('abc'))
    rig.server.last.close()
    await rig.settle()
    expect(rig.server.last.kind).toBe('resume')
    void rig.stream.stop()
    expect(rig.server.last.signal.aborted).toBe(true)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'abc' })
  })

  test('twice: one question, one answer', async () => {
    const rig = stoppable()
    void rig.stream.start('q')
    await rig.say(1, begun())
    const [first, second] = [rig.stream.stop(), rig.stream.stop()]
    expect(await first).toBe(await second)
    expect(rig.server.calls).toHaveLength(1)
    expect(await rig.stream.stop()).toEqual(cancelled)
  })

  test('after the end, and before anything: nothing is asked', async () => {
    const rig = stoppable()
    expect(await rig.stream.stop()).toEqual({ state: 'unknown', actions: [] })
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'), done)
    expect(await rig.stream.stop()).toEqual({ state: 'completed', actions: [] })
    expect(rig.shown).toMatchObject({
      stopState: 'none',
      message: { status: { type: 'complete' } },
    })
    expect(rig.server.calls).toEqual([])
  })
})

describe('what the server answers', () => {
  test('completed: the whole tail is applied, and the message takes its own end', async () => {
    const rig = stoppable(async () => completed)
    const onFinish = vi.fn<(info: { isAbort: boolean }) => void>()
    const finished = createRig(createServer({ cancel: async () => completed }), { onFinish })
    for (const each of [rig, finished]) {
      const over = each.stream.start('q')
      await each.say(1, begun(), text('One'))
      const stopped = each.stream.stop()
      await each.settle()
      expect(each.shown.text).toBe('One')
      expect(each.server.last).toMatchObject({ kind: 'resume', after: 2 })
      await each.say(3, text(' two'), text(' three'), done)
      expect(await stopped).toEqual(completed)
      expect((await over).status).toEqual({ type: 'complete', reason: 'stop' })
      expect(each.shown).toMatchObject({
        status: 'ready',
        stopState: 'confirmed',
        text: 'One two three',
      })
      expect(each.clock.pending).toBe(0)
    }
    expect(onFinish.mock.calls).toMatchObject([[{ isAbort: false }]])
  })

  test('completed, but the tail cannot be had: unconfirmed, and it stays as it was shown', async () => {
    const rig = createRig(createServer({ cancel: async () => completed, resumes: false }))
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    await rig.stream.stop()
    expect(rig.shown).toMatchObject({ stopState: 'unconfirmed', text: 'One' })
    expect(rig.shown.message?.status).toMatchObject({ reason: 'cancelled' })
  })

  test.each<[string, ServerOptions]>([
    ['says unknown', { cancel: async () => ({ state: 'unknown', actions: [] }) }],
    [
      'does not know the stream',
      { cancel: () => Promise.reject(new SluiceError('unknown-stream', 'No.')) },
    ],
    ['can’t be asked', {}],
  ])('a server that %s: unconfirmed, at once', async (_, options) => {
    const rig = createRig(createServer(options))
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    expect((await rig.stream.stop()).state).toBe('unknown')
    expect(rig.shown.stopState).toBe('unconfirmed')
    expect((await over).status).toMatchObject({ reason: 'cancelled' })
  })

  test('no answer: asked again until there is one', async () => {
    let tries = 0
    const rig = stoppable(() =>
      ++tries < 4 ? Promise.reject(new TypeError('down')) : Promise.resolve(cancelled),
    )
    void rig.stream.start('q')
    await rig.say(1, begun())
    const stopped = rig.stream.stop()
    await rig.clock.advance(250 + 500 + 1000)
    expect(await stopped).toEqual(cancelled)
    expect(tries).toBe(4)
  })

  test('no answer at all: unconfirmed in the end, and every promise resolves', async () => {
    const rig = stoppable(() => new Promise(() => {}))
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    const stopped = rig.stream.stop()
    await rig.clock.advance(120_000)
    expect((await stopped).state).toBe('unknown')
    expect((await over).status).toMatchObject({ reason: 'cancelled' })
    expect(rig.shown.stopState).toBe('unconfirmed')
    expect(rig.clock.pending).toBe(0)
  })

  test('a tail that never comes is not waited for', async () => {
    const rig = stoppable(async () => completed)
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    void rig.stream.stop()
    await rig.clock.advance(200_000)
    expect((await over).status).toMatchObject({ reason: 'cancelled' })
    expect(rig.server.connections.every(({ signal }) => signal.aborted)).toBe(true)
    expect(rig.clock.pending).toBe(0)
  })
})

describe('Stop, then a new question', () => {
  test('the late answer of the first never touches the second', async () => {
    const answer = pending<StopOutcome>()
    const onFinish = vi.fn<(info: { message: { id: string } }) => void>()
    const rig = createRig(createServer({ cancel: () => answer.promise }), { onFinish })
    const first = rig.stream.start('A')
    await rig.say(1, begun(), text('aaa'))
    const [a] = rig.server.connections
    void rig.stream.stop()
    const second = rig.stream.start('B')
    expect(rig.shown).toMatchObject({ status: 'submitted', stopState: 'none', text: '' })
    await rig.say(1, begun(), text('bb'))
    a?.fail(new DOMException('The user aborted a request.', 'AbortError'))
    await rig.settle()
    answer.resolve(cancelled)
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'streaming', stopState: 'none', text: 'bb' })
    expect((await first).parts).toMatchObject([{ text: 'aaa' }])
    await rig.say(3, text('b'), done)
    expect((await second).status.type).toBe('complete')
    expect(rig.shown.text).toBe('bbb')
    expect(onFinish.mock.calls.map(([{ message }]) => message.id)).toEqual([
      (await first).id,
      (await second).id,
    ])
  })

  test('a Stop while the transport prepares the first request does not reach the second', async () => {
    const gates: (() => void)[] = []
    const prepare = (): Promise<void> => new Promise((resolve) => gates.push(resolve))
    const rig = stoppable(undefined, { prepare })
    const first = rig.stream.start('A')
    void rig.stream.stop()
    const second = rig.stream.start('B')
    for (const open of gates) open()
    await rig.settle()
    expect(rig.server.connections.map(({ request }) => request?.messages[0]?.parts)).toMatchObject([
      [{ text: 'B' }],
    ])
    await rig.say(1, begun(), text('bbb'))
    void rig.stream.stop()
    expect(rig.server.last.signal.aborted).toBe(true)
    expect((await first).status).toMatchObject({ reason: 'cancelled' })
    expect((await second).parts).toMatchObject([{ text: 'bbb' }])
  })
})

test('nothing is left unhandled when a stream is stopped in the middle', async () => {
  const unhandled: unknown[] = []
  const onUnhandled = (cause: unknown): void => void unhandled.push(cause)
  process.on('unhandledRejection', onUnhandled)
  const rig = stoppable(() => Promise.reject(new TypeError('down')))
  void rig.stream.start('q')
  await rig.say(1, begun(), text('1'), text('2'), text('3'))
  void rig.stream.stop()
  await rig.clock.advance(100_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})
