import { describe, expect, test } from 'vitest'
import { SluiceError, type StreamEvent } from 'sluice/core'
import { numbered } from '../support/events.ts'
import { begun, createRig, createServer, done, known, text, type Rig } from './rig.ts'

const unknownStream = (): never => {
  throw new SluiceError('unknown-stream', 'No such stream.')
}

/** A stream that has said one word over a connection that can be replayed. */
async function answering(rig: Rig, heartbeatMs = 0): Promise<Rig> {
  void rig.stream.start('q')
  await rig.say(1, begun({ heartbeatMs }), text('One'))
  return rig
}
/** The rig is quiet: nothing waits, nothing listens, no connection is open. */
function expectQuiet({ clock, page, server, scheduler }: Rig): void {
  expect(clock.pending).toBe(0)
  expect(page.listeners).toBe(0)
  expect(scheduler.pending).toBe(false)
  expect(server.connections.every(({ signal }) => signal.aborted)).toBe(true)
}

describe('the words of a connection', () => {
  test('idle → connecting → open → closed, and nothing is left over', async () => {
    const rig = createRig()
    expect(rig.shown).toMatchObject({ status: 'ready', connection: 'idle', message: undefined })
    expect(rig.clock.pending).toBe(0)
    const over = rig.stream.start('q')
    expect(rig.shown).toMatchObject({ status: 'submitted', connection: 'connecting' })
    await rig.settle()
    rig.server.last.beat()
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'submitted', connection: 'open' })
    await rig.say(1, begun(), text('One'))
    expect(rig.shown).toMatchObject({ status: 'streaming', connection: 'open', text: 'One' })
    await rig.say(3, done)
    expect(rig.shown).toMatchObject({ status: 'ready', connection: 'closed' })
    expect((await over).status).toEqual({ type: 'complete', reason: 'stop' })
    expectQuiet(rig)
  })

  test('without content for 10 s it is told as stalled; heartbeats do not end that, content does', async () => {
    const rig = await answering(createRig(), 5000)
    for (let second = 0; second < 9; second += 3) {
      await rig.clock.advance(3000)
      rig.server.last.beat()
    }
    await rig.settle()
    expect(rig.shown.connection).toBe('open')
    await rig.clock.advance(1000)
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'streaming', connection: 'stalled' })
    for (let beat = 0; beat < 60; beat++) {
      await rig.clock.advance(5000)
      rig.server.last.beat()
    }
    await rig.settle()
    expect(rig.shown.connection).toBe('stalled')
    expect(rig.server.connections).toHaveLength(1)
    await rig.say(3, text(' two'))
    expect(rig.shown).toMatchObject({ connection: 'open', text: 'One two' })
    await rig.clock.advance(10_000)
    await rig.settle()
    expect(rig.shown.connection).toBe('stalled')
    await rig.say(4, done)
    expectQuiet(rig)
  })
})

describe('the watchdog for bytes', () => {
  test('2.5 heartbeats of silence are the end of a connection', async () => {
    const rig = await answering(createRig(), 4000)
    await rig.clock.advance(9999)
    expect(rig.server.last.signal.aborted).toBe(false)
    await rig.clock.advance(1)
    expect(rig.server.connections[0]?.signal.aborted).toBe(true)
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    expect(rig.shown.connection).toBe('reconnecting')
  })

  test('a resumed connection keeps the promise of the first one', async () => {
    const rig = await answering(createRig(), 4000)
    rig.server.last.close()
    await rig.settle()
    expect(rig.server.last.kind).toBe('resume')
    await rig.clock.advance(10_000)
    expect(rig.server.last.signal.aborted).toBe(true)
    await rig.clock.advance(250)
    expect(rig.server.connections).toHaveLength(3)
  })

  test('where no heartbeat is promised it is 5 minutes, and an option', async () => {
    const rig = await answering(createRig())
    await rig.clock.advance(299_999)
    expect(rig.server.last.signal.aborted).toBe(false)
    await rig.clock.advance(1)
    expect(rig.server.connections[0]?.signal.aborted).toBe(true)
    const brief = await answering(createRig(createServer(), { limits: { deadMs: 50 } }))
    await brief.clock.advance(50)
    expect(brief.server.connections[0]?.signal.aborted).toBe(true)
    const patient = await answering(
      createRig(createServer(), { limits: { deadMs: Infinity, stallMs: Infinity } }),
    )
    expect(patient.clock.pending).toBe(0)
  })

  test('B169: a stream that cannot be resumed is told as stalled, then ends as interrupted, with its text', async () => {
    const rig = await answering(createRig(createServer({ resumes: false })))
    await rig.clock.advance(10_000)
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'streaming', connection: 'stalled', text: 'One' })
    await rig.clock.advance(290_000)
    await rig.settle()
    expect(rig.shown).toMatchObject({
      status: 'error',
      text: 'One',
      message: { status: { reason: 'interrupted', error: { code: 'stalled', retryable: true } } },
    })
    expectQuiet(rig)
  })

  test('timers that did not run are made up for when the page is back', async () => {
    const rig = await answering(createRig(), 4000)
    // A frozen timer: the clock has gone on, and nothing has fired.
    const { now } = rig.clock
    rig.clock.now = () => now() + 60_000
    rig.page.back('visible')
    await rig.settle()
    expect(rig.server.connections[0]?.signal.aborted).toBe(true)
  })
})

