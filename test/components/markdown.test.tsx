// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { StrictMode, type ComponentPropsWithRef, type ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Markdown } from 'sluice'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ownDocuments } from '../markdown/corpora.ts'

vi.setConfig({ testTimeout: 120_000 })
afterEach(cleanup)

type Props = ComponentPropsWithRef<typeof Markdown>

const strict = (props: Props): ReactElement => (
  <StrictMode>
    <Markdown {...props} />
  </StrictMode>
)

/** Draws each prefix in turn, then the end; `look` sees the container after each. */
function stream(
  text: string,
  look: (container: HTMLElement) => void,
  props: Partial<Props> = {},
): HTMLElement {
  const { container, rerender } = render(strict({ ...props, text: '', streaming: true }))
  for (let end = 1; end <= text.length; end++) {
    rerender(strict({ ...props, text: text.slice(0, end), streaming: true }))
    look(container)
  }
  rerender(strict({ ...props, text }))
  look(container)
  return container
}

const answer = ownDocuments.find(({ name }) => name === 'answer.md')?.text ?? ''

describe('settled elements', () => {
  test('are never replaced while an answer streams', () => {
    const before = new Map<Element, string>()
    const removed: string[] = []
    const container = stream(answer.slice(0, 1400), (root) => {
      const md = root.querySelector('.sluice-md')
      const blocks = [...(md?.children ?? [])]
      for (const element of before.keys())
        if (!element.isConnected) removed.push(before.get(element) ?? '')
      // All but the last are settled.
      for (const block of blocks.slice(0, -1)) before.set(block, block.tagName)
    })
    expect(removed).toEqual([])
    expect(container.querySelectorAll('li').length).toBeGreaterThan(5)
  })

  test('keep their DOM state: a code block made in its first line is the one at the end (B121)', () => {
    const seen = new Set<Element>()
    stream('```js\nconst a=1\nconst b=2\n```\n\nend', (root) => {
      const pre = root.querySelector('pre')
      if (pre !== null) seen.add(pre)
    })
    expect(seen.size).toBe(1)
  })

  test('a list that becomes loose late keeps every element', () => {
    const items = new Set<Element>()
    const container = stream('- a\n- **b**\n\n- c\n', (root) => {
      const first = root.querySelector('li')
      const strong = root.querySelector('strong')
      if (first !== null) items.add(first)
      if (strong !== null) items.add(strong)
    })
    expect(items.size).toBe(2)
    expect(container.querySelector('ul')?.className).toBe('sluice-md-loose')
  })

  test('the same text again, and a text that does not continue the last one', () => {
    const { container, rerender } = render(strict({ text: '# a', streaming: true }))
    rerender(strict({ text: '# a', streaming: true }))
    rerender(strict({ text: '- b', streaming: true }))
    expect(container.querySelector('.sluice-md')?.innerHTML).toContain('<li>')
    expect(container.querySelector('h1')).toBeNull()
  })
})

describe('server and client', () => {
  test.each(ownDocuments)('$name: the first render is the same, without a warning', ({ text }) => {
    const error = vi.spyOn(console, 'error')
    const onRecoverableError = vi.fn<(error: unknown) => void>()
    const tree = strict({ text, headingOffset: 2 })
    const html = renderToString(tree)
    const host = document.createElement('div')
    document.body.append(host)
    host.innerHTML = html
    const before = host.innerHTML
    expect(host.querySelector('[style]')).toBeNull()
    let unmount = (): void => {}
    act(() => {
      const root = hydrateRoot(host, tree, { onRecoverableError })
      unmount = () => root.unmount()
    })
    expect(host.innerHTML).toBe(before)
    expect(error).not.toHaveBeenCalled()
    expect(onRecoverableError).not.toHaveBeenCalled()
    act(() => unmount())
    host.remove()
    error.mockRestore()
  })
})

describe('links', () => {
  test('open elsewhere and tell nothing', () => {
    render(strict({ text: '[x](https://a.example/)' }))
    const link = screen.getByRole('link', { name: 'x' })
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('referrerpolicy')).toBe('no-referrer')
  })

  test('one that names another host asks first, and Escape closes the question', () => {
    render(strict({ text: '[https://bank.example](https://ev.invalid/)' }))
    const link = screen.getByRole('link')
    expect(fireEvent.click(link)).toBe(false)
    const question = screen.getByRole('group')
    expect(question.textContent).toContain('ev.invalid')
    expect(within(question).getByRole('link').getAttribute('href')).toBe('https://ev.invalid/')
    fireEvent.keyDown(question, { key: 'Escape' })
    expect(screen.queryByRole('group')).toBeNull()
  })

  test('in one another, the outer one alone', () => {
    const { container } = render(strict({ text: '[a <https://b.example> c](https://a.example)' }))
    expect(container.querySelectorAll('a')).toHaveLength(1)
  })
})

