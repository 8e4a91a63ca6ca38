import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sample } from '../support/sample.ts'
import { createPreviewParser } from '../../src/generation/preview.ts'

/** The value after each piece. */
function valuesOf(...pieces: string[]): unknown[] {
  const parser = createPreviewParser()
  return pieces.map((piece) => {
    parser.push(piece)
    return parser.value()
  })
}
const valueOf = (text: string): unknown => valuesOf(text).at(-1)

/** Whether a value has nothing in it that the whole one does not have, and no half character. */
function isPrefixOf(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true
  if (typeof part === 'string') {
    return typeof whole === 'string' && whole.startsWith(part) && part.isWellFormed()
  }
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item, place) => isPrefixOf(item, whole[place]))
  }
  if (typeof part === 'object' && part !== null) {
    return Object.keys(part).every(
      (key) =>
        Object.hasOwn(whole as object, key) &&
        isPrefixOf(Reflect.get(part, key), Reflect.get(whole as object, key)),
    )
  }
  return Object.is(part, whole)
}

describe('a preview', () => {
  test('grows: strings by their pieces, numbers and words whole, a property with its value', () => {
    expect(
      valuesOf(
        '{',
        '"ci',
        'ty"',
        ':',
        '"',
        'Os',
        'lo"',
        ',"n":',
        '1',
        '2',
        ',"l":[',
        'tru',
        'e',
        ',null]',
        '}',
      ),
    ).toEqual([
      {},
      {},
      {},
      {},
      { city: '' },
      { city: 'Os' },
      { city: 'Oslo' },
      { city: 'Oslo' },
      { city: 'Oslo' },
      { city: 'Oslo' },
      { city: 'Oslo', n: 12, l: [] },
      { city: 'Oslo', n: 12, l: [] },
      { city: 'Oslo', n: 12, l: [] },
      { city: 'Oslo', n: 12, l: [true, null] },
      { city: 'Oslo', n: 12, l: [true, null] },
    ])
  })

  test('is a new object each time, and keeps what is complete in it', () => {
    const [before, after] = valuesOf('{"a":{"x":1},"b":"g', 'row') as [
      { a: object; b: string },
      { a: object; b: string },
    ]
    expect(before).toEqual({ a: { x: 1 }, b: 'g' })
    expect(after).toEqual({ a: { x: 1 }, b: 'grow' })
    expect(after.a).toBe(before.a)
  })

  test('escapes that are cut anywhere never show', () => {
    const text = '{"t":"a\\n\\u4e2d\\ud83d\\ude00\\"\\\\\\/z"}'
    for (let cut = 0; cut <= text.length; cut++) {
      const [half, whole] = valuesOf(text.slice(0, cut), text.slice(cut))
      expect(whole).toEqual(JSON.parse(text))
      expect(isPrefixOf(half, whole)).toBe(true)
    }
  })

  test('a raw character that is cut between its halves is held back', () => {
    expect(valuesOf('{"t":"a\ud83d', '\ude00"}')).toEqual([{ t: 'a' }, { t: 'a😀' }])
  })

  test('half a pair that stays alone is replaced', () => {
    expect(valueOf('{"t":"\\ud83dx","u":"\\udc00","v":"\\ud83d"}')).toEqual({
      t: '\uFFFDx',
      u: '\uFFFD',
      v: '\uFFFD',
    })
  })

  test('__proto__ is a key like any other', () => {
    const value = valueOf('{"__proto__":{"polluted":true},"a":1}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['', undefined],
    ['   ', undefined],
    ['"text', 'text'],
    ['12', undefined],
    ['12 ', 12],
    ['nonsense ', undefined],
    ['{"a":1,oops', { a: 1 }],
    ['{"a":"x"} trailing', { a: 'x' }],
    ['{"a":"\\uZZZZ and more', {}],
    ['[1,]', [1]],
    ['[1}', [1]],
    ['{"a"1', {}],
    [']', undefined],
  ])('%j → %j, and no throw', (text, value) => {
    expect(valueOf(text)).toEqual(value)
  })

  test('nesting has a limit', () => {
    const parser = createPreviewParser()
    parser.push('['.repeat(200_000))
    let depth = 0
    for (let value = parser.value(); Array.isArray(value); value = value[0]) depth++
    expect(depth).toBeLessThanOrEqual(101)
  })

  test('any JSON, cut anywhere: each value is a beginning of the whole, the last one is the whole', () => {
    const cases = fc
      .json({ maxDepth: 4 })
      .chain((text) =>
        fc
          .array(fc.nat(text.length), { maxLength: 6 })
          .map((cuts) => ({ text, cuts: cuts.toSorted((a, b) => a - b) })),
      )
    fc.assert(
      fc.property(cases, ({ text, cuts }) => {
        const edges = [0, ...cuts, text.length]
        const pieces = edges.slice(1).map((edge, place) => text.slice(edges[place], edge))
        // A number or word at the top is whole only when something follows it.
        const values = valuesOf(...pieces, ' ')
        const whole: unknown = JSON.parse(text)
        expect(values.at(-1)).toEqual(whole)
        for (const value of values) expect(isPrefixOf(value, whole)).toBe(true)
      }),
      { ...sample, numRuns: 500 },
    )
  })

  test('any text at all: never throws, never shows half a character', () => {
    const isSound = (pieces: readonly string[]): boolean =>
      valuesOf('{"a":"', ...pieces)
        .flatMap((value) => Object.values(value as object) as unknown[])
        .every((text) => typeof text !== 'string' || text.isWellFormed())
    const anyPieces = fc.array(fc.string({ unit: 'binary' }))
    const { failed, counterexample } = fc.check(fc.property(anyPieces, isSound), {
      ...sample,
      numRuns: 300,
    })
    expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null })
  })

  test('each character is read once: many small pieces cost what one large one costs', () => {
    const body = `{"text":"${'word \\u00e9 '.repeat(20_000)}"}`
    const parser = createPreviewParser()
    const begun = performance.now()
    for (let at = 0; at < body.length; at += 7) parser.push(body.slice(at, at + 7))
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(parser.value()).toEqual(JSON.parse(body))
  })
})
