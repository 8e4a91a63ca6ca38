import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createModelStream,
  SluiceError,
  type EventBody,
  type PressureOutcome,
  type StreamSnapshot,
} from 'sluice/core'
import { manualScheduler } from 'sluice/testing'
import { begun, createRig, createServer, done, known, text } from './rig.ts'

const call: EventBody[] = [
  {
    type: 'tool_start',
    part: 'p',
    toolCallId: 'c',
    name: 'locate',
    inputKind: 'json',
    runs: 'client',
  },
  { type: 'tool_complete', toolCallId: 'c', argsText: '{"a":1}', args: { a: 1 } },
]
const data: EventBody = { type: 'data', part: 'd', name: 'n', value: 1, transient: true }

const reported = vi.fn<(cause: unknown) => void>()
beforeEach(() => vi.stubGlobal('reportError', reported))
afterEach(() => {
  vi.unstubAllGlobals()
  reported.mockClear()
})

describe('callbacks', () => {
  test('once and in order: data as it comes, then complete, finish, and the calls that wait for this side', async () => {
    const told: string[] = []
    const rig = createRig(undefined, {
      onData: (event) => told.push(`data ${event.name}`),
      onToolCall: (part) => told.push(`tool ${part.toolCallId} ${JSON.stringify(part.input)}`),
      onComplete: (message) => told.push(`complete ${message.status.type}`),
      onError: (error) => told.push(`error ${error.code}`),
      onFinish: ({ finishReason, messages }) =>
        told.push(`finish ${finishReason} ${messages.map(({ role }) => role).join()}`),
    })
    const over = rig.stream.start('q').then(() => told.push('over'))
    await rig.say(1, begun(), data, ...call, text('x'), done)
    await over
    expect(told).toEqual([
      'data n',
      'complete complete',
      'finish stop user,assistant',
      'tool c {"a":1}',
      'over',
    ])
  })

  test('onFinish comes after the last flush', async () => {
    let shown: StreamSnapshot | undefined
    const rig = createRig(undefined, { onFinish: () => (shown = rig.shown) })
    void rig.stream.start('q')
    await rig.say(1, begun(), text('x'), done)
    expect(shown).toMatchObject({ status: 'ready', text: 'x', message: { finishReason: 'stop' } })
  })

  test('none for what was replayed', async () => {
    const onData = vi.fn<() => void>()
    const onToolCall = vi.fn<() => void>()
    const rig = createRig(undefined, { onData, onToolCall })
    void rig.stream.start('q')
    await rig.say(1, begun(), data, ...call)
    rig.server.last.close()
    await rig.settle()
    await rig.say(2, data, ...call)
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 6, from: 4, ...text('x') })
    await rig.clock.advance(250)
    await rig.say(1, begun(), data, ...call, text('x'), text('y'), done)
    expect(rig.server.last.after).toBe(0)
    expect(rig.shown.message?.status.type).toBe('complete')
    expect(onData).toHaveBeenCalledTimes(1)
    expect(onToolCall).toHaveBeenCalledTimes(1)
  })

  test('a tool that runs elsewhere, and arguments that do not parse, call nothing', async () => {
    const onToolCall = vi.fn<() => void>()
    const rig = createRig(undefined, { onToolCall })
    void rig.stream.start('q')
    await rig.say(1, begun(), { ...call[0], runs: 'server' } as EventBody, call[1] as EventBody)
    await rig.say(
      4,
      { ...call[0], part: 'p2', toolCallId: 'c2' } as EventBody,
      { type: 'tool_complete', toolCallId: 'c2', argsText: '{"a":' },
      done,
    )
    expect(onToolCall).not.toHaveBeenCalled()
  })

  test.each([
    { type: 'error', code: 'overloaded', message: 'Busy.', retryable: true },
    { type: 'interrupted', sentinel: false },
    { type: 'done', finishReason: 'length' },
  ] as const)(
    'an answer that ended as $type calls no tool, whatever it had asked for',
    async (end) => {
      const onToolCall = vi.fn<() => void>()
      const rig = createRig(undefined, { onToolCall })
      void rig.stream.start('q')
      await rig.say(1, begun(), ...call, end)
      expect(onToolCall).not.toHaveBeenCalled()
    },
  )

  test.each([
    [
      'the server says error',
      { type: 'error', code: 'overloaded', message: 'Busy.', retryable: true },
      1,
      false,
    ],
    ['the source ended', { type: 'interrupted', sentinel: false }, 1, true],
    ['cut at the length', { type: 'done', finishReason: 'length' }, 0, false],
    ['cancelled', { type: 'cancelled', by: 'server' }, 0, false],
  ] as const)('%s', async (_, end, errors, isDisconnect) => {
    const onError = vi.fn<() => void>()
    const onComplete = vi.fn<() => void>()
    const onFinish = vi.fn<(info: object) => void>()
    const rig = createRig(undefined, { onError, onComplete, onFinish })
    void rig.stream.start('q')
    await rig.say(1, begun(), text('x'), end)
    expect(onError).toHaveBeenCalledTimes(errors)
    expect(onComplete).not.toHaveBeenCalled()
    expect(onFinish.mock.calls).toMatchObject([
      [{ isError: errors === 1, isDisconnect, isAbort: end.type === 'cancelled' }],
    ])
  })

  test('what one throws is reported, and the stream goes on', async () => {
    const boom = new Error('mine')
    const fail = (): never => {
      throw boom
    }
    const rig = createRig(undefined, {
      onData: fail,
      onToolCall: fail,
      onComplete: fail,
      onFinish: fail,
    })
    rig.stream.observe({ event: fail, fact: fail, frame: fail, bytes: fail, pressure: fail })
    rig.stream.subscribe(fail)
    const over = rig.stream.start('q')
    await rig.say(1, begun(), data, ...call, text('x'), done)
    expect((await over).status.type).toBe('complete')
    expect(rig.shown.text).toBe('x')
    expect(reported.mock.calls.length).toBeGreaterThan(8)
    expect(new Set(reported.mock.calls.map(([cause]) => cause))).toEqual(new Set([boom]))
  })

  test('options are read when they are used: the newest callback is called', async () => {
    const told: string[] = []
    const server = createServer()
    const options = { transport: server, onFinish: () => void told.push('old') }
    const stream = createModelStream(options)
    const over = stream.start('q')
    options.onFinish = () => void told.push('new')
    const { requestId } = server.last
    server.last.send({ v: 1, requestId, seq: 1, ...done })
    await over
    expect(told).toEqual(['new'])
  })
})