describe('images', () => {
  test('wait for the reader', () => {
    const { container } = render(strict({ text: '![Sales](https://img.invalid/s.png)' }))
    expect(container.querySelector('img')).toBeNull()
    expect(container.textContent).toContain('img.invalid')
    fireEvent.click(screen.getByRole('button', { name: 'Load image' }))
    expect(screen.getByRole('img', { name: 'Sales' }).getAttribute('src')).toBe(
      'https://img.invalid/s.png',
    )
  })

  test('that are allowed show at once', () => {
    render(
      strict({
        text: '![Sales](https://img.invalid/s.png)',
        policy: { allowImages: ['https://img.invalid/'] },
      }),
    )
    expect(screen.getByRole('img').getAttribute('referrerpolicy')).toBe('no-referrer')
  })
})

describe('raw HTML', () => {
  const html =
    '<p onclick="x()">a <b style="color:red">b</b><img src="https://ev.invalid/1"></p>\n\nend'

  test('is text', () => {
    const { container } = render(strict({ text: html }))
    expect(container.querySelector('b')).toBeNull()
    expect(container.textContent).toContain('<p onclick="x()">')
  })

  test('where that is wished, is sanitised when no more comes', async () => {
    const policy = { html: 'sanitise' } as const
    const { container, rerender } = render(strict({ text: html, streaming: true, policy }))
    expect(container.querySelector('b')).toBeNull()
    rerender(strict({ text: html, policy }))
    await vi.waitFor(() => expect(container.querySelector('b')).not.toBeNull())
    expect(container.querySelector('img, [style], [onclick]')).toBeNull()
    expect(container.textContent).not.toContain('onclick')
  })
})

describe('extensions and components', () => {
  test('a syntax of one’s own is drawn by its renderer', () => {
    const extensions = [
      {
        name: 'mention',
        syntax: (
          md: Parameters<NonNullable<NonNullable<Props['extensions']>[number]['syntax']>>[0],
        ) => {
          md.inline.ruler.before('link', 'mention', (state, silent) => {
            const match = /^@\w+/.exec(state.src.slice(state.pos))
            if (match === null) return false
            if (!silent) state.push('mention', '', 0).content = match[0]
            state.pos += match[0].length
            return true
          })
        },
        renderers: {
          inlines: { mention: ({ node }: { node: { text: string } }) => <mark>{node.text}</mark> },
        },
      },
    ]
    const { container } = render(strict({ text: 'Hi @ada', extensions }))
    expect(container.querySelector('mark')?.textContent).toBe('@ada')
  })

  test('a component takes the place of an element', () => {
    const components = { strong: (props: object) => <em data-mine="" {...props} /> }
    const { container } = render(strict({ text: '**a**', components }))
    expect(container.querySelector('em[data-mine]')?.textContent).toBe('a')
  })

  test('headings stand below those of the page', () => {
    const { container } = render(strict({ text: '# a\n\n##### b', headingOffset: 2 }))
    expect([...container.querySelectorAll('h3, h6')].map(({ textContent }) => textContent)).toEqual(
      ['a', 'b'],
    )
  })
})

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'code in a language called %s is code',
  (language) => {
    const { container } = render(strict({ text: `\`\`\`${language}\na()\n\`\`\`` }))
    expect(container.querySelector('code')?.textContent).toBe('a()\n')
  },
)

test('code is copied as it is written, and says so', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve())
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator) as object, { clipboard: { writeText } }),
  )
  render(strict({ text: '```js\na()\n\nb()\n```' }))
  fireEvent.click(screen.getByRole('button', { name: 'Copy code' }))
  expect(writeText).toHaveBeenCalledWith('a()\n\nb()')
  await screen.findByRole('button', { name: 'Copied' })
  vi.unstubAllGlobals()
})

test('hidden characters are removed and counted once', () => {
  const { container } = render(strict({ text: 'pass\u200bword and `co\u200bde`' }))
  expect(container.querySelector('p')?.textContent).toBe('password and code')
  expect(container.textContent).toContain('2 hidden characters removed')
})
