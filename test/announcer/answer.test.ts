import { describe, expect, test } from 'vitest'
import { answerReader } from '../../src/announcer/answer.ts'
import { englishPhrases } from '../../src/announcer/phrases.ts'
import type { MessagePart } from '../../src/protocol/message.ts'
import { answer } from './stage.ts'

const read = (locale: string, namesLinks = false) =>
  answerReader({ locale, phrases: englishPhrases, namesLinks, syntaxes: [] })

/** What is said of a text that comes in these pieces. */
function spoken(pieces: readonly string[], locale = 'en'): string[] {
  const reader = read(locale)
  const all: string[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    all.push(...reader.units(answer(text), false).map((unit) => unit.text))
  }
  return [...all, ...reader.units(answer(text), true).map((unit) => unit.text)]
}

function cuttings(text: string): string[][] {
  const pairs = Array.from({ length: text.length - 1 }, (_, i) => [
    text.slice(0, i + 1),
    text.slice(i + 1),
  ])
  return [[text], text.split(''), ...pairs]
}

interface Case {
  readonly says: string
  readonly locale?: string
  readonly text: string
  readonly spoken: readonly string[]
}

const cases: readonly Case[] = [
  {
    says: 'paragraphs with emphasis and code',
    text: 'The **quick answer** is yes. Run `npm test` or *ask* somebody.\n\nThe second one\nhas two lines of its own.',
    spoken: [
      'The quick answer is yes.',
      'Run npm test or ask somebody.',
      'The second one has two lines of its own.',
    ],
  },
  {
    says: 'headings, above and underlined',
    text: '# How it works\n\nFirst we measure it.\n\nThe results\n-----------\n\nThey are good. We are glad.\n',
    spoken: [
      'Heading: How it works',
      'First we measure it.',
      'Heading: The results',
      'They are good.',
      'We are glad.',
    ],
  },
  {
    says: 'lists, one item a sentence, nested ones in order',
    text: 'Do this first:\n\n1. Install the package.\n2. Start the server\n   - on port 3000 or\n   - on a free one\n3. Open the page.\n\n- [x] It is all done.\n- [ ] Not this one yet.\n',
    spoken: [
      'Do this first:',
      'Install the package.',
      'Start the server',
      'on port 3000 or',
      'on a free one',
      'Open the page.',
      'It is all done.',
      'Not this one yet.',
    ],
  },
  {
    says: 'code by its size, and only when it is closed',
    text: 'Like this, for example:\n\n```python\na = 1\nb = 2\n\nprint(a + b)\n```\n\nThat prints three.\n\n    indented();\n\nAnd so on it goes.',
    spoken: [
      'Like this, for example:',
      'Code block, python, 4 lines.',
      'That prints three.',
      'Code block, 1 line.',
      'And so on it goes.',
    ],
  },
  {
    says: 'tables by their size',
    text: 'Here are the numbers.\n\n| Year | Count | Share |\n| ---- | ----: | :---: |\n| 2024 | 12 | 1 % |\n| 2025 | 14 | 2 % |\n\nThey grow slowly.',
    spoken: ['Here are the numbers.', 'Table, 3 columns, 2 rows.', 'They grow slowly.'],
  },
  {
    says: 'links by their text, addresses by their host, footnotes and citations not at all',
    text: 'Read [the guide](https://example.com/guide?a=b.c "Title") first. More is at https://www.example.org/a/b?c=d. It is known [1][2] and proven[^1]. See [the rest][r] as well.\n\n[r]: https://example.net/rest\n[^1]: By somebody else.\n',
    spoken: [
      'Read the guide first.',
      'More is at link to example.org.',
      'It is known and proven.',
      'See the rest as well.',
    ],
  },
  {
    says: 'images by their description',
    text: '![A chart of the year](https://example.com/c.png)\n\nAbove you see it.\n\n![](https://example.com/d.png)\n',
    spoken: ['Image: A chart of the year.', 'Above you see it.', 'Image blocked.'],
  },
  {
    says: 'quotes',
    text: 'He wrote this to us:\n\n> It was the best of times. It was the worst of times.\n>\n> - Not a list of mine.\n\nAnd then he stopped.',
    spoken: [
      'He wrote this to us:',
      'Quote: It was the best of times.',
      'It was the worst of times.',
      'Not a list of mine.',
      'And then he stopped.',
    ],
  },
  {
    says: 'marks that are never closed',
    text: 'This **is open. It stays so.\n\nA `tick and a [bracket are here. They stay too.\n\n2 * 3 is 6. That is 3 * 2.',
    spoken: [
      'This **is open.',
      'It stays so.',
      'A `tick and a [bracket are here.',
      'They stay too.',
      '2 * 3 is 6. That is 3 * 2.',
    ],
  },
  {
    says: 'rules, tags and a table that is none',
    text: 'One side of it here.\n\n---\n\nThe <b>other</b> side | or not. It is a line.\n\n<div>Raw and plain.</div>\n',
    spoken: ['One side of it here.', 'The other side | or not.', 'It is a line.', 'Raw and plain.'],
  },
  {
    says: 'a paragraph with hyphens below it, which nobody meant as a heading',
    text: 'The first part ends here. It was long.\n---\nThe second part begins.',
    spoken: ['The first part ends here.', 'It was long.', 'The second part begins.'],
  },
  {
    says: 'German',
    locale: 'de',
    text: '## Ablauf\n\nAm 3. Mai kam **Dr. Meier**. Er blieb bis zum 5. Juni bei uns.\n\n- Zuerst z. B. messen\n- danach rechnen',
    spoken: [
      'Heading: Ablauf',
      'Am 3. Mai kam Dr. Meier.',
      'Er blieb bis zum 5. Juni bei uns.',
      'Zuerst z. B. messen',
      'danach rechnen',
    ],
  },
  {
    says: 'Japanese, whose lines are joined without a space',
    locale: 'ja',
    text: '# 東京の天気\n\n今日は**とても**良い天気で、\n気温は二十度です。「傘は要りません。」と予報は伝えています。\n\n- 午前中は晴れるでしょう。\n- 午後は少し曇るでしょう。',
    spoken: [
      'Heading: 東京の天気',
      '今日はとても良い天気で、気温は二十度です。',
      '「傘は要りません。」と予報は伝えています。',
      '午前中は晴れるでしょう。',
      '午後は少し曇るでしょう。',
    ],
  },
]

