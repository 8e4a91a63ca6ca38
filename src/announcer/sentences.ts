import { abbreviationsOf, writesOrdinalsWithStop } from './abbreviations.ts'
import { isDense, primaryLanguage } from './script.ts'

/** The sentences that a growing text is sure to begin with. */
export interface Sentences {
  /** Spaces collapsed and trimmed. */
  readonly sentences: readonly string[]
  /** UTF-16 units of the text that they take up. The rest is to be given again, with what has come since. */
  readonly consumed: number
}

/**
 * Takes the settled sentences off the front of a text. `whole`: nothing will follow. However a text is cut, the
 * sentences are the same.
 */
export type SentenceSplitter = (text: string, whole: boolean) => Sentences

/** Text before which a sentence is to be found; no decision looks further. */
const WINDOW = 1024
const LONGEST = 180
const LONGEST_DENSE = 90
/** How much text after the longest sentence is looked at to find the words around the cut. */
const LOOKAHEAD = 40
const SHORTEST = 12

const LETTER = /\p{L}/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const STARTS_SMALL =
  /^[\s\p{P}]*(?=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}])\p{Ll}/u
const OPENERS_AT_END = /[([{（［｛「『【《〈〔]+\s*$/u
const CURLY_AT_END = /(?<=[。！？」』”’）])[“‘]+$/u
const CLOSERS_AT_START = /^[\s\u00a0\u202f]*[»›](?=[\s.,;:!?]|$)/u
const INITIAL = /(?:^|[\s\p{Ps}\p{Pi}"'.])\p{L}\.$/u
const ORDINAL = /(?:^|[\s\p{Ps}])\d{1,3}\.$/u
const BARE_NUMBER = /^[\s\p{Ps}]*\d{1,3}\.$/u
const LAST_WORD = /([\p{L}\p{M}§]+)\.$/u
const SPEECH_AT_END = /[。！？][」』]+$/u
const PARTICLE_AT_START = /^[とっはがをにのもへ、]/u

/**
 * Makes the splitter of one language: `Intl.Segmenter`, and what it gets wrong put right (abbreviations, initials, ordinals,
 * brackets, addresses, quoted speech). Sentences above 180 characters (CJK, Thai: 90) are cut at a clause or a word; those
 * below 12 go with the next.
 *
 * @param locale - BCP 47 tag
 * @param Segmenter - `undefined` for a machine that has none: then lines and `.!?。！？` decide
 */
export function sentenceSplitter(
  locale: string,
  Segmenter: typeof Intl.Segmenter | undefined = Intl.Segmenter,
): SentenceSplitter {
  const language = primaryLanguage(locale)
  const abbreviations = abbreviationsOf(language)
  const ordinals = writesOrdinalsWithStop(language)
  const guillemetsClose = !(language === 'de' || language === 'da')
  const bySentence = Segmenter && new Segmenter(locale, { granularity: 'sentence' })
  const byWord = Segmenter && new Segmenter(locale, { granularity: 'word' })

  function* boundaries(text: string): Iterable<number> {
    let end = 0
    if (bySentence) {
      for (const { segment } of bySentence.segment(text)) yield (end += segment.length)
      return
    }
    for (const [segment] of text.matchAll(PLAIN_SENTENCE)) yield (end += segment.length)
  }

  /** Whether the stop that ends `left` ends no sentence. */
  const isAbbreviation = (left: string, right: string): boolean => {
    if (!left.endsWith('.')) return false
    if (INITIAL.test(left) || BARE_NUMBER.test(left)) return true
    if (ordinals && ORDINAL.test(left)) return true
    const word = LAST_WORD.exec(left)?.[1]?.toLowerCase()
    if (word === undefined) return false
    return (
      abbreviations.always.has(word) ||
      (abbreviations.beforeNumber.has(word) && /^\s*\p{N}/u.test(right))
    )
  }

  const isOneSentence = (left: string, right: string): boolean => {
    if (left.endsWith('\n')) return false
    if (STARTS_SMALL.test(right)) return true
    // An address or a file name: "a/b?c=d".
    if (/[.!?]$/.test(left) && /^[\p{L}\p{N}]/u.test(right) && !isDense(right.slice(0, 1)))
      return true
    const ended = left.trimEnd()
    return (
      isAbbreviation(ended, right) || (SPEECH_AT_END.test(ended) && PARTICLE_AT_START.test(right))
    )
  }

  /** Where the first sentence ends; `undefined` while what may follow could change it. `closed`: nothing may follow. */
  const firstSentence = (text: string, closed: boolean): number | undefined => {
    for (const boundary of boundaries(text)) {
      const isLast = boundary === text.length
      if (isLast && !closed) {
        return boundary >= LONGEST_DENSE + LOOKAHEAD ? cut(text, boundary, false) : undefined
      }
      if (isLast) return cut(text, boundary, true)
      let end = boundary
      const rest = text.slice(end)
      // All that decides about a boundary stands before the next letter.
      if (!closed && !LETTER.test(rest)) return undefined
      if (!LETTER_OR_DIGIT.test(rest)) return cut(text, text.length, true)
      end -= OPENERS_AT_END.exec(text.slice(0, end))?.[0].length ?? 0
      if (guillemetsClose) {
        end -= CURLY_AT_END.exec(text.slice(0, end))?.[0].length ?? 0
        end += CLOSERS_AT_START.exec(text.slice(end))?.[0].length ?? 0
      }
      if (end > 0 && !isOneSentence(text.slice(0, end), text.slice(end)))
        return cut(text, end, true)
    }
    return undefined
  }

  /** Shortens a sentence that ends at `end`, or goes on beyond it unless `ended`, to what is said in one breath. */
  const cut = (text: string, end: number, ended: boolean): number | undefined => {
    const longest = isDense(text.slice(0, LONGEST_DENSE)) ? LONGEST_DENSE : LONGEST
    if (ended && end <= longest) return end
    if (!ended && end < longest + LOOKAHEAD) return undefined
    const near = text.slice(0, Math.min(end, longest + LOOKAHEAD))
    return lastClause(near, longest) ?? lastWord(near, longest)
  }

  const lastWord = (text: string, longest: number): number => {
    let best = 0
    if (byWord) {
      for (const { index, isWordLike } of byWord.segment(text)) {
        if (index > longest) break
        if (isWordLike === true || /\s/.test(text.charAt(index - 1))) best = index
      }
    } else {
      best = text.slice(0, longest).lastIndexOf(' ') + 1
    }
    if (best > longest / 3) return best
    // One endless word: anywhere but inside a character.
    return /[\ud800-\udbff]/.test(text.charAt(longest - 1)) ? longest - 1 : longest
  }

  const first = (text: string, whole: boolean): number | undefined => {
    let end = 0
    while (end < text.length) {
      const window = text.slice(end, end + WINDOW)
      const closed = window.length === WINDOW || whole
      const length = firstSentence(window, closed)
      if (length === undefined) return undefined
      end += length
      if (text.slice(0, end).trim().length >= SHORTEST) return end
    }
    return whole ? end : undefined
  }

  return (text, whole) => {
    const sentences: string[] = []
    let consumed = 0
    while (consumed < text.length) {
      const end = first(text.slice(consumed), whole)
      if (end === undefined || end === 0) break
      const sentence = text
        .slice(consumed, consumed + end)
        .replaceAll(/\s+/g, ' ')
        .trim()
      if (sentence !== '') sentences.push(sentence)
      consumed += end
    }
    return { sentences, consumed }
  }
}

const PLAIN_SENTENCE = /[^\n]*?(?:\n+|[。！？]+[」』”’）]*\s*|[.!?]+["'”’)\]]*(?:\s+|$)|$)/gu

const CLAUSE = /[，、；：،؛]|[,;:](?=\s)|(?<=\p{Script=Thai})\s/gu

function lastClause(text: string, longest: number): number | undefined {
  let best: number | undefined
  for (const { index } of text.matchAll(CLAUSE)) {
    if (index + 1 <= longest && index > longest / 3) best = index + 1
  }
  return best
}
