import { describe, expect, test } from 'vitest'
import { createMarkdownStream } from 'sluice/markdown'
import { printBlocks, type Markup } from '../../src/markdown/html.ts'
import { shared } from '../support/shared.ts'
import { commonmark, gfm, type Sample } from './corpora.ts'

// What the policy changes, undone: conformance is that of the reading, not of what a careful page shows of it.
const asWritten: Markup = {
  link: (href) => [['href', href]],
  image: (src) => src,
  html: (source) => source,
  languageClass: (language) => `language-${language}`,
}

const bareAddresses = 'GFM makes a bare address a link; this example shows that CommonMark does not'

/** Every example that is read otherwise, and why that is meant. */
const deviations: Readonly<Record<string, string>> = {
  'CommonMark 602': bareAddresses,
  'CommonMark 606': bareAddresses,
  'CommonMark 608': bareAddresses,
  'CommonMark 611': bareAddresses,
  'CommonMark 612': bareAddresses,
  'GFM 610': bareAddresses,
  'GFM 614': bareAddresses,
  'GFM 616': bareAddresses,
  'GFM 619': bareAddresses,
  'GFM 620': bareAddresses,
  'GFM 628': 'ftp: is no scheme that we link',
  'GFM 645': 'CommonMark 0.31 allows two hyphens in a comment, GFM is based on 0.29',
  'GFM 646': 'CommonMark 0.31 ends a comment at <!--> and allows a hyphen at its end',
  'GFM 653': 'which tags are forbidden is decided by the policy, and under it all are text',
}

/** Attributes in one order, tags closed one way, no line feeds: what HTML means the same. */
const comparable = (html: string): string =>
  html
    .replaceAll(
      /<input ([^>]*?) ?\/?>/g,
      (_, attributes: string) => `<input ${attributes.split(' ').toSorted().join(' ')}>`,
    )
    .replaceAll(/ +\/>/g, ' />')
    .replaceAll('\n', '')

const differing = (samples: readonly Sample[]): readonly string[] =>
  samples
    .filter(({ text, html = '' }) => {
      const stream = createMarkdownStream()
      stream.push(text)
      stream.end()
      return comparable(printBlocks(stream.blocks, asWritten)) !== comparable(html)
    })
    .map(({ name }) => name)

const meant = (prefix: string): readonly string[] =>
  Object.keys(deviations).filter((name) => name.startsWith(prefix))

describe('the specifications, each example', () => {
  test('CommonMark', () => {
    expect(differing(commonmark)).toEqual(meant('CommonMark'))
  })

  test.skipIf(shared === undefined)('GFM (needs ../shared)', () => {
    expect(differing(gfm)).toEqual(meant('GFM'))
  })
})