describe('validation', () => {
  test('passes: until then it streams, after it it is complete', async () => {
    let pass!: (verdict: true) => void
    const validate = vi.fn<() => Promise<true>>(() => new Promise((resolve) => (pass = resolve)))
    const onComplete = vi.fn<() => void>()
    const rig = createRig(undefined, { validate, onComplete })
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('42'), done)
    expect(rig.shown).toMatchObject({
      status: 'streaming',
      text: '42',
      message: { status: { type: 'running' } },
    })
    expect(onComplete).not.toHaveBeenCalled()
    pass(true)
    expect((await over).status).toEqual({ type: 'complete', reason: 'stop' })
    expect(rig.shown.status).toBe('ready')
    expect(validate).toHaveBeenCalledTimes(1)
    expect(onComplete).toHaveBeenCalledTimes(1)
  })

  test('refuses: incomplete/invalid with the problem, an error, never complete', async () => {
    const onError = vi.fn<(error: { code: string }) => void>()
    const onComplete = vi.fn<() => void>()
    const rig = createRig(undefined, { validate: () => 'The sum is wrong.', onError, onComplete })
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('41'), done)
    expect((await over).status).toMatchObject({ type: 'incomplete', reason: 'invalid' })
    expect(rig.shown).toMatchObject({
      status: 'error',
      text: '41',
      error: { message: 'The sum is wrong.' },
    })
    expect(onError.mock.calls).toMatchObject([[{ code: 'invalid-output' }]])
    expect(onComplete).not.toHaveBeenCalled()
  })

  test('throws: reported, and the answer counts as refused', async () => {
    const boom = new Error('judge is down')
    const rig = createRig(undefined, { validate: () => Promise.reject(boom) })
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('42'), done)
    expect((await over).status).toMatchObject({ reason: 'invalid' })
    expect(reported.mock.calls).toEqual([[boom]])
  })

  test('display validated: nothing is shown before, and never what was refused', async () => {
    for (const verdict of [true, 'No.'] as const) {
      const seen: string[] = []
      const rig = createRig(undefined, { display: 'validated', validate: () => verdict })
      rig.stream.subscribe(() => seen.push(JSON.stringify(rig.shown.message?.parts)))
      const over = rig.stream.start('q')
      await rig.say(1, begun(), text('se'), text('cret'))
      expect(rig.shown).toMatchObject({ status: 'streaming', text: '' })
      await rig.say(4, done)
      expect(rig.shown.text).toBe(verdict === true ? 'secret' : '')
      expect(seen.slice(0, -1).join()).not.toContain('se')
      // The text itself is not thrown away.
      expect((await over).parts).toMatchObject([{ text: 'secret' }])
    }
  })

  test('Stop while it runs: ready at once; the answer was whole, so its verdict still counts', async () => {
    for (const verdict of [true, 'No.'] as const) {
      let judge!: (verdict: true | string) => void
      const cancel = vi.fn<() => Promise<{ state: 'unknown'; actions: [] }>>()
      const rig = createRig(createServer({ cancel }), {
        validate: () => new Promise((resolve) => (judge = resolve)),
      })
      const over = rig.stream.start('q')
      await rig.say(1, begun(), text('42'), done)
      const stopped = rig.stream.stop()
      expect(rig.shown).toMatchObject({
        status: 'ready',
        stopState: 'requested',
        message: { status: { reason: 'cancelled' } },
      })
      expect(await stopped).toMatchObject({ state: 'completed' })
      expect(rig.shown).toMatchObject({ status: 'ready', stopState: 'confirmed' })
      expect(cancel).not.toHaveBeenCalled()
      judge(verdict)
      expect((await over).status).toMatchObject(
        verdict === true ? { type: 'complete' } : { reason: 'invalid' },
      )
    }
  })

  test('Stop whose answer is completed: the tail is validated too', async () => {
    const validate = vi.fn<() => string>(() => 'No.')
    const rig = createRig(
      createServer({ cancel: async () => ({ state: 'completed', actions: [] }) }),
      { validate },
    )
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('4'))
    void rig.stream.stop()
    await rig.settle()
    await rig.say(3, text('2'), done)
    expect((await over).status).toMatchObject({ reason: 'invalid' })
    expect(rig.shown).toMatchObject({ status: 'error', text: '42' })
    expect(validate).toHaveBeenCalledTimes(1)
  })
})