describe('an answer, the same for every cutting', () => {
  test.each(cases)('$says', ({ text, locale, spoken: expected }) => {
    expect(spoken([text], locale)).toEqual(expected)
    for (const pieces of cuttings(text)) expect(spoken(pieces, locale)).toEqual(expected)
  })

  test('with Windows line ends', () => {
    const [, , list] = cases
    const text = list?.text.replaceAll('\n', '\r\n') ?? ''
    for (const pieces of cuttings(text)) expect(spoken(pieces)).toEqual(list?.spoken)
  })
})

describe('while it grows', () => {
  const until = (text: string): string[] =>
    read('en')
      .units(answer(text), false)
      .map((unit) => unit.text)

  test('a sentence is said as soon as the next has begun, in the middle of a line', () => {
    expect(until('The quick answer is yes. ')).toEqual([])
    expect(until('The quick answer is yes. T')).toEqual(['The quick answer is yes.'])
  })

  test('an item is said when the next has begun', () => {
    expect(until('- The first of them\n-')).toEqual([])
    expect(until('- The first of them\n- T')).toEqual(['The first of them'])
  })

  test('a code block is said when its fence has come, before the end', () => {
    expect(until('```js\n1\n2\n')).toEqual([])
    expect(until('```js\n1\n2\n```\n')).toEqual(['Code block, js, 2 lines.'])
  })

  test('what may become part of a link is not said', () => {
    expect(until('Look at [this one. It is')).toEqual([])
    expect(until('Look at [this one. It is](http://a.b). Then')).toEqual(['Look at this one.'])
  })
})

describe('the parts of a message', () => {
  const text = (words: string, state?: 'streaming' | 'done'): MessagePart => ({
    type: 'text',
    text: words,
    ...(state && { state }),
  })

  test('are read one after the other', () => {
    const reader = read('en')
    const units = (parts: readonly MessagePart[], ended = false) =>
      reader.units(answer(parts), ended).map((unit) => unit.text)
    expect(units([text('The first of them. It', 'streaming'), text('The other. Is')])).toEqual([
      'The first of them.',
    ])
    expect(units([text('The first of them. It ends.', 'done'), text('The other. Is')])).toEqual([
      'It ends.',
    ])
    expect(
      units([text('The first of them. It ends.', 'done'), text('The other. Is')], true),
    ).toEqual(['The other. Is'])
  })

  test('refusals are read, reasoning is not', () => {
    const parts: MessagePart[] = [
      { type: 'reasoning', text: 'Hm, that is dangerous.' },
      { type: 'data-refusal', data: { text: 'I cannot help with that.' } },
    ]
    const reader = read('en')
    expect(reader.news(answer(parts))).toEqual({ thinking: true, tools: [], approvals: [] })
    expect(reader.news(answer(parts)).thinking).toBe(false)
    expect(reader.units(answer(parts), true).map((unit) => unit.text)).toEqual([
      'I cannot help with that.',
    ])
  })

  test('a text that a review took back is read no further, and nothing is said twice', () => {
    const reader = read('en')
    reader.units(answer('The first of them. The second'), false)
    expect(reader.units(answer('The first'), false)).toEqual([])
    expect(reader.units(answer('The first'), true)).toEqual([])
  })
})

test('languages by their script', () => {
  const units = read('en').units(
    answer(
      'This is English text. 今日はとても良い天気です。 이것은 한국어 문장입니다. Voilà une phrase.',
    ),
    true,
  )
  expect(units.map(({ lang }) => lang)).toEqual(['en', 'ja', 'ko', 'en'])
})

test('links are called links where all is read', () => {
  const units = read('en', true).units(answer('See [the guide](https://a.b) first.'), true)
  expect(units.map((unit) => unit.text)).toEqual(['See the guide, link first.'])
})
