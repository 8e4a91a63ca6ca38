import { describe, expect, test } from 'vitest'
import { sentenceSplitter } from '../../src/announcer/sentences.ts'

/** The sentences as a listener gets them when the text comes in these pieces. */
function spoken(locale: string, pieces: readonly string[]): string[] {
  const split = sentenceSplitter(locale)
  const all: string[] = []
  let rest = ''
  for (const piece of pieces) {
    rest += piece
    const { sentences, consumed } = split(rest, false)
    all.push(...sentences)
    rest = rest.slice(consumed)
  }
  return [...all, ...split(rest, true).sentences]
}

/** Every way to cut a text in two, and one character at a time. */
function cuttings(text: string): string[][] {
  const pairs = Array.from({ length: text.length - 1 }, (_, i) => [
    text.slice(0, i + 1),
    text.slice(i + 1),
  ])
  return [[text], text.split(''), ...pairs]
}

interface Case {
  readonly says: string
  readonly locale: string
  readonly text: string
  readonly sentences: readonly string[]
}

const cases: readonly Case[] = [
  {
    says: 'plain sentences',
    locale: 'en',
    text: 'The quick answer is yes. The long one is different! Shall we begin?',
    sentences: ['The quick answer is yes.', 'The long one is different!', 'Shall we begin?'],
  },
  {
    says: 'titles, initials and decimals',
    locale: 'en',
    text: 'Dr. Lee and Mrs. A. B. Jones measured 14.5 volts. J. R. R. Tolkien did not. It was 5 p.m. on Monday.',
    sentences: [
      'Dr. Lee and Mrs. A. B. Jones measured 14.5 volts.',
      'J. R. R. Tolkien did not.',
      'It was 5 p.m. on Monday.',
    ],
  },
  {
    says: 'an abbreviation before a number or a small letter',
    locale: 'en',
    text: 'See Fig. 3 and e.g. apples. The U.S. 50 states agreed. He said no. Then he left the room.',
    sentences: [
      'See Fig. 3 and e.g. apples.',
      'The U.S. 50 states agreed.',
      'He said no. Then he left the room.',
    ],
  },
  {
    says: 'addresses, versions and file names',
    locale: 'en',
    text: 'Open https://example.com/a?b=c.d&e=f now. Install version 1.2.3 of node.js first. Then run index.test.ts again.',
    sentences: [
      'Open https://example.com/a?b=c.d&e=f now.',
      'Install version 1.2.3 of node.js first.',
      'Then run index.test.ts again.',
    ],
  },
  {
    says: 'quotes and brackets',
    locale: 'en',
    text: 'She said "Stop right there!" and left. (See the note above.) “It is done.” Nobody answered her.',
    sentences: [
      'She said "Stop right there!" and left.',
      '(See the note above.)',
      '“It is done.”',
      'Nobody answered her.',
    ],
  },
  {
    says: 'an ordered list written as text',
    locale: 'en',
    text: '1. Install the package now. 2. Run the server in a shell. 3. Open the page.',
    sentences: [
      '1. Install the package now.',
      '2. Run the server in a shell.',
      '3. Open the page.',
    ],
  },
  {
    says: 'short sentences, which go with the next',
    locale: 'en',
    text: 'Yes. No. Why not? Because it would take far too long. OK.',
    sentences: ['Yes. No. Why not?', 'Because it would take far too long.', 'OK.'],
  },
  {
    says: 'ellipses and emoji',
    locale: 'en',
    text: 'Well… that is odd. It works now! 🎉 Great news for all of us. Bye for now! 👋🏽',
    sentences: [
      'Well… that is odd.',
      'It works now!',
      '🎉 Great news for all of us.',
      'Bye for now! 👋🏽',
    ],
  },
  {
    says: 'hard line breaks',
    locale: 'en',
    text: 'Roses are red for me\nviolets are very blue\nand so on.',
    sentences: ['Roses are red for me', 'violets are very blue', 'and so on.'],
  },
  {
    says: 'German ordinals, abbreviations and quotes',
    locale: 'de-CH',
    text: 'Am 3. Mai kam z. B. Dr. Meier ins 19. Jahrhundert. „Gut gemacht.“ Dann ging er bzw. Sie mit. Das kostet ca. 5 Mio. Franken.',
    sentences: [
      'Am 3. Mai kam z. B. Dr. Meier ins 19. Jahrhundert.',
      '„Gut gemacht.“',
      'Dann ging er bzw. Sie mit.',
      'Das kostet ca. 5 Mio. Franken.',
    ],
  },
  {
    says: 'French quotes',
    locale: 'fr',
    text: 'Elle a dit : « Je suis prête. » Puis M. Dupont est parti. Il pleut encore.',
    sentences: ['Elle a dit : « Je suis prête. »', 'Puis M. Dupont est parti.', 'Il pleut encore.'],
  },
  {
    says: 'Japanese brackets and quoted speech',
    locale: 'ja',
    text: '彼は「明日また行く。」と言った。準備はこれで終わりです。「次の仕事を始めます。」そして会議が始まりました。',
    sentences: [
      '彼は「明日また行く。」と言った。',
      '準備はこれで終わりです。',
      '「次の仕事を始めます。」',
      'そして会議が始まりました。',
    ],
  },
  {
    says: 'Chinese, with quotes side by side',
    locale: 'zh',
    text: '流式传输把等待变成逐步呈现。他说：“这个办法非常好。”“我们现在就马上开始吧！”然后大家都离开了会议室。',
    sentences: [
      '流式传输把等待变成逐步呈现。',
      '他说：“这个办法非常好。”',
      '“我们现在就马上开始吧！”',
      '然后大家都离开了会议室。',
    ],
  },
  {
    says: 'Arabic question marks and commas',
    locale: 'ar',
    text: 'هل تريد أن نبدأ الآن؟ نعم، أريد ذلك بالتأكيد. شكرًا جزيلًا لك!',
    sentences: ['هل تريد أن نبدأ الآن؟', 'نعم، أريد ذلك بالتأكيد.', 'شكرًا جزيلًا لك!'],
  },
  {
    says: 'Hindi dandas',
    locale: 'hi',
    text: 'यह पहला वाक्य है। यह दूसरा वाक्य है। क्या यह आखिरी है?',
    sentences: ['यह पहला वाक्य है।', 'यह दूसरा वाक्य है।', 'क्या यह आखिरी है?'],
  },
  {
    says: 'a long sentence, at its clauses',
    locale: 'en',
    text: 'When the first of the results came in they were far from what anybody in the room had hoped for, and so the team, which had not slept in two days, decided to measure everything again, this time with the other device.',
    sentences: [
      'When the first of the results came in they were far from what anybody in the room had hoped for, and so the team, which had not slept in two days,',
      'decided to measure everything again, this time with the other device.',
    ],
  },
  {
    says: 'a long sentence without a clause, at a word',
    locale: 'en',
    text: `${'every word of this counts and '.repeat(7)}then it ends.`,
    sentences: [
      'every word of this counts and '.repeat(6).trim(),
      'every word of this counts and then it ends.',
    ],
  },
  {
    says: 'a long Japanese sentence, at a comma',
    locale: 'ja',
    text: '会議の資料は昨日の夜に全員へ送られましたが、その中の数字にはいくつかの誤りがあったため、今朝になって担当者がもう一度すべてを確かめ、正しいものを改めて送り直すことになりました、と聞いています。',
    sentences: [
      '会議の資料は昨日の夜に全員へ送られましたが、その中の数字にはいくつかの誤りがあったため、今朝になって担当者がもう一度すべてを確かめ、正しいものを改めて送り直すことになりました、',
      'と聞いています。',
    ],
  },
  {
    says: 'Thai, which has no full stops, at a space',
    locale: 'th',
    text: 'วันนี้อากาศดีมาก เราจึงตัดสินใจออกไปเดินเล่นในสวนสาธารณะใกล้บ้าน หลังจากนั้นเราก็แวะกินก๋วยเตี๋ยวที่ร้านเดิม แล้วกลับบ้านก่อนฝนตกหนัก',
    sentences: [
      'วันนี้อากาศดีมาก เราจึงตัดสินใจออกไปเดินเล่นในสวนสาธารณะใกล้บ้าน',
      'หลังจากนั้นเราก็แวะกินก๋วยเตี๋ยวที่ร้านเดิม แล้วกลับบ้านก่อนฝนตกหนัก',
    ],
  },
]

describe('settled sentences, the same for every cutting', () => {
  test.each(cases)('$locale: $says', ({ locale, text, sentences }) => {
    expect(spoken(locale, [text])).toEqual(sentences)
    for (const pieces of cuttings(text)) expect(spoken(locale, pieces)).toEqual(sentences)
  })
})