describe('the store', () => {
  test('makes no request, timer, listener or read before its first start', () => {
    const rig = createRig()
    const off = rig.stream.subscribe(() => {})
    off()
    expect(rig.server.connections).toEqual([])
    expect(rig.clock.pending).toBe(0)
    expect(rig.page.listeners).toBe(0)
  })

  test('a snapshot keeps its identity until something changes', async () => {
    const rig = createRig()
    const notified = vi.fn<() => void>()
    rig.stream.subscribe(notified)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('a', '1'), text('b', '2'))
    const before = rig.shown
    notified.mockClear()
    for (let beat = 0; beat < 5; beat++) rig.server.last.beat()
    await rig.settle()
    rig.stream.subscribe(() => {})()
    expect(rig.shown).toBe(before)
    expect(notified).not.toHaveBeenCalled()
    await rig.say(4, text('!', '2'))
    expect(rig.shown).not.toBe(before)
    expect(rig.shown.message?.parts[0]).toBe(before.message?.parts[0])
    expect(notified).toHaveBeenCalledTimes(1)
  })

  test('many events make one notification; the end needs no frame', async () => {
    const rig = createRig()
    const notified = vi.fn<() => void>()
    rig.stream.subscribe(notified)
    void rig.stream.start('q')
    await rig.settle()
    notified.mockClear()
    await rig.say(1, begun(), ...Array.from({ length: 100 }, () => text('x')))
    expect(notified).toHaveBeenCalledTimes(1)
    rig.server.last.send({ v: 1, requestId: rig.server.last.requestId, seq: 102, ...done })
    await rig.clock.advance(0)
    expect(rig.shown.status).toBe('ready')
    expect(rig.scheduler.pending).toBe(false)
    expect(notified).toHaveBeenCalledTimes(2)
  })

  test('the last subscriber that leaves is shown all there is', async () => {
    const scheduler = manualScheduler()
    const rig = createRig(undefined, { scheduler })
    const off = rig.stream.subscribe(() => {})
    void rig.stream.start('q')
    await rig.settle()
    rig.server.last.send({ v: 1, requestId: rig.server.last.requestId, seq: 1, ...text('late') })
    await rig.clock.advance(0)
    expect(rig.shown.text).toBe('')
    off()
    expect(rig.shown.text).toBe('late')
  })

  test('a second start while it answers is the caller’s mistake, and told as such', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    expect(() => rig.stream.start('r')).toThrow(SluiceError)
    await rig.say(1, begun(), done)
    expect(() => rig.stream.start('r')).not.toThrow()
  })

  test('messages without status are accepted, and sent whole', async () => {
    const rig = createRig()
    const custom = { type: 'custom', kind: 'a.b' }
    void rig.stream.start([
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'q' }] },
      { id: '2', role: 'assistant', parts: [custom] },
    ])
    await rig.settle()
    expect(rig.server.last.request?.messages).toMatchObject([
      { status: { type: 'complete' }, requestIds: [] },
      { parts: [custom] },
    ])
  })

  test('a transport that throws at once is a failure, not an exception', async () => {
    const prepare = (): never => {
      throw new TypeError('no network here')
    }
    const stream = createModelStream({ transport: { start: prepare } })
    const message = await stream.start('q')
    expect(message.status).toMatchObject({ reason: 'error', error: { code: 'network' } })
  })

  test('disposed: every promise resolves, nothing is left, and it can’t be used again', async () => {
    const onFinish = vi.fn<() => void>()
    const rig = createRig(undefined, { onFinish })
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    rig.stream.dispose()
    expect((await over).status).toMatchObject({ reason: 'interrupted' })
    await rig.settle()
    expect(rig.clock.pending).toBe(0)
    expect(rig.page.listeners).toBe(0)
    expect(rig.server.last.signal.aborted).toBe(true)
    expect(onFinish).not.toHaveBeenCalled()
    expect(() => rig.stream.start('r')).toThrow('disposed')
    await expect(rig.stream.resume()).rejects.toThrow('disposed')
  })
})

