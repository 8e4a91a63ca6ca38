// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Markdown } from 'sluice'
import { katexMath } from 'sluice/math'
import { afterEach, expect, test, vi } from 'vitest'
import { toMarkdown } from '../../src/components/copy/what-is-seen.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const extensions = [katexMath()]
const strict = (text: string, streaming = false): ReactElement => (
  <StrictMode>
    <Markdown text={text} streaming={streaming} extensions={extensions} />
  </StrictMode>
)

test('the first render is the same on the server and here, without a warning', async () => {
  const error = vi.spyOn(console, 'error')
  const page = strict('Take $x^2$.\n\n$$\ny\n$$')
  const html = renderToString(page)
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = html
  expect(container.textContent).toBe('Take x^2.y')
  const root = await act(async () => hydrateRoot(container, page))
  await waitFor(() => expect(container.querySelectorAll('math')).toHaveLength(2))
  expect(error).not.toHaveBeenCalled()
  await act(async () => root.unmount())
  container.remove()
})

test('a formula is drawn once for the eye and once as MathML', async () => {
  const { container } = render(strict('Take $x^2$.'))
  await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
  expect(container.querySelector('math')?.textContent).toContain('x')
  expect(container.querySelector('.katex-html')?.getAttribute('aria-hidden')).toBe('true')
  expect(container.querySelector('.sluice-math-source')).toBeNull()
  expect(toMarkdown(container)).toBe('Take $x^2$.')
})

test('what KaTeX can not read, or may not do, is shown as written', async () => {
  const { container } = render(
    strict('Good $x$, bad $\\frac{1}$ and $\\href{https://example.com}{y}$.'),
  )
  await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
  expect(screen.getByText('\\frac{1}')).toBeTruthy()
  expect(container.querySelector('a, img, .katex-error')).toBeNull()
})

test('a formula that grows shows all that has come, and a settled one keeps its elements', async () => {
  const text = 'One $x^2$ two.\n\n$$\ny = 1\n$$\n\nthree $z_1 + z_2$.'
  const { container, rerender } = render(strict('', true))
  let first: Element | null = null
  for (let end = 1; end <= text.length; end++) {
    await act(async () => rerender(strict(text.slice(0, end), true)))
    if (end === 12) await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
    if (end === 16) first = container.querySelector('.katex')
  }
  await act(async () => rerender(strict(text)))
  expect(container.querySelectorAll('.katex')).toHaveLength(3)
  expect(container.querySelector('.katex')).toBe(first)
  const once = render(strict(text)).container
  const html = (root: Element): string => root.innerHTML.replaceAll(/_r_\w+_/g, '')
  await waitFor(() => expect(html(container)).toBe(html(once)))
})
