// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Markdown } from 'sluice'
import { afterEach, describe, expect, test } from 'vitest'
import { toCsv, toTsv } from '../../src/components/copy/cells.ts'
import { toHtml, toMarkdown } from '../../src/components/copy/what-is-seen.ts'

afterEach(cleanup)

/** What is drawn of a text, ids aside: each document has its own. */
function drawn(text: string): Element {
  const { container } = render(
    <StrictMode>
      <Markdown text={text} />
    </StrictMode>,
  )
  const root = container.querySelector('.sluice-md')
  if (root === null) throw new Error('Nothing was drawn.')
  return root
}

const looks = (root: Element): string =>
  root.innerHTML
    .replaceAll(/_r_\w+_/g, '')
    .replaceAll(/>\s+/g, '>')
    .replaceAll(/\s+/g, ' ')

const texts = {
  marks: 'One *two* **three** ~~four~~ `five` and **six *seven***\n\nnext',
  code: '```ts\nconst a = `1`\n\n  // two\n```\n\n````\n```\n````\n\n    indented',
  lists: '1. one\n2. two\n   - a\n   - b\n\n     more\n\n3) other\n\n- [x] done\n- [ ] open',
  loose: '- one\n\n- two\n\n  two more',
  quote: '> one\n> two\n>\n> > three\n\n---\n\n# Four\n\n###### six',
  table: '| a | b | c |\n| :-- | --: | :-: |\n| 1 | **2** | `x\\|y` |\n| 3 | | 4 |',
  links:
    '[one](https://example.com "t") <https://example.com/a?b=1&c=2> www.example.org me@example.com',
  notes: 'One[^1] two[^b].\n\n[^1]: First.\n[^b]: Second.',
  literal:
    '5\\*3\\*2 snake_case \\_no\\_ \\`no\\` \\[no\\](a) \\<b> &amp;amp; a \\\\* b\n\n\\# no\n\n1\\. no\n\n\\- no\n\nhard\\\nbreak',
  wide: '水門は**「水の門」**です。\n\nالبوابة **تفتح** ببطء.',
  image: 'See ![a lock](https://example.com/lock.png) there.',
}

describe('Markdown of what is seen', () => {
  test.each(Object.entries(texts))('%s: pasted, it looks the same', (name, text) => {
    const root = drawn(text)
    const copied = toMarkdown(root)
    if (name === 'image') expect(copied).toBe('See a lock there.')
    else expect(looks(drawn(copied)), copied).toBe(looks(root))
  })

  test('of a long answer gives itself again', () => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/markdown/answer.md'), 'utf8')
    // An image that was not loaded is its alternative text, and raw HTML the text that it is shown as.
    const copied = toMarkdown(drawn(text))
    expect(toMarkdown(drawn(copied))).toBe(copied)
    expect(copied).toContain('| Rotate \\| verify | 1 s | **$0.10** |')
  })

  test('has nothing of the controls, and nothing that was hidden', () => {
    const copied = toMarkdown(drawn('```ts\na\n```\n\nb\u200b\u{e0041}c\n\n| d |\n| - |\n| e |'))
    expect(copied).toBe(
      '```ts\na\n```\n\nbc\n\n| d |\n| --- |\n| e |\n\n2 hidden characters removed',
    )
  })

  test('of a part: items keep their numbers, words bring no mark of their block', () => {
    const root = drawn('1. one\n2. two\n3. **three** four')
    const items = root.querySelectorAll('li')
    const range = document.createRange()
    range.setStart(items[1]?.querySelector('p')?.firstChild as Text, 1)
    range.setEnd(items[2]?.querySelector('strong')?.firstChild as Text, 2)
    expect(toMarkdown(range.commonAncestorContainer, range)).toBe('2. wo\n3. **th**')
    expect(toHtml(range.commonAncestorContainer, range)).toBe(
      '<ol><li><p>wo</p></li><li><p><strong>th</strong></p></li></ol>',
    )
    range.setStart(items[2]?.querySelector('strong')?.firstChild as Text, 2)
    range.setEnd(items[2]?.querySelector('p')?.lastChild as Text, 3)
    expect(toMarkdown(range.commonAncestorContainer, range)).toBe('**ree** fo')
  })
})

describe('HTML of what is seen', () => {
  test('is made of plain elements', () => {
    const html = toHtml(drawn(Object.values(texts).join('\n\n')))
    expect(html).not.toMatch(/class=|style=|id=|<button|<svg|<span|<script|tabindex|aria-/)
    expect(html).toContain('<td>4</td>')
    expect(html).toContain('<a href="https://example.com">one</a>')
  })

  test('is text where the page shows text', () => {
    const html = toHtml(drawn('<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) `<b>"&`'))
    expect(html).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt;</p><p>a <code>&lt;b&gt;&quot;&amp;</code></p>',
    )
  })
})

describe('tables for spreadsheets', () => {
  const table = (text: string): HTMLTableElement =>
    drawn(text).querySelector('table') as HTMLTableElement

  test('are quoted where they must be', () => {
    expect(toCsv(table('| a | b |\n| - | - |\n| 1,5 | say "x" |\n| **c** | |'))).toBe(
      'a,b\r\n"1,5","say ""x"""\r\nc,\r\n',
    )
    expect(toTsv(table('| a | b |\n| - | - |\n| 1,5 | "x" |'))).toBe('a\tb\n1,5\t"x"')
  })

  test('run no formula', () => {
    const cells = '| -5 | +1.5 % | =1+1 | @sum | -cmd |'
    expect(toTsv(table(`${cells}\n| - | - | - | - | - |`))).toBe("-5\t+1.5 %\t'=1+1\t'@sum\t'-cmd")
  })
})
