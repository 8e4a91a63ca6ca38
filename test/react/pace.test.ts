import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { characterEnd, paced } from '../../src/react/pace.ts'

/** Shows a text frame by frame; returns what was shown after each frame. */
function reveal(text: string, arrived: (ms: number) => number, frameMs = 16): string[] {
  const shown: string[] = []
  let units = 0
  for (let ms = frameMs; units < text.length && ms < 60_000; ms += frameMs) {
    const there = text.slice(0, arrived(ms))
    if (units < there.length) units = characterEnd(there, paced(units, there.length, frameMs))
    shown.push(text.slice(0, units))
  }
  return shown
}

describe('the pace', () => {
  test('a burst comes evenly, and most of it within half a second', () => {
    const text = 'a '.repeat(500)
    const shown = reveal(text, () => text.length)
    const steps = shown.map((state, index) => state.length - (shown[index - 1]?.length ?? 0))
    expect(Math.min(...steps.slice(0, -1))).toBeGreaterThan(0)
    expect(Math.max(...steps)).toBeLessThan(text.length / 10)
    expect(shown[Math.ceil(500 / 16)]?.length).toBeGreaterThan(text.length * 0.8)
  })

  test('it stays near a steady stream, however fast', () => {
    for (const perSecond of [20, 200, 2000]) {
      const text = 'word '.repeat(20 + perSecond)
      const shown = reveal(text, (ms) => Math.floor((ms / 1000) * perSecond))
      for (const [frame, state] of shown.entries()) {
        const arrived = Math.min(text.length, Math.floor(((frame + 1) * 16 * perSecond) / 1000))
        const behind = arrived - state.length
        expect(behind).toBeLessThanOrEqual(Math.max(2, perSecond * 0.5))
      }
    }
  })

  test('frames that were missed count', () => {
    expect(paced(0, 1000, 500)).toBeGreaterThan(paced(0, 1000, 16) * 10)
    expect(paced(10, 10, 16)).toBe(10)
  })
})

test('only whole characters are shown, as a reader sees them', () => {
  const pieces = fc.constantFrom('👩‍👩‍👧‍👦', '🇯🇵', 'é', 'か\u3099', 'a', ' ', '語', 'नि', '\n')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
      const text = list.join('')
      const ends = new Set([0])
      for (const { index, segment } of new Intl.Segmenter().segment(text))
        ends.add(index + segment.length)
      for (const state of reveal(text, () => text.length)) expect(ends).toContain(state.length)
    }),
  )
})
