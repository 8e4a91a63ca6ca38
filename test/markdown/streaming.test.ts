import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createMarkdownStream, type Block } from 'sluice/markdown'
import { seeded } from '../support/cuts.ts'
import { shared } from '../support/shared.ts'
import {
  anyDocument,
  bypasses,
  documents,
  gfm,
  isFull,
  ownDocuments,
  payloads,
  type Sample,
} from './corpora.ts'
import { addressesOf, inPieces, oneShot, visibleText } from './reading.ts'

vi.setConfig({ testTimeout: 600_000 })

const runs = isFull ? 20_000 : 300
const lineEnds = ['\n', '\r\n'] as const
const withEnds = (text: string, end: string): string => text.replaceAll(/\r?\n/g, end)

/** Pieces of 1 to 8 characters. */
function* randomPieces(text: string, next: () => number): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    const end = at + 1 + Math.floor(next() * 8)
    yield text.slice(at, end)
    at = end
  }
}

/** The ids of samples for which `holds` is false: one line each, rather than the first alone. */
const failing = (samples: readonly Sample[], holds: (text: string) => boolean): readonly string[] =>
  samples.filter(({ text }) => !holds(text)).map(({ name }) => name)

const isSame = (a: readonly Block[], b: readonly Block[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const equalsOneShot = (text: string): boolean =>
  lineEnds.every((end) => {
    const source = withEnds(text, end)
    return isSame(
      inPieces(source, ({ blocks }) => void blocks),
      oneShot(source),
    )
  })

const equalsOneShotAtRandom = (text: string): boolean => {
  const next = seeded(text.length + 1)
  const want = oneShot(text)
  return Array.from({ length: isFull ? 50 : 2 }).every(() =>
    isSame(
      inPieces(randomPieces(text, next), ({ blocks }) => void blocks),
      want,
    ),
  )
}

/** Addresses shown on the way that the end does not have. */
const phantoms = (text: string): readonly string[] => {
  const whole = addressesOf(oneShot(text))
  const seen = new Set<string>()
  // Each prefix of short texts is stopped too, of long ones some.
  const every = isFull ? 1 : Math.ceil(text.length / 40)
  inPieces(text, ({ blocks }, prefix) => {
    for (const address of addressesOf(blocks)) seen.add(address)
    if (prefix.length % every !== 0) return
    for (const address of addressesOf(oneShot(prefix, { complete: false }))) seen.add(address)
  })
  return [...seen].filter((address) => !whole.has(address))
}

const groups: readonly (readonly [string, readonly Sample[]])[] = [
  ['CommonMark and own documents', documents],
  ['GFM (needs ../shared)', gfm],
  ['bypasses (needs ../shared)', bypasses],
  ['sanitiser payloads (needs ../shared)', payloads.filter(({ text }) => text.length < 2000)],
]

describe.each(groups)('%s', (name, samples) => {
  const isAbsent = name.includes('needs ../shared') && shared === undefined

  test.skipIf(isAbsent)('cut at every character, the result is that of the whole text', () => {
    expect(failing(samples, equalsOneShot)).toEqual([])
  })

  test.skipIf(isAbsent)('cut at random, it is the same', () => {
    expect(failing(samples, equalsOneShotAtRandom)).toEqual([])
  })

  test.skipIf(isAbsent)('no prefix shows an address that the whole text has not', () => {
    expect(failing(samples, (text) => phantoms(text).length === 0)).toEqual([])
  })
})

describe('random documents', () => {
  test('cut at every character, the result is that of the whole text', () => {
    fc.assert(fc.property(anyDocument, equalsOneShot), { numRuns: runs, seed: 5 })
  })

  test('no prefix shows an address that the whole text has not', () => {
    fc.assert(
      fc.property(anyDocument, (text) => phantoms(text).length === 0),
      { numRuns: runs, seed: 6 },
    )
  })
})

describe('settled blocks', () => {
  test.each(ownDocuments.filter(({ text }) => text.length > 200))(
    '$name: keep their identity',
    ({ text }) => {
      const stream = createMarkdownStream()
      let settled: readonly Block[] = []
      for (const character of text) {
        stream.push(character)
        const { blocks } = stream
        settled.forEach((block, index) => expect(blocks[index]).toBe(block))
        settled = blocks.slice(0, stream.settled)
      }
    },
  )
})

/** Where shown text is lost, the characters that are: the documented exceptions of the engine. */
const lossOf = (text: string): string => {
  let lost = ''
  let before = ''
  inPieces(text, ({ blocks }) => {
    const now = visibleText(blocks)
    let at = 0
    for (const character of before) {
      const found = now.indexOf(character, at)
      if (found < 0) lost += character
      else at = found + 1
    }
    before = now
  })
  return lost.trim()
}

// A code span that never closes and a line with bars that is no table after all are shown as what they seemed to be
// until then. (A definition that comes late takes its brackets away at the end, which is not looked at here.)
const misleading = new Set(['attacks.md'])

describe('what is shown', () => {
  test.each(ownDocuments.filter(({ name }) => !misleading.has(name)))(
    '$name: loses no character',
    ({ text }) => {
      expect(lossOf(text)).toBe('')
    },
  )
})