describe('reconnecting', () => {
  test('waits 0, 250 ms, then twice as long up to 8 s', async () => {
    const rig = await answering(
      createRig(createServer({ state: async () => known('running', { replayable: true }) })),
    )
    for (const [tries, wait] of [0, 250, 500, 1000, 2000, 4000, 8000, 8000].entries()) {
      rig.server.last.fail(new TypeError('network error'))
      await rig.clock.advance(Math.max(0, wait - 1))
      // The first try waits for nothing.
      expect(rig.server.connections).toHaveLength(tries + (wait === 0 ? 2 : 1))
      await rig.clock.advance(wait === 0 ? 0 : 1)
      expect(rig.server.connections).toHaveLength(tries + 2)
    }
    expect(rig.server.calls).toEqual([])
    expect(
      rig.server.connections.slice(1).every(({ kind, after }) => kind === 'resume' && after === 2),
    ).toBe(true)
  })

  test('an opened connection is no progress, a new event is', async () => {
    const rig = await answering(createRig())
    const next = async (): Promise<number> => {
      const opened = rig.server.connections.length
      rig.server.last.close()
      const from = rig.clock.now()
      while (rig.server.connections.length === opened) await rig.clock.advance(50)
      return rig.clock.now() - from
    }
    await next()
    rig.server.last.beat()
    await next()
    // Seen before: no progress either.
    await rig.say(2, text('One'))
    expect(await next()).toBeGreaterThanOrEqual(500)
    await rig.say(3, text(' two'))
    expect(await next()).toBeLessThanOrEqual(50)
    expect(rig.server.last.after).toBe(3)
    await rig.settle()
    expect(rig.shown.message?.counters).toMatchObject({ duplicates: 1, reconnects: 4 })
  })

  test('B81: a drop before any event never lowers the point to resume from', async () => {
    const rig = await answering(createRig())
    for (let drop = 0; drop < 3; drop++) {
      rig.server.last.close()
      await rig.clock.advance(1000)
    }
    expect(rig.server.connections.map(({ after }) => after)).toEqual([undefined, 2, 2, 2])
  })

  test('the jitter is full: a wait is any part of its figure', async () => {
    const rig = await answering(createRig(createServer(), { limits: { random: () => 0 } }))
    for (let drop = 0; drop < 5; drop++) {
      rig.server.last.close()
      await rig.settle()
    }
    expect(rig.clock.now()).toBe(0)
    expect(rig.server.connections).toHaveLength(6)
  })

  test('the end may come over a later connection', async () => {
    const rig = createRig()
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    rig.server.last.fail(new TypeError('Load failed'))
    await rig.settle()
    expect(rig.shown).toMatchObject({
      status: 'streaming',
      connection: 'reconnecting',
      text: 'One',
    })
    await rig.say(3, text(' two'), done)
    expect((await over).status.type).toBe('complete')
    expect(rig.shown.text).toBe('One two')
    expectQuiet(rig)
  })

  test('a wait that the server asks for is kept; too long a one is left to the person', async () => {
    const rig = await answering(createRig())
    const busy = (retryAfterMs: number): SluiceError =>
      new SluiceError('overloaded', 'Busy.', { retryAfterMs })
    rig.server.last.fail(busy(3000))
    await rig.clock.advance(2999)
    expect(rig.server.connections).toHaveLength(1)
    await rig.clock.advance(1)
    expect(rig.server.connections).toHaveLength(2)
    rig.server.last.fail(busy(3_600_000))
    await rig.settle()
    expect(rig.shown.error).toMatchObject({ code: 'overloaded', retryAfterMs: 3_600_000 })
    expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
    expectQuiet(rig)
  })

  test.each(['replay-expired', 'unknown-stream', 'auth'] as const)(
    'a refusal (%s) is a decision: interrupted, and not tried again',
    async (code) => {
      const rig = await answering(createRig())
      rig.server.last.close()
      await rig.settle()
      rig.server.last.fail(new SluiceError(code, 'No.'))
      await rig.settle()
      expect(rig.shown).toMatchObject({
        status: 'error',
        text: 'One',
        error: { code, message: 'No.' },
      })
      expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
      expect(rig.server.connections).toHaveLength(2)
      expectQuiet(rig)
    },
  )
})

