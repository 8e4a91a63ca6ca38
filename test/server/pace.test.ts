import { expect, test } from 'vitest'
import { manualClock } from 'sluice/testing'
import { createPace } from '../../src/server/pace.ts'

/** A second of writings at a rate; how long a reader written to just now is to wait after it. */
async function secondOf(perSecond: number): Promise<number> {
  const clock = manualClock()
  const pace = createPace(clock)
  for (let ms = 0; ms < 1_000; ms += 10) {
    for (let n = 0; n < perSecond / 100; n += 1) pace.count()
    pace.waitAfter(clock.now())
    await clock.advance(10)
  }
  return pace.waitAfter(clock.now())
}

test('a process with few busy readers writes at once', async () => {
  expect(await secondOf(50)).toBe(0)
  expect(await secondOf(9_000)).toBe(0)
})

test('one with many gathers, and never for longer than a tenth of a second', async () => {
  expect(await secondOf(12_000)).toBeGreaterThanOrEqual(10)
  expect(await secondOf(100_000)).toBe(100)
})

test('once it is quiet again it writes at once', async () => {
  const clock = manualClock()
  const pace = createPace(clock)
  for (let n = 0; n < 50_000; n += 1) pace.count()
  await clock.advance(100)
  expect(pace.waitAfter(clock.now())).toBe(100)
  expect(pace.waitAfter(clock.now() - 70)).toBe(30)
  for (let n = 0; n < 5; n += 1) {
    await clock.advance(100)
    pace.waitAfter(clock.now())
  }
  expect(pace.waitAfter(clock.now())).toBe(0)
})
