// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Markdown } from 'sluice'
import { mermaidDiagrams } from 'sluice/diagrams'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { frameDocument, readReport } from '../../src/diagrams/frame.ts'

beforeEach(() => {
  // jsdom has no layout, so nothing is ever seen in it.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = (): void => undefined
      disconnect = (): void => undefined
    },
  )
  vi.stubGlobal('matchMedia', () => new EventTarget())
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const extensions = [mermaidDiagrams({ script: 'https://example.com/mermaid.js' })]

test('the first render is the same on the server and here: the source', async () => {
  const error = vi.spyOn(console, 'error')
  const page = (
    <StrictMode>
      <Markdown text={'```mermaid\nflowchart LR\n```'} extensions={extensions} />
    </StrictMode>
  )
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = renderToString(page)
  const root = await act(async () => hydrateRoot(container, page))
  expect(screen.getByRole('region', { name: 'Code, mermaid' }).textContent).toBe('flowchart LR\n')
  expect(error).not.toHaveBeenCalled()
  await act(async () => root.unmount())
  container.remove()
})

const look = {
  text: 'rgb(0, 0, 0)',
  surface: 'rgb(255, 255, 255)',
  line: 'rgb(0, 0, 0)',
  accent: 'rgb(0, 0, 0)',
  font: '"Noto Sans", serif',
  isDark: false,
}

test('a source can not leave its place in the document of the frame', () => {
  const source = '</script><script>alert(1)</script><!-- "\u2028 \\'
  const page = new DOMParser().parseFromString(
    frameDocument(source, look, 'https://example.com/m.js?a="><script>'),
    'text/html',
  )
  const scripts = [...page.querySelectorAll('script')]
  expect(scripts.map(({ type, src }) => [type, src])).toEqual([
    ['application/json', ''],
    ['', 'https://example.com/m.js?a=%22%3E%3Cscript%3E'],
    ['', ''],
  ])
  expect(JSON.parse(scripts[0]?.textContent ?? '')).toEqual({ source, look })
  const policy = page.querySelector('meta[http-equiv]')?.getAttribute('content')
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'nonce-[\da-f-]{36}'; style-src 'unsafe-inline'$/,
  )
})

test('a report is taken as data that may be anything', () => {
  expect(readReport({ sluiceDiagram: 120.2 })).toEqual({ kind: 'drawn', height: 121 })
  expect(readReport({ sluiceDiagram: 1e9 })).toEqual({ kind: 'drawn', height: 4000 })
  for (const value of [0, -1, Number.NaN, '120', null, {}])
    expect(readReport({ sluiceDiagram: value })).toEqual({ kind: 'failed' })
  for (const data of [undefined, null, 'x', 120, {}, []]) expect(readReport(data)).toBeUndefined()
})