describe('without a subscriber', () => {
  test('for 30 s, a connection that can be replayed is given back; the next subscriber resumes it', async () => {
    const rig = createRig()
    const over = rig.stream.start('q')
    rig.stream.subscribe(() => {})()
    await rig.say(1, begun(), text('One'))
    await rig.clock.advance(29_999)
    expect(rig.server.last.signal.aborted).toBe(false)
    await rig.clock.advance(1)
    expect(rig.server.last.signal.aborted).toBe(true)
    await rig.clock.advance(600_000)
    expect(rig.server.connections).toHaveLength(1)
    expect(rig.clock.pending).toBe(0)
    rig.stream.subscribe(() => {})
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    await rig.say(3, text(' two'), done)
    expect((await over).status.type).toBe('complete')
    expect(rig.shown.text).toBe('One two')
    expect(rig.clock.pending).toBe(0)
  })

  test('given back and taken up in the same moment: one answer, one end', async () => {
    const onFinish = vi.fn<() => void>()
    const rig = createRig(undefined, { onFinish })
    void rig.stream.start('q')
    rig.stream.subscribe(() => {})()
    await rig.say(1, begun(), text('One'))
    const parked = rig.server.last
    parked.signal.addEventListener('abort', () => rig.stream.subscribe(() => {}))
    await rig.clock.advance(30_000)
    await rig.settle()
    expect(rig.shown.status).toBe('streaming')
    await rig.say(3, text(' two'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'One two' })
    expect(onFinish).toHaveBeenCalledTimes(1)
  })

  test('Stop of a connection that was given back settles like any other', async () => {
    const rig = createRig(
      createServer({ cancel: async () => ({ state: 'cancelled', actions: [] }) }),
    )
    const over = rig.stream.start('q')
    rig.stream.subscribe(() => {})()
    await rig.say(1, begun(), text('One'))
    await rig.clock.advance(30_000)
    expect(await rig.stream.stop()).toMatchObject({ state: 'cancelled' })
    expect((await over).status).toMatchObject({ reason: 'cancelled' })
  })

  test('an end leaves no timer', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    rig.stream.subscribe(() => {})()
    await rig.say(1, begun(), text('One'), done)
    expect(rig.clock.pending).toBe(0)
  })

  test('what can’t be replayed is kept', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    rig.stream.subscribe(() => {})()
    await rig.say(1, begun({ replayable: false }), text('One'))
    await rig.clock.advance(60_000)
    expect(rig.server.last.signal.aborted).toBe(false)
    await rig.say(3, done)
    expect(rig.clock.pending).toBe(0)
  })
})

