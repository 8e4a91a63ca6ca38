// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { Markdown } from 'sluice'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { renderToHtml } from 'sluice/markdown'
import { fieldReports } from '../markdown/corpora.ts'
import { inPieces, oneShot } from '../markdown/reading.ts'

// What went wrong elsewhere with Markdown, by the id of the report. A rule that names math or diagrams is shown with
// those extensions off: the source stays as it is.

vi.setConfig({ testTimeout: 120_000 })
afterEach(cleanup)

const byId = new Map(fieldReports.map((report) => [report.id, report]))
const textOf = (id: string): string => byId.get(id)?.input.text ?? ''

const draw = (text: string, streaming: boolean): ReactElement => (
  <StrictMode>
    <Markdown text={text} streaming={streaming} />
  </StrictMode>
)

/** The container after each prefix, then at the end. */
function* prefixes(text: string): Generator<HTMLElement, void> {
  const { container, rerender, unmount } = render(draw('', true))
  for (let end = 1; end <= text.length; end++) {
    rerender(draw(text.slice(0, end), true))
    yield container
  }
  rerender(draw(text, false))
  yield container
  unmount()
}

const last = (text: string): HTMLElement => render(draw(text, false)).container
const body = (root: HTMLElement): HTMLElement =>
  root.querySelector<HTMLElement>('.sluice-md') ?? root
const hrefs = (root: HTMLElement): readonly string[] =>
  [...root.querySelectorAll('a')].map((anchor) => anchor.getAttribute('href') ?? '')

describe('every report', () => {
  test.each(fieldReports.filter(({ input }) => input.generator !== true))(
    '$id: streamed, it ends as it does at once',
    ({ input }) => {
      expect(inPieces(input.text, ({ blocks }) => void blocks)).toEqual(oneShot(input.text))
    },
  )

  test.each(fieldReports.filter(({ input }) => input.generator !== true))(
    '$id: nothing is requested, no scheme but three is linked, on any prefix',
    ({ input }) => {
      for (const root of prefixes(input.text)) {
        expect(
          root.querySelector('img, video, audio, iframe, form, style, script, [style]'),
        ).toBeNull()
        for (const href of hrefs(root)) expect(href).toMatch(/^(?:https?:\/\/|mailto:|#)/)
      }
    },
  )
})

describe('no prefix shows a mark, or a tag that it is not', () => {
  test.each([
    ['B99', 'Steps:\n- one\n- two'],
    ['B99', 'Total\n=== done?'],
    ['B99', 'Price\n-50% off'],
    ['B99', '1. one\n2. two\n   - sub'],
  ])('%s: %j makes no heading', (_, text) => {
    for (const root of prefixes(text)) expect(root.querySelector('h1, h2')).toBeNull()
  })

  test('B101', () => {
    for (const root of prefixes(textOf('B101'))) {
      expect(body(root).textContent).not.toMatch(/[*~]/)
      expect(root.querySelector('em')).toBeNull()
    }
  })

  test.each(['B104', 'B124'])('%s', (id) => {
    const seen = new Set<string>()
    for (const root of prefixes(textOf(id))) {
      expect(body(root).textContent).not.toMatch(/\[|\]\(|https:\/\//)
      for (const href of hrefs(root)) seen.add(href)
    }
    expect([...seen]).toEqual(byId.get(id)?.check['distinctHrefs'])
  })

  test('B108', () => {
    for (const root of prefixes(textOf('B108'))) {
      expect(body(root).textContent).not.toMatch(/\||---/)
      expect(root.querySelectorAll('table').length).toBeLessThan(2)
      expect([0, 1, 2]).toContain(root.querySelectorAll('th').length)
    }
    expect(last(textOf('B108')).querySelectorAll('tbody tr')).toHaveLength(2)
  })
})

test('B106: a fence of four, or of tildes, holds one of three', () => {
  for (const outer of ['````', '~~~']) {
    const root = last(`${outer}markdown\n# T\n\`\`\`js\nx()\n\`\`\`\nend\n${outer}\n`)
    expect(root.querySelectorAll('pre')).toHaveLength(1)
    expect(root.querySelector('code')?.textContent).toBe('# T\n```js\nx()\n```\nend\n')
  }
})

test('B110: a definition that comes late makes the link at the end, and is not shown', () => {
  const root = last(textOf('B110'))
  expect(hrefs(root)).toEqual(['https://good.invalid/d'])
  expect(body(root).textContent).toBe('See docs.More text.')
})

test('B111: a mark leads to its note, which stands there once', () => {
  const root = last(textOf('B111'))
  const [mark] = root.querySelectorAll('sup a')
  const note = root.querySelector(`[id="${mark?.getAttribute('href')?.slice(1)}"]`)
  expect(note?.textContent).toContain('At sea level.')
  expect(body(root).textContent?.match(/At sea level/g)).toHaveLength(1)
})

test('B113: without math, formulas are literal', () => {
  for (const root of prefixes(textOf('B113'))) expect(root.querySelector('em')).toBeNull()
})

test('B114: emphasis beside full-width punctuation', () => {
  const strong = [...last(textOf('B114')).querySelectorAll('strong')].map(
    ({ textContent }) => textContent,
  )
  expect(strong).toEqual(byId.get('B114')?.check['strong'])
})

test.each(['B103', 'B116', 'B117', 'B134'])(
  '%s: the visible text is the one that was meant',
  (id) => {
    const root = last(textOf(id))
    expect(body(root).textContent).toBe(byId.get(id)?.check['visible'])
    expect(root.querySelector('em, s, del')).toBeNull()
  },
)

test('B119: an open diagram is its source, and nothing is put beside the page', () => {
  const counts = new Set<number>()
  for (const root of prefixes(textOf('B119'))) {
    expect(root.querySelector('svg:not(.sluice-icon)')).toBeNull()
    counts.add(document.body.children.length)
  }
  expect(counts.size).toBe(1)
})

test('B122: words that were shown are the same nodes', () => {
  const nodes = new Set<Element>()
  for (const root of prefixes(textOf('B122'))) {
    const paragraph = root.querySelector('p')
    if (paragraph !== null) nodes.add(paragraph)
  }
  expect(nodes.size).toBe(1)
})

test('B126: emoji of several code points are whole at the end', () => {
  expect(body(last(textOf('B126'))).textContent).toBe(byId.get('B126')?.check['visible'])
})

test('B127: an image shows its alternative text and a way to load it', () => {
  const root = last(textOf('B127'))
  expect(root.textContent).toContain('x')
  expect(root.querySelector('button')?.textContent).toBe('Load image')
})

test('B132: with HTML off, all of it is visible', () => {
  expect(body(last(textOf('B132'))).textContent).toBe(textOf('B132'))
})

test('B178: code does not decide the direction of its paragraph', () => {
  const root = last(textOf('B178'))
  expect(root.querySelector('p')?.getAttribute('dir')).toBe('auto')
  // `dir=auto` passes over elements with a direction of their own.
  expect(root.querySelector('code')?.getAttribute('dir')).toBe('ltr')
})

test('HTML as a string has the same links and no more', () => {
  for (const { input } of fieldReports.filter(({ input: { generator } }) => generator !== true)) {
    const page = document.createElement('div')
    page.innerHTML = renderToHtml(input.text)
    const own = hrefs(last(input.text)).filter((href) => !href.startsWith('#'))
    expect(hrefs(page).filter((href) => !href.startsWith('#'))).toEqual(own)
    expect(page.querySelector('img')).toBeNull()
  }
})
