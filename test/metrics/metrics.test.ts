import { describe, expect, test } from 'vitest'
import { createModelStream } from 'sluice/core'
import { createStreamMetrics, summarise, type StreamSample } from 'sluice/metrics'
import { manualClock } from 'sluice/testing'
import { done, handTransport, start, text } from '../support/hand-transport.ts'

/** The worked example of quality.md: queue 120 ms, prefill 280 ms, 40 tokens of 50 ms. */
async function workedExample(): Promise<StreamSample> {
  const clock = manualClock()
  const transport = handTransport()
  const stream = createModelStream({ transport, clock })
  const metrics = createStreamMetrics()
  stream.observe(metrics)
  const over = stream.start('Go')
  await clock.advance(400)
  transport.last.send(start(), text('0'))
  for (let token = 1; token < 40; token++) {
    await clock.advance(50)
    transport.last.send(text(`${token}`))
  }
  await clock.advance(10)
  transport.last.send({ type: 'usage', outputTokens: 40 }, done())
  await clock.advance(0)
  await over
  return metrics.sample()
}

test('the worked example gives its own figures', async () => {
  const sample = await workedExample()
  expect(sample.ttftMs).toBe(400)
  expect(sample.tpotMs).toBe(50)
  expect(sample.e2eMs).toBe(2360)
  expect(sample.overheadMs).toBe(10)
  expect(sample.longestGapMs).toBe(50)
  expect(sample.outputTokens).toBe(40)
  expect(sample.end).toBe('done')
})

test('a cut stream is never counted as done', async () => {
  const transport = handTransport()
  const stream = createModelStream({ transport })
  const metrics = createStreamMetrics()
  stream.observe(metrics)
  const over = stream.start('Go')
  transport.last.send(start(), text('Half'))
  transport.last.close()
  await over
  expect(metrics.sample().end).toBe('lost')
  expect(metrics.sample().tpotMs).toBeUndefined()
})

describe('summarise', () => {
  const sample = (more: Partial<StreamSample>): StreamSample => ({
    requestId: 'r',
    longestGapMs: 0,
    end: 'done',
    reconnects: 0,
    duplicates: 0,
    bytes: 0,
    frames: 0,
    highWaterUnits: 0,
    ...more,
  })

  test('quantiles are ranks of what was measured, so that the slow tail shows', () => {
    const samples = Array.from({ length: 100 }, (_, place) => sample({ ttftMs: place + 1 }))
    const { figures } = summarise(samples).get('all')!
    expect(figures.ttftMs).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 })
    expect(figures.tpotMs).toBeUndefined()
  })

  test('slices, interruptions and recoveries', () => {
    const samples = [
      sample({ end: 'done', reconnects: 1 }),
      sample({ end: 'lost', reconnects: 2 }),
      sample({ end: 'interrupted' }),
      sample({ end: 'cancelled' }),
      sample({ end: 'open' }),
    ]
    const all = summarise(samples).get('all')!
    expect(all.interruptionRate).toBe(0.5)
    expect(all.recoveryRate).toBe(0.5)
    const slices = summarise(samples, {
      by: (each) => (each.reconnects > 0 ? 'bad line' : 'good line'),
    })
    expect([...slices.keys()]).toEqual(['bad line', 'good line'])
    expect(slices.get('bad line')?.streams).toBe(2)
  })
})
