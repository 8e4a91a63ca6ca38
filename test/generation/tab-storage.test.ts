import { describe, expect, test, vi } from 'vitest'
import { SluiceError, tabStorage, type ModelStreamOptions } from 'sluice/core'
import { begun, createRig, createServer, done, known, text, type Rig, type Server } from './rig.ts'

/** The storage of one tab: what a reload leaves. */
function createTab(): Pick<Storage, 'getItem' | 'setItem'> & {
  readonly entries: Map<string, string>
  isFull: boolean
  writes: number
} {
  const entries = new Map<string, string>()
  return {
    entries,
    isFull: false,
    writes: 0,
    getItem: (key) => entries.get(key) ?? null,
    setItem(key, value) {
      if (this.isFull) throw new DOMException('full', 'QuotaExceededError')
      this.writes++
      entries.set(key, value)
    },
  }
}

type Tab = ReturnType<typeof createTab>

/** A page of the tab. A second one with the same tab is the page after a reload; the first is left as it was. */
const open = (
  tab: Tab,
  server: Server = createServer(),
  options: Partial<ModelStreamOptions> = {},
): Rig => createRig(server, { storage: tabStorage({ key: 'answer', area: tab }), ...options })

const watch = (rig: Rig): (() => void) => rig.stream.subscribe(() => {})

describe('what is kept', () => {
  test('B94: the question is kept before the first byte, the text every second, the end at once', async () => {
    const tab = createTab()
    const rig = open(tab)
    const kept = (): unknown => JSON.parse(tab.entries.get('answer') ?? 'null') as unknown
    void rig.stream.start('q')
    expect(kept()).toMatchObject({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'q' }] }],
      stream: { events: [], facts: [{ fact: { type: 'sent' } }] },
    })
    await rig.say(1, begun(), text('abc'))
    await rig.clock.advance(1000)
    expect(JSON.stringify(kept())).toContain('abc')
    const id = rig.shown.message?.id
    await rig.say(3, text('def'), done)
    expect(JSON.stringify(kept())).toContain('abcdef')
    expect(kept()).toMatchObject({ stream: { facts: [{ fact: { messageId: id } }] } })
  })

  test('a fast answer is written once a second, not once a token', async () => {
    const tab = createTab()
    const rig = open(tab)
    void rig.stream.start('q')
    await rig.say(1, begun())
    const before = tab.writes
    for (let seq = 2; seq < 82; seq++) {
      await rig.say(seq, text('x'))
      await rig.clock.advance(50)
    }
    expect(tab.writes - before).toBeLessThanOrEqual(5)
  })

  test('B96: a full quota is told once; the answer is shown whole and nothing is thrown', async () => {
    const tab = createTab()
    tab.isFull = true
    const onError = vi.fn<(error: SluiceError) => void>()
    const rig = createRig(createServer(), {
      storage: tabStorage({ key: 'answer', area: tab, onError }),
    })
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('o'))
    await rig.clock.advance(3000)
    await rig.say(3, text('k'), done)
    expect((await over).status).toEqual({ type: 'complete', reason: 'stop' })
    expect(rig.shown.text).toBe('ok')
    expect(onError).toHaveBeenCalledTimes(1)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'storage' })
  })

  test('a write that fails leaves what was kept before', async () => {
    const tab = createTab()
    const storage = tabStorage({ key: 'answer', area: tab, onError: () => {} })
    const rig = createRig(createServer(), { storage })
    void rig.stream.start('q')
    tab.isFull = true
    await rig.say(1, begun(), text('lost'), done)
    expect(tab.entries.get('answer')).toContain('"sent"')
  })

  test.each([
    ['no JSON', '{'],
    ['another version', '{"version":99}'],
    ['no stream', '{"version":1,"messages":[],"stream":{"events":[],"facts":[]}}'],
  ])('%s is left out, and told', async (_, value) => {
    const tab = createTab()
    tab.entries.set('answer', value)
    const onError = vi.fn<(error: SluiceError) => void>()
    const rig = createRig(createServer(), {
      storage: tabStorage({ key: 'answer', area: tab, onError }),
    })
    watch(rig)
    expect(rig.shown).toMatchObject({ status: 'ready', message: undefined })
    expect(onError).toHaveBeenCalledTimes(1)
  })

  test('nothing is read before anyone looks', () => {
    const getItem = vi.fn<() => null>(() => null)
    const rig = createRig(createServer(), {
      storage: tabStorage({ key: 'answer', area: { getItem, setItem: () => {} } }),
    })
    expect(getItem).not.toHaveBeenCalled()
    watch(rig)
    watch(rig)
    expect(getItem).toHaveBeenCalledTimes(1)
  })
})

