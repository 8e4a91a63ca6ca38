const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Whether most letters are of a script that says much with few characters or writes no spaces (CJK, Thai …). */
export function isDense(text: string): boolean {
  const dense = text.match(WIDE)?.length ?? 0
  return dense * 2 > (text.match(/\p{L}/gu)?.length ?? 0)
}

/** Scripts that name a language well enough for a voice to be chosen. */
const LANGUAGE_OF_SCRIPT: readonly (readonly [language: string, script: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['en', /\p{Script=Latin}/gu],
]

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Languages whose script one of the above stands for, by the language it is named after. */
const SAME_SCRIPT: Readonly<Record<string, string>> = {
  fa: 'ar',
  ur: 'ar',
  ps: 'ar',
  yi: 'he',
  mr: 'hi',
  ne: 'hi',
  ja: 'zh',
  zh: 'zh',
  yue: 'zh',
  ko: 'ko',
  th: 'th',
  ar: 'ar',
  he: 'he',
  hi: 'hi',
  el: 'el',
}
const OTHER_SCRIPTS: ReadonlySet<string> = new Set(['ru', 'uk', 'bg', 'sr', 'be', 'mk', 'ka', 'hy'])

/**
 * The language to read a text in: the page's own where the text is in its script, else the one that the script stands
 * for (Latin: English). Languages of one script cannot be told apart by their letters, and are not guessed.
 *
 * @param locale - BCP 47 tag of the page
 */
export function languageOf(text: string, locale: string): string {
  const own = primaryLanguage(locale)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return locale
  const ownScript = SAME_SCRIPT[own] ?? (OTHER_SCRIPTS.has(own) ? undefined : 'en')
  if (KANA.test(text)) return own === 'ja' ? locale : 'ja'
  for (const [language, script] of LANGUAGE_OF_SCRIPT) {
    if ((text.match(script)?.length ?? 0) * 2 <= letters) continue
    return language === ownScript ? locale : language
  }
  return locale
}

/** `de-CH` → `de`. */
export function primaryLanguage(locale: string): string {
  return locale.split('-', 1)[0]?.toLowerCase() ?? ''
}
