import { describe, expect, test, vi } from 'vitest'
import { manualClock } from 'sluice/testing'
import { frameScheduler, type FrameHost } from '../../src/generation/scheduler.ts'

interface Host extends FrameHost {
  hidden: boolean
  readonly frames: number
  readonly listeners: number
  /** Draws one frame. */
  frame(): void
  /** Shows the page. */
  show(): void
}

/** A page whose frames come when they are told to. */
function createHost(): Host {
  const frames = new Map<number, (time: number) => void>()
  const visible = new Set<() => void>()
  let handle = 0
  return {
    hidden: false,
    get frames() {
      return frames.size
    },
    get listeners() {
      return visible.size
    },
    frame() {
      const due = [...frames.values()]
      frames.clear()
      for (const run of due) run(0)
    },
    show() {
      this.hidden = false
      for (const run of visible) run()
    },
    requestAnimationFrame(run) {
      frames.set(++handle, run)
      return handle
    },
    cancelAnimationFrame: (given) => void frames.delete(given),
    isHidden() {
      return this.hidden
    },
    onVisible(run) {
      visible.add(run)
      return () => void visible.delete(run)
    },
  }
}

/** Lets the message that measures a frame arrive. */
const afterTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describe('the frame scheduler', () => {
  test('flushes once a frame, however often it is asked', () => {
    const host = createHost()
    const scheduler = frameScheduler(host, manualClock())
    const flush = vi.fn<() => void>()
    for (let i = 0; i < 100; i++) scheduler.request(flush)
    expect(flush).not.toHaveBeenCalled()
    expect(host.frames).toBe(1)
    host.frame()
    expect(flush).toHaveBeenCalledTimes(1)
    host.frame()
    expect(flush).toHaveBeenCalledTimes(1)
    expect(host.listeners).toBe(0)
  })

  test('what is cancelled is not flushed, and leaves nothing', () => {
    const host = createHost()
    const scheduler = frameScheduler(host, manualClock())
    const flush = vi.fn<() => void>()
    scheduler.request(flush)
    scheduler.cancel()
    host.frame()
    host.show()
    expect(flush).not.toHaveBeenCalled()
    expect(host.listeners).toBe(0)
  })

  test('hidden: from the call itself, at most every 250 ms, and what is left when it is shown', async () => {
    const host = createHost()
    host.hidden = true
    const clock = manualClock(1000)
    const scheduler = frameScheduler(host, clock)
    const flush = vi.fn<() => void>()
    scheduler.request(flush)
    expect(flush).toHaveBeenCalledTimes(1)
    scheduler.request(flush)
    await clock.advance(249)
    scheduler.request(flush)
    expect(flush).toHaveBeenCalledTimes(1)
    await clock.advance(1)
    scheduler.request(flush)
    expect(flush).toHaveBeenCalledTimes(2)
    scheduler.request(flush)
    expect(host.frames).toBe(0)
    host.show()
    expect(flush).toHaveBeenCalledTimes(3)
    expect(host.listeners).toBe(0)
    expect(clock.pending).toBe(0)
  })

  test('a page that is hidden while a frame is awaited is flushed when it is shown', () => {
    const host = createHost()
    const scheduler = frameScheduler(host, manualClock())
    const flush = vi.fn<() => void>()
    scheduler.request(flush)
    host.hidden = true
    host.show()
    expect(flush).toHaveBeenCalledTimes(1)
    host.frame()
    expect(flush).toHaveBeenCalledTimes(1)
  })

  test.each([
    [5, 0],
    [100, 100],
    [2000, 250],
  ])('after a frame of %i ms the next flush waits %i ms', async (cost, wait) => {
    const host = createHost()
    const clock = manualClock(1000)
    const scheduler = frameScheduler(host, clock)
    // The clock moves while the first flush draws.
    let spent = 0
    const { now } = clock
    clock.now = () => now() + spent
    const flush = vi.fn<() => void>().mockImplementationOnce(() => void (spent += cost))
    scheduler.request(flush)
    host.frame()
    await afterTask()
    const drawn = clock.now()
    scheduler.request(flush)
    while (flush.mock.calls.length < 2 && clock.now() < drawn + 1000) {
      host.frame()
      spent += 1
    }
    expect(clock.now() - 1 - drawn).toBe(wait)
  })

  test('without a page it flushes once per turn of the event loop', async () => {
    const clock = manualClock()
    const scheduler = frameScheduler(undefined, clock)
    const flush = vi.fn<() => void>()
    scheduler.request(flush)
    scheduler.request(flush)
    expect(flush).not.toHaveBeenCalled()
    await clock.advance(0)
    expect(flush).toHaveBeenCalledTimes(1)
    expect(clock.pending).toBe(0)
  })
})
