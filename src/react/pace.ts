'use client'
/** After this time most of what waits has been shown, in milliseconds. */
const CATCH_UP_MS = 250
/** Slower is no longer even, in UTF-16 units a second. */
const SLOWEST = 40

/**
 * How much of a growing text is to be shown: the more waits, the faster it comes, so that it never falls far behind.
 *
 * @param shown UTF-16 units that are shown
 * @param length UTF-16 units that there are
 * @param elapsedMs since the last step
 * @returns units to show, more than before while some wait
 */
export function paced(shown: number, length: number, elapsedMs: number): number {
  const waiting = length - shown
  if (waiting <= 0) return length
  const share = waiting * (1 - Math.exp(-elapsedMs / CATCH_UP_MS))
  return Math.min(length, shown + Math.ceil(Math.max(share, (SLOWEST * elapsedMs) / 1000)))
}

let graphemes: Intl.Segmenter | undefined

/** The end of the character that `place` is in, as a reader sees characters; never beyond the text. */
export function characterEnd(text: string, place: number): number {
  if (place >= text.length) return text.length
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  // A character begins at the latest after a line end or a space; few are longer than this.
  const from = Math.max(0, text.lastIndexOf(' ', place - 1) + 1, place - 64)
  const window = text.slice(from, place + 64)
  const character = graphemes.segment(window).containing(place - from)
  if (character === undefined || character.index + from === place) return place
  return from + character.index + character.segment.length
}
