import { describe, expect, test } from 'vitest'
import { createMarkdownStream, type MarkdownLimits } from 'sluice/markdown'
import { inPieces, oneShot, visibleText } from './reading.ts'

const read = (
  text: string,
  limits: MarkdownLimits,
  size = text.length,
): ReturnType<typeof createMarkdownStream> => {
  const stream = createMarkdownStream({ limits })
  for (let at = 0; at < text.length; at += size) {
    stream.push(text.slice(at, at + size))
    void stream.blocks
  }
  stream.end()
  return stream
}

const kinds = (stream: ReturnType<typeof createMarkdownStream>): readonly string[] =>
  stream.blocks.map(({ kind }) => kind)

describe('limits', () => {
  const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(20)}`

  test.each([
    {
      name: 'size',
      text: 'one\n\ntwo\n\nthree',
      limits: { size: 6 },
      want: ['paragraph', 'paragraph', 'plain'],
    },
    {
      name: 'line',
      text: `one\n${'x'.repeat(200)}\n`,
      limits: { line: 100 },
      want: ['paragraph', 'plain'],
    },
    { name: 'cells', text: table, limits: { cells: 20 }, want: ['table', 'plain'] },
  ])(
    'beyond the $name, text is plain and none is lost, however it is cut',
    ({ text, limits, want }) => {
      const whole = read(text, limits)
      const shown = visibleText(whole.blocks)
      expect(kinds(whole)).toEqual(want)
      expect(shown.replaceAll(/[\s|-]/g, '')).toBe(text.replaceAll(/[\s|-]/g, ''))
      for (const size of [1, 3, 7]) expect(read(text, limits, size).blocks).toEqual(whole.blocks)
    },
  )

  test('beyond the depth, what is left is plain', () => {
    const { blocks } = read(`${'> '.repeat(30)}deep`, { depth: 10 })
    expect(JSON.stringify(blocks)).toContain('"reason":"depth"')
    expect(visibleText(blocks)).toContain('deep')
  })

  test('beyond the number of links, they are text', () => {
    const { blocks } = read('[a](/1) [b](/2) [c](/3)', { links: 2 })
    expect(JSON.stringify(blocks).match(/"kind":"link"/g)).toHaveLength(2)
    expect(visibleText(blocks)).toBe('a b c')
  })
})

describe('degenerate input (B135)', () => {
  const hostile: readonly (readonly [string, (n: number) => string])[] = [
    ['*_', (n) => '*_'.repeat(n)],
    ['[]((', (n) => '[](( '.repeat(n / 2)],
    ['quotes', (n) => `${'> '.repeat(n / 10)}x`],
    ['![', (n) => '!['.repeat(n)],
    ['"', (n) => '"'.repeat(n * 2)],
    ['<a ', (n) => '<a '.repeat(n / 2)],
    ['[', (n) => '['.repeat(n)],
    ['`', (n) => Array.from({ length: Math.sqrt(n * 2) }, (_, i) => '`'.repeat(i + 1)).join(' ')],
  ]

  const cost = (text: string): number => {
    const start = performance.now()
    const stream = createMarkdownStream()
    stream.push(text)
    void stream.blocks
    stream.end()
    void stream.blocks
    return performance.now() - start
  }

  // Time on a shared machine proves little: eight times the text costs 8 times as much where the cost is linear and 64
  // times where it is quadratic, and the bound lies far from both, at the best of several runs.
  test.each(hostile)(
    '%s repeated: eight times the length does not cost 24 times as much',
    { timeout: 60_000 },
    (_, make) => {
      const best = (n: number, runs: number): number =>
        Math.min(...Array.from({ length: runs }, () => cost(make(n))))
      best(1000, 1)
      const [small, large] = [best(4000, 4), best(32_000, 2)]
      expect(large < 100 || large / small < 24).toBe(true)
    },
  )
})

test('a stream that has ended takes no more', () => {
  const stream = createMarkdownStream()
  stream.end()
  expect(() => stream.push('x')).toThrow('has ended')
})

test('the text is kept as it was pushed', () => {
  const stream = createMarkdownStream()
  stream.push('a\r')
  stream.push('\nb\u0000')
  stream.end()
  expect(stream.text).toBe('a\r\nb\u0000')
  expect(visibleText(stream.blocks)).toBe('a b\ufffd')
})

test('what was stopped keeps its text as written', () => {
  expect(visibleText(oneShot('See [the docs](https://good.inv', { complete: false }))).toBe(
    'See [the docs](https://good.inv',
  )
  expect(visibleText(oneShot('**bold', { complete: false }))).toBe('**bold')
  expect(visibleText(inPieces('[a]: https://good.inv', undefined, { complete: false }))).toBe(
    '[a]: https://good.inv',
  )
})
