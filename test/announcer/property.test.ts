import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sample } from '../support/sample.ts'
import { answerReader } from '../../src/announcer/answer.ts'
import { englishPhrases } from '../../src/announcer/phrases.ts'
import { sentenceSplitter } from '../../src/announcer/sentences.ts'
import { answer } from './stage.ts'

const bare = (text: string): string => text.replaceAll(/\s+/g, '')

const fragment = fc.constantFrom(
  'The end',
  'Dr',
  'U.S',
  'z. B',
  'no',
  'Fig',
  '3',
  '14.5',
  'a/b?c=d',
  'well…',
  '“Hi',
  'him”',
  '(see',
  'it)',
  '今日は',
  '「はい',
  '」と',
  '好',
  '“',
  '”',
  'สวัสดีครับ',
  'مرحبا',
  '🎉',
  '👨‍👩‍👧',
  'é',
  '𝒜𝒷',
  '. ',
  '.',
  '! ',
  '?',
  '。',
  '？',
  '；',
  ', ',
  '，',
  '؟ ',
  ' ',
  ' ',
  ' ',
  '\n',
  '… ',
  ': ',
)
const prose = fc.array(fragment, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(''))
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })

/** The text in pieces that end at these parts of it. */
function cut(text: string, at: readonly number[]): string[] {
  const places = [...at.map((part) => Math.floor(part * text.length)), text.length].toSorted(
    (a, b) => a - b,
  )
  return places.map((place, i) => text.slice(places[i - 1] ?? 0, place))
}

describe.each(['en', 'de', 'ja', 'th', 'ar'])('sentences in %s', (locale) => {
  const split = sentenceSplitter(locale)

  test('are the same for every cutting, lose nothing and end in no half character', () => {
    fc.assert(
      fc.property(prose, cuts, (text, at) => {
        const spoken: string[] = []
        let rest = ''
        for (const piece of cut(text, at)) {
          rest += piece
          const { sentences, consumed } = split(rest, false)
          spoken.push(...sentences)
          rest = rest.slice(consumed)
        }
        spoken.push(...split(rest, true).sentences)
        expect(spoken).toEqual(split(text, true).sentences)
        expect(bare(spoken.join(''))).toBe(bare(text))
        for (const sentence of spoken) {
          expect(sentence.isWellFormed()).toBe(true)
          expect(sentence.length).toBeLessThanOrEqual(200)
        }
      }),
      { ...sample, numRuns: 400 },
    )
  })
})

test('without Intl.Segmenter: lines and full stops, the same for every cutting', () => {
  const split = sentenceSplitter('en', undefined)
  const text =
    'It measured 14.5 volts. Was it enough? Nobody could say!\nA new line of it. 今日はとても良い天気です。明日も良い天気でしょう。Then it ends'
  const expected = [
    'It measured 14.5 volts.',
    'Was it enough?',
    'Nobody could say!',
    'A new line of it.',
    '今日はとても良い天気です。',
    '明日も良い天気でしょう。',
    'Then it ends',
  ]
  for (let at = 0; at <= text.length; at += 1) {
    const { sentences, consumed } = split(text.slice(0, at), false)
    expect([...sentences, ...split(text.slice(consumed), true).sentences]).toEqual(expected)
  }
})

describe('an answer in Markdown', () => {
  const line = fc.constantFrom(
    'The first of them. ',
    'A second one. ',
    '**bold. Very** ',
    '`code. More` ',
    '[a link. It](http://a.b/c.d) ',
    '**open. And ',
    '`tick. And ',
    '[half. And ',
    'http://a.b/c?d=e. ',
    '![alt text](http://a.b) ',
    '<b>tag</b>. ',
    '*',
    '\n',
    '\n\n',
    '\n- ',
    '\n1. ',
    '\n> ',
    '\n## ',
    '\n  - ',
    '\n```js\nx\n```\n',
    '\n\n---\n\n',
    '&amp; ',
    '\\* ',
  )
  const document = fc.array(line, { minLength: 1, maxLength: 25 }).map((lines) => lines.join(''))
  const reader = () =>
    answerReader({ locale: 'en', phrases: englishPhrases, namesLinks: false, syntaxes: [] })

  test('is said the same way for every cutting', () => {
    fc.assert(
      fc.property(document, cuts, (text, at) => {
        const whole = reader().units(answer(text), true)
        const growing = reader()
        const spoken = []
        let soFar = ''
        for (const piece of cut(text, at)) {
          soFar += piece
          spoken.push(...growing.units(answer(soFar), false))
        }
        spoken.push(...growing.units(answer(text), true))
        expect(spoken.map((unit) => unit.text)).toEqual(whole.map((unit) => unit.text))
      }),
      { ...sample, numRuns: 300 },
    )
  }, 120_000)
})
