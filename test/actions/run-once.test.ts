import { describe, expect, test, vi, type Mock } from 'vitest'
import { manualClock, type ManualClock } from 'sluice/testing'
import { memoryActionLog, type Action, type ActionLog, type ToolStatus } from 'sluice/server'
import { SluiceError } from 'sluice/core'
import { runOnce, type Deed } from '../../src/actions/run-once.ts'

const action: Action = {
  key: 'r:c',
  requestId: 'r',
  toolCallId: 'c',
  kind: 'run',
  name: 'pay',
  runs: 'server',
  args: { amount: 5 },
  hash: 'h1',
}

const never = (): Promise<never> => new Promise(() => {})

/** Rejects as `fetch` does when its signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

interface Stage {
  readonly clock: ManualClock
  readonly log: ActionLog
  readonly onError: Mock<(error: unknown) => void>
  go(
    deed: Partial<Deed>,
    more?: { readonly signal?: AbortSignal; readonly action?: Action },
  ): ReturnType<typeof runOnce>
}

function stage(): Stage {
  const clock = manualClock(1_000_000)
  const log = memoryActionLog({ clock })
  const onError = vi.fn<(error: unknown) => void>()
  return {
    clock,
    log,
    onError,
    go: (deed, more = {}) =>
      runOnce(
        more.action ?? action,
        { timeoutMs: 1_000, run: () => 'done', ...deed },
        { log, clock, onError, signal: more.signal ?? new AbortController().signal },
      ),
  }
}

test('an action that ended is not run again, whoever asks', async () => {
  const { go, log } = stage()
  const run = vi.fn(() => ({ id: 7 }))
  expect(await go({ run })).toEqual({ state: 'succeeded', output: { id: 7 } })
  expect(await go({ run })).toEqual({ state: 'succeeded', output: { id: 7 } })
  expect(run).toHaveBeenCalledTimes(1)
  expect(await log.read('r')).toMatchObject([{ key: 'r:c', state: 'succeeded', version: 2 }])
})

test('it is written down as pending before it runs', async () => {
  const { go, log } = stage()
  let during: unknown
  await go({ run: async () => void (during = (await log.read('r'))[0]?.state) })
  expect(during).toBe('pending')
})

test('two at the same time run it once, and both learn the outcome', async () => {
  const { go, clock } = stage()
  let finish: (value: string) => void = () => {}
  const run = vi.fn(() => new Promise<string>((resolve) => (finish = resolve)))
  const both = Promise.all([go({ run }), go({ run })])
  await clock.advance(300)
  finish('once')
  await clock.advance(300)
  expect(await both).toEqual([
    { state: 'succeeded', output: 'once' },
    { state: 'succeeded', output: 'once' },
  ])
  expect(run).toHaveBeenCalledTimes(1)
})

test('other arguments under the same key are a conflict, and nothing runs', async () => {
  const { go } = stage()
  await go({})
  const run = vi.fn()
  const other = await go({ run }, { action: { ...action, hash: 'h2' } })
  expect(other).toMatchObject({ state: 'failed', error: expect.stringContaining('another action') })
  expect(run).not.toHaveBeenCalled()
})

test('what is kept is JSON; what is not JSON has still succeeded', async () => {
  const { go, onError } = stage()
  const key = (n: number): Action => ({ ...action, key: `r:${n}` })
  const when = new Date(0)
  expect(await go({ run: () => ({ when, gone: undefined }) }, { action: key(1) })).toEqual({
    state: 'succeeded',
    output: { when: when.toJSON() },
  })
  expect(await go({ run: () => undefined }, { action: key(2) })).toEqual({
    state: 'succeeded',
    output: null,
  })
  expect(onError).not.toHaveBeenCalled()
  expect(await go({ run: () => 1n }, { action: key(3) })).toEqual({
    state: 'succeeded',
    output: null,
  })
  expect(onError).toHaveBeenCalledTimes(1)
})

describe('a run that throws', () => {
  test('has failed, is not tried again, and its words stay here', async () => {
    const { go, onError } = stage()
    const run = vi.fn(() => {
      throw new Error('postgres://user:pw@db')
    })
    expect(await go({ run })).toEqual({ state: 'failed', error: 'The tool failed.' })
    await go({ run })
    expect(run).toHaveBeenCalledTimes(1)
    expect(onError).toHaveBeenCalledTimes(1)
  })

  test('is told in its own words where they were meant to be', async () => {
    const { go } = stage()
    const run = (): never => {
      throw new SluiceError('not-found', 'There is no port of that name.')
    }
    expect(await go({ run })).toEqual({ state: 'failed', error: 'There is no port of that name.' })
  })

  test('is asked after, and the answer is what counts', async () => {
    const answers: [ToolStatus, object][] = [
      [
        { state: 'succeeded', output: 1 },
        { state: 'succeeded', output: 1 },
      ],
      [
        { state: 'failed', error: 'no' },
        { state: 'failed', error: 'no' },
      ],
      [{ state: 'not-run' }, { state: 'failed' }],
      [{ state: 'unknown' }, { state: 'unknown' }],
    ]
    for (const [status, end] of answers) {
      const run = vi.fn(() => {
        throw new Error('socket hang up')
      })
      expect(await stage().go({ run, queryStatus: () => status })).toMatchObject(end)
      expect(run).toHaveBeenCalledTimes(1)
    }
  })
})

describe('a tool that times out', () => {
  const outcome = async (deed: Partial<Deed>): Promise<[object, object | undefined]> => {
    const { go, clock, log } = stage()
    const end = go(deed)
    await clock.advance(20_000)
    return [await end, (await log.read('r'))[0]]
  }

  test('is unknown where nobody can be asked, and is never run again', async () => {
    const run = vi.fn(untilAborted)
    const [end, record] = await outcome({ run })
    expect(end).toMatchObject({ state: 'unknown' })
    expect(record).toMatchObject({ state: 'unknown' })
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('with its action done: one execution, and it has succeeded', async () => {
    let executed = 0
    const run = (signal: AbortSignal): Promise<never> => {
      executed += 1
      return untilAborted(signal)
    }
    const [end] = await outcome({
      run,
      queryStatus: () =>
        executed > 0 ? { state: 'succeeded', output: 'paid' } : { state: 'not-run' },
    })
    expect(end).toEqual({ state: 'succeeded', output: 'paid' })
    expect(executed).toBe(1)
  })

  test('with its action not done: it is run once more, and executed once', async () => {
    let executed = 0
    const run = vi.fn((signal: AbortSignal): string | Promise<never> => {
      if (run.mock.calls.length === 1) return untilAborted(signal)
      executed += 1
      return 'paid'
    })
    const [end] = await outcome({ run, queryStatus: () => ({ state: 'not-run' }) })
    expect(end).toEqual({ state: 'succeeded', output: 'paid' })
    expect(executed).toBe(1)
  })

  test('twice, and not done, is given up: it has failed, and that is known', async () => {
    const run = vi.fn(untilAborted)
    const [end] = await outcome({ run, queryStatus: () => ({ state: 'not-run' }) })
    expect(end).toMatchObject({ state: 'failed' })
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('and goes on all the same is not run beside itself, and its late word counts', async () => {
    const { go, clock, log } = stage()
    let finish: (value: string) => void = () => {}
    const run = vi.fn(() => new Promise<string>((resolve) => (finish = resolve)))
    const end = go({ run, queryStatus: () => ({ state: 'not-run' }) })
    await clock.advance(20_000)
    expect(await end).toMatchObject({ state: 'unknown' })
    expect(run).toHaveBeenCalledTimes(1)
    finish('after all')
    await clock.advance(0)
    expect(await log.read('r')).toMatchObject([{ state: 'succeeded', output: 'after all' }])
    expect(await go({ run })).toEqual({ state: 'succeeded', output: 'after all' })
  })

  test('stays unknown where the question fails or takes too long', async () => {
    const throwing = (): never => {
      throw new Error('down')
    }
    for (const queryStatus of [throwing, never]) {
      const run = vi.fn(untilAborted)
      const [end] = await outcome({ run, queryStatus })
      expect(end).toMatchObject({ state: 'unknown' })
      expect(run).toHaveBeenCalledTimes(1)
    }
  })
})

describe('Stop', () => {
  test('before it begins: it never does, then or later', async () => {
    const { go, log } = stage()
    const run = vi.fn()
    const stopped = new AbortController()
    stopped.abort()
    expect(await go({ run }, { signal: stopped.signal })).toEqual({ state: 'withdrawn' })
    expect(await go({ run })).toEqual({ state: 'withdrawn' })
    expect(run).not.toHaveBeenCalled()
    expect(await log.read('r')).toMatchObject([{ state: 'withdrawn' }])
  })

  test('while it is written down: it is looked at once more before it runs', async () => {
    const { log, clock, onError } = stage()
    const stopped = new AbortController()
    const run = vi.fn()
    const slow: ActionLog = {
      read: log.read,
      async write(record) {
        const written = await log.write(record)
        stopped.abort()
        return written
      },
    }
    const end = await runOnce(
      action,
      { timeoutMs: 1_000, run },
      { log: slow, clock, onError, signal: stopped.signal },
    )
    expect(end).toEqual({ state: 'withdrawn' })
    expect(run).not.toHaveBeenCalled()
  })

  test.each<[string, Partial<Deed>, object]>([
    ['that nobody can be asked about', { run: untilAborted }, { state: 'unknown' }],
    [
      'that was done',
      { run: untilAborted, queryStatus: () => ({ state: 'succeeded', output: 1 }) },
      { state: 'succeeded', output: 1 },
    ],
    [
      'that was not done',
      { run: untilAborted, queryStatus: () => ({ state: 'not-run' }) },
      { state: 'withdrawn' },
    ],
    [
      'that returns all the same',
      { run: (signal) => untilAborted(signal).catch(() => 'ended') },
      { state: 'succeeded', output: 'ended' },
    ],
    ['that does not listen', { run: never }, { state: 'unknown' }],
  ])('between pending and outcome, of an action %s', async (_, deed, end) => {
    const { go, clock } = stage()
    const stopped = new AbortController()
    const going = go(deed, { signal: stopped.signal })
    await clock.advance(100)
    stopped.abort()
    await clock.advance(2_000)
    expect(await going).toMatchObject(end)
  })
})

describe('a process that dies between the two writes', () => {
  const crashed = async (): Promise<Stage> => {
    const on = stage()
    void on.go({ run: never })
    await on.clock.advance(0)
    // What that process would do next, it never does.
    const { version } = (await on.log.read('r'))[0] ?? { version: 0 }
    expect(version).toBe(1)
    const until = on.clock.now() + 60_000
    await on.log.write({ ...action, state: 'pending', until, version: 2 })
    return on
  }

  test('is waited for until it must have ended, and then is unknown', async () => {
    const { go, clock } = await crashed()
    const run = vi.fn()
    const end = go({ run })
    await clock.advance(59_000)
    expect(await Promise.race([end, Promise.resolve('busy')])).toBe('busy')
    await clock.advance(2_000)
    expect(await end).toMatchObject({ state: 'unknown' })
    expect(run).not.toHaveBeenCalled()
  })

  test('is asked after: what was done is not run, what was not is', async () => {
    for (const status of ['succeeded', 'not-run'] as const) {
      const { go, clock } = await crashed()
      const run = vi.fn(() => 'again')
      const end = go({ run, queryStatus: () => ({ state: status, output: 'first' }) })
      await clock.advance(61_000)
      expect(await end).toEqual({
        state: 'succeeded',
        output: status === 'succeeded' ? 'first' : 'again',
      })
      expect(run).toHaveBeenCalledTimes(status === 'succeeded' ? 0 : 1)
    }
  })

  test('a Stop does not wait for it', async () => {
    const { go, clock } = await crashed()
    const stopped = new AbortController()
    const end = go({}, { signal: stopped.signal })
    await clock.advance(1_000)
    stopped.abort()
    expect(await end).toEqual({ state: 'pending' })
  })
})

test('an action that can’t be written down is not run', async () => {
  const { clock, onError, log } = stage()
  const run = vi.fn()
  const full = memoryActionLog({ clock, maxStreams: 0 })
  const signal = new AbortController().signal
  const end = await runOnce(action, { timeoutMs: 1, run }, { log: full, clock, onError, signal })
  expect(end).toMatchObject({
    state: 'unknown',
    error: expect.stringContaining('Nothing was done'),
  })
  expect(run).not.toHaveBeenCalled()
  expect(await log.read('r')).toEqual([])
})