describe('the budget', () => {
  async function exhaust(rig: Rig): Promise<void> {
    for (let tries = 0; tries <= 8; tries++) {
      rig.server.last.fail(new TypeError('network error'))
      await rig.clock.advance(8000)
    }
    await rig.settle()
  }

  test('when it is used up the state is asked; no answer is unknown: it may still be running', async () => {
    const rig = await answering(
      createRig(createServer({ state: () => Promise.reject(new TypeError('down')) })),
    )
    await exhaust(rig)
    expect(rig.server.calls).toHaveLength(1)
    expect(rig.shown).toMatchObject({ status: 'error', text: 'One', error: { code: 'network' } })
    expect(rig.shown.message?.status).toMatchObject({ reason: 'unknown' })
    expect(rig.shown.error?.message).toContain('may still be running')
    expectQuiet(rig)
  })

  test('a server that accepts the question and never answers is not waited for', async () => {
    const rig = await answering(createRig(createServer({ state: () => new Promise(() => {}) })))
    await exhaust(rig)
    expect(rig.shown.connection).toBe('reconnecting')
    await rig.clock.advance(10_000)
    expect(rig.shown.message?.status).toMatchObject({ reason: 'unknown' })
    expectQuiet(rig)
  })

  test('60 s without progress use it up as well', async () => {
    const rig = await answering(
      createRig(createServer({ state: () => Promise.reject(new TypeError('down')) }), {
        limits: { tries: 1000, random: () => 1 },
      }),
    )
    const tries = async (): Promise<void> => {
      rig.server.last.fail(new TypeError('network error'))
      await rig.clock.advance(4000)
    }
    for (let second = 0; second < 80; second += 4) await tries()
    expect(rig.shown.message?.status).toMatchObject({ reason: 'unknown' })
    expect(rig.clock.now()).toBeLessThanOrEqual(80_000)
  })

  test('a server that has the stream is tried once more, and the rest of it is read', async () => {
    const rig = await answering(
      createRig(createServer({ state: async () => known('running', { replayable: true }) })),
    )
    await exhaust(rig)
    expect(rig.server.calls).toHaveLength(1)
    expect(rig.shown.connection).toBe('reconnecting')
    await rig.say(3, text(' two'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'One two' })
    expectQuiet(rig)
  })

  test('one that has it and never delivers is given up in the end', async () => {
    const rig = await answering(
      createRig(createServer({ state: async () => known('running', { replayable: true }) })),
    )
    await exhaust(rig)
    await exhaust(rig)
    expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
    expectQuiet(rig)
  })

  test.each([
    ['cancelled', { reason: 'cancelled' }, 'ready'],
    ['completed', { reason: 'interrupted' }, 'error'],
    ['failed', { reason: 'interrupted' }, 'error'],
    ['running', { reason: 'interrupted' }, 'error'],
    ['unknown', { reason: 'unknown' }, 'error'],
  ] as const)('what cannot be replayed and is %s → %o', async (state, status, hook) => {
    const rig = await answering(
      createRig(createServer({ state: async () => known(state, { outputTokens: 7 }) })),
    )
    await exhaust(rig)
    expect(rig.shown.message?.status).toMatchObject(status)
    expect(rig.shown).toMatchObject({ status: hook, text: 'One' })
    expect(rig.shown.message?.usage?.outputTokens).toBe(state === 'cancelled' ? 7 : undefined)
    expectQuiet(rig)
  })
})