describe('the page that is loaded next', () => {
  async function cutAfter(tab: Tab): Promise<Rig> {
    const rig = open(tab)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('Hello '))
    await rig.clock.advance(1000)
    return rig
  }

  test('B77: shows what was kept, asks for what follows and applies each seq once', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer()
    const rig = open(tab, server)
    const shown: string[] = []
    rig.stream.subscribe(() => shown.push(rig.shown.text))
    expect(rig.shown).toMatchObject({ status: 'streaming', text: 'Hello ' })
    await rig.settle()
    expect(server.connections.map(({ kind, after }) => [kind, after])).toEqual([['resume', 2]])
    // A server that begins at the beginning all the same doubles nothing.
    await rig.say(1, begun(), text('Hello '), text('world'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'Hello world' })
    expect(rig.shown.message?.parts).toHaveLength(1)
    expect(shown.every((piece) => 'Hello world'.startsWith(piece) && piece !== '')).toBe(true)
  })

  test('B71: twenty components on one stream resume it once', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer()
    const rig = open(tab, server)
    for (let i = 0; i < 20; i++) watch(rig)()
    for (let i = 0; i < 20; i++) watch(rig)
    await rig.settle()
    expect(server.connections).toHaveLength(1)
  })

  test('B83: with nothing kept, and with an answer that had ended, there is no request and no callback', async () => {
    const tab = createTab()
    const statuses: string[] = []
    const onFinish = vi.fn<() => void>()
    const first = createServer()
    const empty = open(tab, first, { onFinish })
    empty.stream.subscribe(() => statuses.push(empty.shown.status))
    await empty.settle()
    expect([first.connections.length, statuses, empty.shown.status]).toEqual([0, [], 'ready'])

    const before = open(tab)
    void before.stream.start('q')
    await before.say(1, begun(), text('whole'), done)
    const server = createServer()
    const rig = open(tab, server, { onFinish })
    rig.stream.subscribe(() => statuses.push(rig.shown.status))
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'whole' })
    expect(rig.shown.message?.status.type).toBe('complete')
    expect([server.connections.length, statuses]).toEqual([0, []])
    expect(onFinish).not.toHaveBeenCalled()
  })

  test('B79: however often it is asked to resume and however often the server replays, each seq is applied once', async () => {
    const tab = createTab()
    const before = open(tab)
    void before.stream.start('q')
    await before.say(1, begun())
    const server = createServer()
    const rig = open(tab, server)
    watch(rig)
    const again = Promise.all([rig.stream.resume(), rig.stream.resume()])
    await rig.settle()
    expect(server.connections).toHaveLength(1)
    await rig.say(1, begun(), text('ab'), text('c'))
    await rig.say(1, begun(), text('ab'), text('c'))
    await rig.say(4, text('d'), done)
    await again
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'abcd' })
    expect(rig.shown.message?.parts).toHaveLength(1)
  })

  test('B85: a resume that is not answered can be stopped for a new question, and changes nothing when it ends', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer()
    const rig = open(tab, server)
    watch(rig)
    await rig.settle()
    const [probe] = server.connections
    await rig.clock.advance(1_000)
    void rig.stream.stop()
    void rig.stream.start('r')
    await rig.say(1, begun(), text('new '))
    await rig.clock.advance(4_000)
    probe?.fail(new SluiceError('unknown-stream', 'none'))
    await rig.settle()
    expect(rig.shown).toMatchObject({ status: 'streaming', text: 'new ' })
    await rig.say(3, text('answer'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'new answer' })
  })

  test('B67: Stop reaches the connection that was resumed, and the server', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer({ cancel: async () => ({ state: 'cancelled', actions: [] }) })
    const rig = open(tab, server)
    watch(rig)
    await rig.settle()
    await rig.say(3, text('wor'))
    void rig.stream.stop()
    expect(server.last.signal.aborted).toBe(true)
    expect(rig.shown.status).toBe('ready')
    await rig.say(4, text('ld'))
    expect(rig.shown).toMatchObject({ text: 'Hello wor', stopState: 'confirmed' })
  })

  test('a Stop that had no answer when the page went is asked again', async () => {
    const tab = createTab()
    const rig = open(tab, createServer({ cancel: () => new Promise(() => {}) }))
    void rig.stream.start('q')
    await rig.say(1, begun(), text('Hello '))
    void rig.stream.stop()
    const server = createServer({ cancel: async () => ({ state: 'cancelled', actions: [] }) })
    const next = open(tab, server)
    watch(next)
    await next.settle()
    expect(server.calls).toEqual([`cancel ${rig.server.last.requestId}`])
    expect(next.shown).toMatchObject({ stopState: 'confirmed', text: 'Hello ' })
    expect(next.shown.message?.status).toMatchObject({ reason: 'cancelled' })
    const third = open(tab, createServer())
    watch(third)
    expect(third.shown.stopState).toBe('confirmed')
  })

  test.each([
    ['expired', 'replay-expired'],
    ['not known to a server that was started anew', 'unknown-stream'],
  ] as const)(
    'a log that is %s: the text stays, interrupted, and is not asked for again',
    async (_, code) => {
      const tab = createTab()
      await cutAfter(tab)
      const server = createServer()
      const rig = open(tab, server)
      watch(rig)
      await rig.settle()
      server.last.fail(new SluiceError(code, 'gone'))
      await rig.settle()
      expect(rig.shown).toMatchObject({ status: 'error', text: 'Hello ' })
      expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted', error: { code } })
      expect(await rig.stream.resume()).toBeUndefined()
      const second = createServer()
      const third = open(tab, second)
      watch(third)
      await third.settle()
      expect(second.connections).toEqual([])
      expect(third.shown.message?.status).toMatchObject({ reason: 'interrupted', error: { code } })
      void third.stream.retry()
      await third.settle()
      expect(second.last.request?.messages[0]?.parts).toEqual([{ type: 'text', text: 'q' }])
    },
  )

  test('B90: a failure after the thinking is one after a reload as well, with Retry', async () => {
    const tab = createTab()
    const rig = open(tab)
    void rig.stream.start('q', { body: { model: 'm' } })
    await rig.say(
      1,
      begun(),
      { type: 'reasoning_delta', part: 'r', text: 'Hmm' },
      { type: 'error', code: 'server', message: 'Engine failed', retryable: true },
    )
    const server = createServer()
    const next = open(tab, server)
    watch(next)
    for (const page of [rig, next]) {
      expect(page.shown).toMatchObject({ status: 'error', error: { message: 'Engine failed' } })
      expect(page.shown.message?.status).toMatchObject({ type: 'incomplete', reason: 'error' })
    }
    void next.stream.retry()
    await next.settle()
    expect(server.last.request).toMatchObject({ body: { model: 'm' } })
  })

  test('an offline page waits, and goes on when it is online', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer()
    const rig = open(tab, server)
    rig.page.online = false
    watch(rig)
    await rig.settle()
    server.last.fail(new TypeError('Failed to fetch'))
    await rig.clock.advance(3_600_000)
    expect(server.connections).toHaveLength(1)
    expect(rig.shown).toMatchObject({ connection: 'reconnecting', text: 'Hello ' })
    rig.page.online = true
    rig.page.back('online')
    await rig.settle()
    await rig.say(3, text('world'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'Hello world' })
  })

  test('a server that can no longer be reached: the end is unknown, never complete', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const server = createServer({ state: () => Promise.reject(new TypeError('down')) })
    const rig = open(tab, server, { limits: { tries: 1 } })
    watch(rig)
    for (let i = 0; i < 2; i++) {
      await rig.settle()
      server.last.fail(new TypeError('Failed to fetch'))
    }
    await rig.settle()
    expect(rig.shown.message?.status).toMatchObject({ reason: 'unknown' })
    expect(rig.shown).toMatchObject({ status: 'error', text: 'Hello ' })
  })

  test('a vendor’s stream can’t be resumed: interrupted, text kept', async () => {
    const tab = createTab()
    await cutAfter(tab)
    const rig = open(tab, createServer({ resumes: false }))
    watch(rig)
    expect(rig.shown.message?.status).toMatchObject({ reason: 'interrupted' })
    expect(rig.shown.text).toBe('Hello ')
  })

  test('a new question replaces what was kept', async () => {
    const tab = createTab()
    const rig = open(tab)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('old'), done)
    const next = open(tab)
    watch(next)
    void next.stream.start('r')
    await next.say(1, begun(), text('new'), done)
    const third = open(tab, createServer({ state: async () => known('completed') }))
    watch(third)
    expect(third.shown.text).toBe('new')
  })
})
