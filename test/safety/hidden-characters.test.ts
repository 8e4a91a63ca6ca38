import { describe, expect, test } from 'vitest'
import { removeHidden, showBidiControls } from '../../src/safety/hidden-characters.ts'

describe('hidden characters', () => {
  test.each([
    ['tags', 'a\u{e0041}\u{e0042}b', 'ab', 2],
    ['zero width', 'pass\u200bword\ufeff', 'password', 2],
    ['soft hyphen and word joiner', 'a\u00adb\u2060c', 'abc', 2],
    ['escape sequences', '\u001b[31mred\u0007', '[31mred', 2],
    ['variation selectors in a row', 'a\ufe0f\ufe0e\ufe0eb', 'a\ufe0fb', 2],
    ['supplementary selectors', 'a\u{e0101}b', 'ab', 1],
    ['joiners between Latin letters', 'a\u200db\u200cc', 'abc', 2],
    ['a heap of marks', `e${'\u0301'.repeat(12)}`, `e${'\u0301'.repeat(8)}`, 4],
  ])('%s are removed and counted', (_, text, kept, removed) => {
    expect(removeHidden(text)).toEqual({ text: kept, removed })
  })

  test.each([
    'plain text\twith tabs\nand lines',
    'Hi 👨‍👩‍👧‍👦 🇨🇭 é!',
    '❤️ ☎︎ 1️⃣',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'می‌خواهم',
    'क्‍ष',
    '葛\u{e0100}城',
  ])('%j stays as it is', (text) => {
    expect(removeHidden(text)).toEqual({ text, removed: 0 })
  })

  test('bidirectional controls are shown in code', () => {
    expect(showBidiControls('if (\u202euser)')).toBe('if (⟨U+202E⟩user)')
  })
})