describe('a request that failed before its start', () => {
  test('is never sent again by itself; the state is asked; 404 is an error, and Retry keeps the id', async () => {
    const rig = createRig(createServer({ state: async () => unknownStream() }))
    const first = rig.stream.start('q')
    await rig.settle()
    const { requestId } = rig.server.last
    rig.server.last.fail(new TypeError('fetch failed'))
    expect((await first).status).toMatchObject({ reason: 'error', error: { code: 'network' } })
    expect(rig.server.calls).toEqual([`state ${requestId}`])
    expect(rig.server.connections).toHaveLength(1)
    const again = rig.stream.retry()
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'start', requestId })
    expect(rig.server.last.request).toBe(rig.server.connections[0]?.request)
    await rig.say(1, begun(), text('Hi'), done)
    expect((await again)?.status.type).toBe('complete')
    expectQuiet(rig)
  })

  test('if it had arrived after all, its answer is read from the log', async () => {
    const rig = createRig(
      createServer({ state: async () => known('running', { replayable: true }) }),
    )
    void rig.stream.start('q')
    await rig.settle()
    rig.server.last.fail(new TypeError('fetch failed'))
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 0 })
    await rig.say(1, begun(), text('Hi'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'Hi' })
    expect(rig.server.connections.filter(({ kind }) => kind === 'start')).toHaveLength(1)
  })

  test('if the server knows it and cannot replay it, a new try has a new id', async () => {
    const rig = createRig(createServer({ state: async () => known('running') }))
    void rig.stream.start('q')
    await rig.settle()
    const { requestId } = rig.server.last
    rig.server.last.fail(new TypeError('fetch failed'))
    await rig.settle()
    expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
    void rig.stream.retry()
    await rig.settle()
    expect(rig.server.last.requestId).not.toBe(requestId)
  })

  test('a refusal with an answer keeps its code and its wait', async () => {
    const rig = createRig(createServer({ state: async () => unknownStream() }))
    void rig.stream.start('q')
    await rig.say(1, {
      type: 'error',
      code: 'rate-limit',
      message: 'Slow down.',
      retryable: true,
      retryAfterMs: 12_000,
      status: 429,
    })
    expect(rig.shown.error).toMatchObject({ code: 'rate-limit', retryAfterMs: 12_000, status: 429 })
    expect(rig.server.calls).toEqual([])
    expectQuiet(rig)
  })
})

describe('the page', () => {
  test('offline waits until it is online, and that time is not counted', async () => {
    const rig = await answering(createRig())
    rig.page.online = false
    rig.server.last.fail(new TypeError('network error'))
    await rig.clock.advance(3_600_000)
    rig.page.back('visible')
    await rig.clock.advance(1000)
    expect(rig.server.connections).toHaveLength(1)
    rig.page.online = true
    rig.page.back('online')
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    rig.server.last.fail(new TypeError('network error'))
    await rig.clock.advance(250)
    expect(rig.server.connections).toHaveLength(3)
  })

  test('a page that comes back does not wait out its time', async () => {
    const rig = await answering(createRig())
    for (let drop = 0; drop < 6; drop++) {
      rig.server.last.close()
      await rig.settle()
      rig.page.back('visible')
      await rig.settle()
    }
    expect(rig.clock.now()).toBe(0)
    expect(rig.server.connections).toHaveLength(7)
  })

  test('frozen: the connection is always replaced, and the old one is not listened to any more', async () => {
    const rig = await answering(createRig())
    const [frozen] = rig.server.connections
    rig.page.back('frozen')
    await rig.settle()
    expect(frozen?.signal.aborted).toBe(true)
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    frozen?.send({ v: 1, requestId: frozen.requestId, seq: 3, ...text(' ghost') })
    await rig.say(3, text(' two'), done)
    expect(rig.shown.text).toBe('One two')
  })

  test('a transport that goes on after it was told to end is not listened to', async () => {
    const given: ((event: StreamEvent) => void)[] = []
    const deaf = async function* (): AsyncGenerator<StreamEvent, void> {
      for (;;) yield await new Promise<StreamEvent>((resolve) => given.push(resolve))
    }
    const rig = createRig(undefined, { transport: { start: deaf, resume: deaf } })
    const requestId = new Promise<string>((resolve) => {
      rig.stream.observe({ fact: (fact) => fact.type === 'sent' && resolve(fact.requestId) })
    })
    void rig.stream.start('q')
    const [first, ghost] = numbered([begun(), text('ghost')], await requestId)
    await rig.settle()
    given[0]?.(first!)
    await rig.settle()
    rig.page.back('frozen')
    await rig.settle()
    expect(given).toHaveLength(3)
    given[1]?.(ghost!)
    await rig.settle()
    expect(rig.shown).toMatchObject({ connection: 'reconnecting', text: '' })
    rig.stream.dispose()
  })

  test('frozen, without a replay: what there is is all there is', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    await rig.say(1, begun({ replayable: false }), text('One'))
    rig.page.back('frozen')
    await rig.settle()
    expect(rig.server.connections).toHaveLength(1)
    expect(rig.server.last.signal.aborted).toBe(false)
    await rig.say(3, done)
    expect(rig.shown.status).toBe('ready')
  })

  test('B86: hidden and shown again: one request, the text once', async () => {
    const rig = await answering(createRig())
    rig.page.hidden = true
    await rig.say(3, text(' two'))
    await rig.clock.advance(10_000)
    rig.page.hidden = false
    rig.page.back('visible')
    await rig.say(4, text(' three'), done)
    expect(rig.shown.text).toBe('One two three')
    expect(rig.server.connections).toHaveLength(1)
  })
})

