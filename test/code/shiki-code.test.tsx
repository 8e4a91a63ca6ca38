// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Markdown } from 'sluice'
import { shikiCode } from 'sluice/code'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createColoured, type Coloured } from '../../src/code/coloured.ts'
import { loadTokenizer, type Token } from '../../src/code/tokenizer.ts'
import type { Grouped } from '../../src/markdown/block.ts'
import { grouped } from '../../src/markdown/grouped.ts'

vi.setConfig({ testTimeout: 60_000 })
afterEach(cleanup)

const extensions = [shikiCode()]
const code = 'const a = `one\ntwo` // end\nfunction sum(a: number): string {\n  return "x" + a\n}'
const text = `\`\`\`ts\n${code}\n\`\`\`\n\nend`

const strict = (shown: string, streaming: boolean): ReactElement => (
  <StrictMode>
    <Markdown text={shown} streaming={streaming} extensions={extensions} />
  </StrictMode>
)

const never = (): boolean => false

/** Colours all there is; a grammar that is new takes several turns. */
function colour(coloured: Coloured, groups: Grouped<string>, isOpen = false): void {
  let isDone = false
  while (!isDone) isDone = coloured.advance(groups, isOpen, never)
}

describe('colours', () => {
  test('of lines one by one are those of the whole, each line tokenised once', async () => {
    const start = await loadTokenizer('typescript')
    const lines = Array.from({ length: 20 }, () => code.split('\n')).flat()
    const whole = createColoured(start)
    colour(whole, grouped(32, lines))
    const seen: string[] = []
    const growing = createColoured(() => {
      const tokenizer = start()
      return {
        next: (line, isLate) => {
          const tokens = tokenizer.next(line, isLate)
          if (tokens !== undefined) seen.push(line)
          return tokens
        },
      }
    })
    for (let end = 1; end <= lines.length; end++) {
      colour(growing, grouped(32, lines.slice(0, end)), true)
    }
    colour(growing, grouped(32, lines))
    expect(growing.groups).toEqual(whole.groups)
    expect(seen).toEqual(lines)
  })

  test('stop when they are late and go on where they stopped', async () => {
    const start = await loadTokenizer('typescript')
    const groups = grouped(32, Array.from({ length: 100 }, () => code.split('\n')).flat())
    const coloured = createColoured(start)
    let turns = 0
    let asked = 0
    while (!coloured.advance(groups, false, () => ++asked % 10 === 0)) turns++
    expect(turns).toBeGreaterThan(40)
    expect(coloured.groups.flat().map((line) => line.text)).toEqual(groups.flat())
  })

  test('begin anew where a line was replaced', async () => {
    const start = await loadTokenizer('typescript')
    const coloured = createColoured(start)
    colour(coloured, [['/* open', 'const a = 1']])
    colour(coloured, [['// closed', 'const a = 1']])
    const whole = createColoured(start)
    colour(whole, [['// closed', 'const a = 1']])
    expect(coloured.groups).toEqual(whole.groups)
  })

  test('leave the text of every prefix as it is and replace no colour', async () => {
    colour(createColoured(await loadTokenizer('typescript')), [code.split('\n')])
    const { container, rerender } = render(strict('', true))
    const plain = render(<Markdown text="" streaming />)
    const tokens = new Set<Element>()
    for (let end = 1; end <= text.length; end++) {
      // The tokenizer comes by a promise that has settled.
      await act(async () => rerender(strict(text.slice(0, end), true)))
      plain.rerender(<Markdown text={text.slice(0, end)} streaming />)
      const shown = container.querySelector('code')
      expect(shown?.textContent).toBe(plain.container.querySelector('code')?.textContent)
      for (const token of shown?.querySelectorAll('[class^=sluice-code]') ?? []) tokens.add(token)
    }
    await act(async () => rerender(strict(text, false)))
    expect([...tokens].filter((token) => !token.isConnected)).toEqual([])
    const once = render(strict(text, false)).container.querySelector('code')
    await waitFor(() => expect(once?.innerHTML).toBe(container.querySelector('code')?.innerHTML))
    expect(tokens.size).toBe(container.querySelectorAll('[class^=sluice-code]').length)
    expect(screen.getAllByText('function')[0]?.className).toBe('sluice-code-keyword')
    expect(screen.getAllByText('"x"')[0]?.className).toBe('sluice-code-string')
  })

  test('of C++ are those of C and its own', async () => {
    const coloured = createColoured(await loadTokenizer('cpp'))
    colour(coloured, [
      [
        'template <typename T>',
        'class Gate : public Base {',
        '  int n = std::max(1, nullptr); // a',
        '};',
      ],
    ])
    const tokens = coloured.groups.flat().flatMap((line) => line.tokens)
    const classOf = (part: string): string | undefined =>
      tokens.find((token) => token.text.includes(part))?.className?.replace('sluice-code-', '')
    expect(['template', 'typename', 'class', 'public', 'int'].map(classOf)).toEqual(
      Array.from({ length: 5 }, () => 'keyword'),
    )
    expect(['Gate', 'max', 'nullptr'].map(classOf)).toEqual(['type', 'function', 'number'])
    expect(classOf('// a')).toBe('comment')
  })

  test('of a line that takes too long are left out, and the next line has its own', async () => {
    const start = await loadTokenizer('typescript')
    const tokenizer = start()
    const next = (line: string): readonly Token[] => tokenizer.next(line, never) ?? next(line)
    next('const a = 1')
    const clock = vi.spyOn(Date, 'now')
    let now = 0
    clock.mockImplementation(() => (now += 1000))
    expect(next('const b = /* 2')).toEqual([{ text: 'const b = /* 2' }])
    clock.mockRestore()
    expect(next('const c = 3')[0]).toEqual({ text: 'const', className: 'sluice-code-keyword' })
  })

  test("are there after hydration, whose first render is the server's", async () => {
    colour(createColoured(await loadTokenizer('typescript')), [code.split('\n')])
    const error = vi.spyOn(console, 'error')
    const container = document.createElement('div')
    document.body.append(container)
    container.innerHTML = renderToString(strict(text, false))
    expect(container.querySelector('[class^=sluice-code]')).toBeNull()
    const root = await act(async () => hydrateRoot(container, strict(text, false)))
    await waitFor(() =>
      expect(container.querySelector('.sluice-code-keyword')?.textContent).toBe('const'),
    )
    expect(error).not.toHaveBeenCalled()
    await act(async () => root.unmount())
    container.remove()
  })

  test('are absent for a language without a grammar', async () => {
    const { container } = render(strict('```constructor\nif (a)\n```\n\n```ts\nif (a)\n```', false))
    await waitFor(() => expect(screen.getByText('if').className).toBe('sluice-code-keyword'))
    expect(container.querySelector('code')?.querySelectorAll('[class^=sluice-code]')).toHaveLength(
      0,
    )
  })
})