describe('resume and retry', () => {
  test('an interrupted stream is resumed, and may bring its end', async () => {
    const onFinish = vi.fn<() => void>()
    const rig = createRig(createServer({ state: () => Promise.reject(new TypeError('down')) }), {
      onFinish,
      limits: { tries: 0 },
    })
    const first = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    rig.server.last.close()
    expect((await first).status).toMatchObject({ reason: 'unknown' })
    const again = rig.stream.resume()
    expect(rig.shown).toMatchObject({
      status: 'streaming',
      connection: 'reconnecting',
      error: undefined,
    })
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    await rig.say(3, text(' two'), done)
    expect((await again)?.status.type).toBe('complete')
    expect(rig.shown.text).toBe('One two')
    expect(onFinish).toHaveBeenCalledTimes(2)
    expect(await rig.stream.resume()).toBeUndefined()
  })

  test('what was told to be over can’t be resumed', async () => {
    const rig = createRig()
    expect(await rig.stream.resume()).toBeUndefined()
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'), { type: 'interrupted', sentinel: false })
    expect(rig.shown.status).toBe('error')
    expect(await rig.stream.resume()).toBeUndefined()
  })

  test('a retry asks the same anew, under new ids, and goes on from the same message', async () => {
    const rig = createRig(createServer({ state: async () => known('running') }))
    const base = rig.stream.start('q')
    await rig.say(1, begun(), text('Base.'), { type: 'done', finishReason: 'tool-calls' })
    const onto = await base
    void rig.stream.start({ messages: [onto], onto, continues: 'before' }, { body: { k: 1 } })
    await rig.say(1, { type: 'error', code: 'overloaded', message: 'Busy.', retryable: true })
    const [, failed] = rig.server.connections
    void rig.stream.retry()
    expect(await rig.stream.retry()).toBeUndefined()
    await rig.say(1, begun(), text('More.'), done)
    const { request } = rig.server.last
    expect(request).toMatchObject({ messageId: onto.id, continues: 'before', body: { k: 1 } })
    expect(request?.requestId).not.toBe(failed?.requestId)
    expect(rig.shown.message?.parts).toMatchObject([
      { text: 'Base.' },
      { type: 'step-start' },
      { text: 'More.' },
    ])
  })
})

describe('pressure', () => {
  test('what is not drawn stops the reading, and drawing lets it go on', async () => {
    const told: [PressureOutcome, number][] = []
    const rig = createRig()
    rig.stream.observe({ pressure: (what, amount) => told.push([what, amount]) })
    void rig.stream.start('q')
    await rig.settle()
    const big = text('x'.repeat(200 * 1024))
    const { requestId } = rig.server.last
    const send = (seq: number, body: EventBody): void =>
      rig.server.last.send({ v: 1, requestId, seq, ...body })
    send(1, begun())
    for (let seq = 2; seq < 6; seq++) send(seq, big)
    await rig.clock.advance(0)
    expect(told).toEqual([['pause', 400 * 1024]])
    rig.scheduler.frame()
    expect(rig.shown.text).toHaveLength(400 * 1024)
    await rig.clock.advance(0)
    rig.scheduler.frame()
    expect(rig.shown.text).toHaveLength(800 * 1024)
    await rig.settle()
    await rig.say(6, done)
    expect(told.filter(([what]) => what === 'pause')).toHaveLength(2)
    expect(told.filter(([what]) => what === 'batch')).toEqual([
      ['batch', 3],
      ['batch', 2],
    ])
    expect(rig.clock.pending).toBe(0)
  })

  test('a frame that never comes is not waited for; a hidden page is brought up to date at once', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    await rig.settle()
    const { requestId } = rig.server.last
    const big = text('x'.repeat(300 * 1024))
    const send = (seq: number): void => rig.server.last.send({ v: 1, requestId, seq, ...big })
    send(1)
    send(2)
    await rig.clock.advance(0)
    expect(rig.shown.text).toBe('')
    await rig.clock.advance(1000)
    expect(rig.shown.text.length).toBeGreaterThanOrEqual(300 * 1024)
    rig.page.hidden = true
    await rig.clock.advance(1000)
    send(3)
    send(4)
    await rig.clock.advance(0)
    expect(rig.shown.text).toHaveLength(4 * 300 * 1024)
  })

  test('a Stop is not held up by it', async () => {
    const rig = createRig()
    const over = rig.stream.start('q')
    await rig.settle()
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 1, ...text('x'.repeat(300 * 1024)) })
    await rig.clock.advance(0)
    void rig.stream.stop()
    expect((await over).parts).toMatchObject([{ state: 'done' }])
    expect(rig.clock.pending).toBe(0)
  })

  test('merged events and a source that was ended for it are told', async () => {
    const told: [PressureOutcome, number][] = []
    const rig = createRig()
    rig.stream.observe({ pressure: (what, amount) => told.push([what, amount]) })
    void rig.stream.start('q')
    await rig.settle()
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 5, from: 1, ...text('12345') })
    await rig.settle()
    await rig.say(6, { type: 'cancelled', by: 'backpressure' })
    expect(told).toEqual([
      ['coalesce', 5],
      ['cancel', 1],
    ])
  })
})
