import { expect, test } from 'vitest'
import {
  eachCut,
  manualClock,
  manualScheduler,
  parseRecording,
  recordStream,
  replayStream,
} from 'sluice/testing'

const text = 'data: {"text":"潮"}\n\ndata: [DONE]\n\n'

const paced = (clock: ReturnType<typeof manualClock>, end: 'close' | 'error'): Response => {
  const bytes = new TextEncoder().encode(text)
  const chunks = [bytes.subarray(0, 16), bytes.subarray(16)]
  return new Response(
    new ReadableStream({
      async pull(controller) {
        const chunk = chunks.shift()
        await new Promise<void>((resolve) => clock.setTimeout(resolve, 100))
        if (chunk !== undefined) controller.enqueue(chunk)
        else if (end === 'close') controller.close()
        else controller.error(new Error('gone'))
      },
    }),
    { headers: { 'content-type': 'text/event-stream', 'set-cookie': 'session=secret' } },
  )
}

test('plays back the same bytes, cut at the same places, at the same pace', async () => {
  const clock = manualClock()
  const recorded = recordStream(paced(clock, 'close'), { clock })
  await clock.advance(1_000)
  const recording = parseRecording(JSON.stringify(await recorded))
  expect(recording).toMatchObject({
    status: 200,
    end: 'closed',
    chunks: [{ at: 100 }, { at: 200 }],
  })
  expect(JSON.stringify(recording)).not.toContain('secret')

  const response = replayStream(recording, { clock })
  const times: number[] = []
  const lengths: number[] = []
  const begun = clock.now()
  const reading = (async () => {
    for await (const chunk of response.body ?? []) {
      times.push(clock.now() - begun)
      lengths.push(chunk.length)
    }
  })()
  await clock.advance(1_000)
  await reading
  expect(times).toEqual([100, 200])
  expect(lengths[0]).toBe(16)
  expect(await replayStream(recording, { speed: Infinity }).text()).toBe(text)
})

test('a connection that was lost is lost again', async () => {
  const clock = manualClock()
  const recorded = recordStream(paced(clock, 'error'), { clock })
  await clock.advance(1_000)
  const recording = await recorded
  expect(recording.end).toBe('lost')
  await expect(replayStream(recording, { speed: Infinity }).text()).rejects.toThrow('lost here')
})

test('what is no recording is refused', () => {
  for (const other of ['{', '{}', '[]', '{"status":200}']) {
    expect(() => parseRecording(other)).toThrow('no recording')
  }
})

test('eachCut runs whole, at every cut, and byte by byte, and names the one that failed', async () => {
  const seen: string[] = []
  await eachCut('潮!', (chunks, name) => {
    seen.push(`${name}: ${chunks.map((chunk) => chunk.length).join('+')}`)
  })
  expect(seen).toEqual([
    'whole: 4',
    'cut at byte 1: 1+3',
    'cut at byte 2: 2+2',
    'cut at byte 3: 3+1',
    'byte by byte: 1+1+1+1',
  ])
  const failing = eachCut('ab', (chunks) => {
    if (chunks.length > 1) throw new Error('no')
  })
  await expect(failing).rejects.toThrow('cut at byte 1: no')
})

test('manualScheduler flushes when told to, once', () => {
  const scheduler = manualScheduler()
  let flushes = 0
  scheduler.request(() => (flushes += 1))
  scheduler.request(() => (flushes += 1))
  expect([scheduler.pending, flushes]).toEqual([true, 0])
  expect([scheduler.frame(), flushes]).toEqual([true, 1])
  expect([scheduler.frame(), flushes]).toEqual([false, 1])
  scheduler.request(() => (flushes += 1))
  scheduler.cancel()
  expect([scheduler.frame(), flushes]).toEqual([false, 1])
})
