import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSseDecoder } from '../../src/transport/sse.ts'
import { cuttings } from '../support/cuts.ts'

const folder = join(import.meta.dirname, '../fixtures/wire/sse-grammar')

interface Expected {
  readonly events: readonly { type: string; data: string; lastEventId: string }[]
  /** What a reader that flushes at the end of the body would add. */
  readonly eofFlushEvent: { readonly data: string } | null
  readonly retry: number | null
  readonly lastEventIdAtEof: string
}

const samples = readdirSync(folder).flatMap((file) => {
  if (!file.endsWith('.bin')) return []
  const name = file.slice(0, -'.bin'.length)
  const expected = JSON.parse(
    readFileSync(join(folder, `${name}.expected.json`), 'utf8'),
  ) as Expected
  return [{ name, bytes: new Uint8Array(readFileSync(join(folder, file))), expected }]
})

function decode(chunks: readonly (Uint8Array | string)[]) {
  const events: { type: string; data: string; lastEventId: string }[] = []
  let retry: number | null = null
  const decoder = createSseDecoder({
    onRecord: ({ data, event, id }) =>
      events.push({ type: event ?? 'message', data, lastEventId: id ?? '' }),
    onRetry: (ms) => (retry = ms),
  })
  for (const chunk of chunks) decoder.push(chunk)
  const beforeEnd = events.length
  const { lastEventId } = decoder
  decoder.end()
  return { events: events.slice(0, beforeEnd), added: events.slice(beforeEnd), retry, lastEventId }
}

test('there are samples', () => expect(samples.length).toBeGreaterThan(25))

describe.each(samples)('$name', ({ bytes, expected }) => {
  test('by the grammar, whole', () => {
    const got = decode([bytes])
    // What the end of the body cut short is delivered only where it can be trusted.
    const flushed = expected.eofFlushEvent
    const isTrusted = flushed !== null && /^(\[DONE\]|\s*[{[].*)$/s.test(flushed.data)
    expect(got.events).toEqual(expected.events)
    expect(got.added.map(({ data }) => data)).toEqual(isTrusted ? [flushed.data] : [])
    expect(got.retry).toBe(expected.retry)
    expect(got.lastEventId).toBe(expected.lastEventIdAtEof)
  })

  test('the same at every cut', () => {
    const whole = JSON.stringify(decode([bytes]))
    const seen = new Set([...cuttings(bytes)].map((chunks) => JSON.stringify(decode(chunks))))
    expect([...seen]).toEqual([whole])
  })
})

test('a decoder that was reset knows nothing of the stream before', () => {
  const seen: string[] = []
  const decoder = createSseDecoder({ onRecord: ({ data, id }) => seen.push(`${id}:${data}`) })
  decoder.push('id: 7\ndata: a\n\ndata: half')
  decoder.reset()
  decoder.push('data: b\n\n')
  expect(seen).toEqual(['7:a', 'undefined:b'])
})

test.each([
  ['a line', { line: 100 }, `data: ${'x'.repeat(200)}\n\n`],
  ['an event of many lines', { event: 100 }, `${'data: 12345678901234567890\n'.repeat(10)}\n`],
  ['a line that never ends', { line: 100 }, 'x'.repeat(200)],
])('%s beyond its limit is refused, at every cut', (_, limits, text) => {
  for (const chunks of cuttings(new TextEncoder().encode(text))) {
    const decoder = createSseDecoder({ onRecord: () => {}, limits })
    expect(() => {
      for (const chunk of chunks) decoder.push(chunk)
    }).toThrow(expect.objectContaining({ code: 'limit-exceeded' }))
  }
})
