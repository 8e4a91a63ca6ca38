// Characters that a reader can't see but a model, a terminal or a search can: the Tags block, zero-width characters,
// stray variation selectors and control characters (Unicode TR 36, TR 55).

const ignorable =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/
const joiner = /[\u200c\u200d]/
const selector = /[\u180b-\u180d\u180f\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u
const tag = /[\u{e0000}-\u{e007f}]/u
const suspect = new RegExp(
  [ignorable, joiner, selector, tag, /\p{M}{9}/u].map(({ source }) => source).join('|'),
  'u',
)

/** Scripts in which joiners between letters carry meaning (Arabic, Syriac, the Indic and related ones). */
const joining =
  /[\p{Script=Arab}\p{Script=Syrc}\p{Script=Mong}\p{Script=Nkoo}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Khmr}\p{Script=Mymr}\p{Script=Tibt}]/u
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3]/u
const ideograph = /\p{Ideographic}/u
const flag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}/gu
const maxMarks = 8

/** Text without its hidden characters, and how many there were. */
export interface Revealed {
  readonly text: string
  readonly removed: number
}

/**
 * Removes invisible and control characters. Joiners stay inside emoji and between letters of joining scripts, one
 * variation selector stays after what it varies, emoji flags keep their tags, a base keeps up to 8 combining marks.
 */
export function removeHidden(text: string): Revealed {
  if (!suspect.test(text)) return { text, removed: 0 }
  const flags = new Set<number>()
  for (const { index, 0: found } of text.matchAll(flag)) {
    for (let at = index + 2; at < index + found.length; at++) flags.add(at)
  }
  const characters = [...text]
  let kept = ''
  let removed = 0
  let marks = 0
  let at = 0
  characters.forEach((character, index) => {
    const before = characters[index - 1] ?? ''
    const after = characters[index + 1] ?? ''
    marks = /\p{M}/u.test(character) ? marks + 1 : 0
    const stays = flags.has(at) || (marks <= maxMarks && isVisible(character, before, after))
    if (stays) kept += character
    else removed++
    at += character.length
  })
  return { text: kept, removed }
}

function isVisible(character: string, before: string, after: string): boolean {
  if (ignorable.test(character) || tag.test(character)) return false
  if (joiner.test(character)) {
    if (joining.test(before) && (character === '\u200c' || joining.test(after))) return true
    return character === '\u200d' && pictograph.test(before) && pictograph.test(after)
  }
  if (!selector.test(character)) return true
  if (before === '' || selector.test(before)) return false
  return character.length === 1 ? !/\s/.test(before) : ideograph.test(before)
}

/** Marks, embeddings, overrides and isolates that change the order in which text is shown. */
export const bidiControls: RegExp = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Shows each bidirectional control character as its code, for code and addresses: `⟨U+202E⟩`. */
export function showBidiControls(text: string): string {
  if (!bidiControls.test(text)) return text
  return text.replaceAll(
    new RegExp(bidiControls, 'g'),
    (control) => `⟨U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