describe('gaps', () => {
  test('one that is filled in time is not seen', async () => {
    const rig = await answering(createRig())
    await rig.say(4, text(' three'))
    expect(rig.shown.text).toBe('One')
    await rig.clock.advance(1999)
    await rig.say(3, text(' two'))
    expect(rig.shown.text).toBe('One two three')
    await rig.clock.advance(5000)
    expect(rig.server.connections).toHaveLength(1)
    expect(rig.shown.message?.counters).toMatchObject({ gaps: 1, reconnects: 0 })
  })

  test('after 2 s what follows is asked for again; the second time everything, swapped in at once', async () => {
    const rig = await answering(createRig())
    await rig.say(4, text(' three'))
    await rig.clock.advance(2000)
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
    await rig.say(4, text(' three'))
    await rig.clock.advance(2000)
    await rig.clock.advance(250)
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 0 })
    const seen: string[] = []
    let notified = 0
    rig.stream.subscribe(() => {
      notified++
      seen.push(rig.shown.text)
    })
    await rig.say(1, begun(), text('Anew'))
    await rig.say(3, text(' two'), text(' three'))
    expect(seen).toEqual(['Anew', 'Anew two three'])
    expect(notified).toBe(2)
    await rig.say(5, done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'Anew two three' })
    expectQuiet(rig)
  })

  test('a window that overflows does not wait for 2 s', async () => {
    const rig = await answering(createRig())
    await rig.say(4, ...Array.from({ length: 65 }, () => text('x')))
    expect(rig.clock.now()).toBe(0)
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 2 })
  })

  test('a merged event across the cursor asks for everything at once', async () => {
    const rig = await answering(createRig())
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 4, from: 2, ...text('One two') })
    await rig.settle()
    expect(rig.server.last).toMatchObject({ kind: 'resume', after: 0 })
    expect(rig.shown.text).toBe('One')
    rig.server.last.send({ v: 1, requestId, seq: 1, ...begun() })
    await rig.settle()
    expect(rig.shown.text).toBe('One')
    rig.server.last.send({ v: 1, requestId, seq: 4, from: 2, ...text('One two') })
    await rig.settle()
    expect(rig.shown.text).toBe('One two')
  })

  test('a replay of an answer that goes on from another keeps what was before', async () => {
    const rig = createRig()
    const first = await (async () => {
      const over = rig.stream.start('q')
      await rig.say(1, begun(), text('Before.'), done)
      return over
    })()
    void rig.stream.start({ messages: [], onto: first })
    await rig.say(1, begun(), text('One'))
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 4, from: 2, ...text('One two') })
    await rig.settle()
    rig.server.last.send({ v: 1, requestId, seq: 1, ...begun() })
    rig.server.last.send({ v: 1, requestId, seq: 4, from: 2, ...text('One two') })
    await rig.settle()
    await rig.say(5, text(' three'))
    expect(
      rig.shown.message?.parts.map((part) => ('text' in part ? part.text : part.type)),
    ).toEqual(['Before.', 'step-start', 'One two three'])
  })
})

describe('what belongs to somebody else', () => {
  test('events of another request are counted and change nothing', async () => {
    const rig = await answering(createRig())
    rig.server.last.send({ v: 1, requestId: 'x'.repeat(22), seq: 3, ...text(' foreign') })
    await rig.settle()
    expect(rig.shown.text).toBe('One')
    expect(rig.shown.message?.counters.foreign).toBe(1)
  })

  test('a version that this client does not know ends the stream, and keeps the text', async () => {
    const rig = await answering(createRig())
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 2 as 1, requestId, seq: 3, ...text(' two') })
    await rig.settle()
    expect(rig.shown).toMatchObject({
      status: 'error',
      text: 'One',
      error: { code: 'unsupported-version' },
    })
    expectQuiet(rig)
  })

  test('B82: a log that was lost answers 404: interrupted; nothing of a new run is joined to it', async () => {
    const rig = await answering(createRig())
    rig.server.last.close()
    await rig.settle()
    rig.server.last.fail(new SluiceError('unknown-stream', 'No such stream.'))
    await rig.settle()
    const old = rig.server.last.requestId
    expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
    void rig.stream.retry()
    await rig.say(1, begun(), text('Hi'), done)
    expect(rig.shown.text).toBe('Hi')
    expect(rig.server.last.requestId).not.toBe(old)
  })
})
