// @vitest-environment jsdom
import { renderToHtml } from 'sluice/markdown'
import createDOMPurify from 'dompurify'
import { describe, expect, test, vi } from 'vitest'
import { createSanitiser } from '../../src/safety/html.ts'
import { bypasses, documents, gfm, payloads, type Sample } from '../markdown/corpora.ts'
import { shared } from '../support/shared.ts'

vi.setConfig({ testTimeout: 300_000 })

const purify = createDOMPurify(window)

/** Samples whose HTML the sanitiser would change. It is asked with what we allow ourselves: new tabs, and nothing else. */
const changed = (samples: readonly Sample[]): readonly string[] =>
  samples
    .filter(({ text }) => {
      const html = renderToHtml(text)
      purify.sanitize(html, { ADD_ATTR: ['target'] })
      return purify.removed.length > 0
    })
    .map(({ name }) => name)

describe('the sanitiser removes nothing from our own output', () => {
  test('CommonMark and own documents', () => {
    expect(changed(documents)).toEqual([])
  })

  test.skipIf(shared === undefined)('GFM, bypasses and payloads (needs ../shared)', () => {
    expect(changed([...gfm, ...bypasses, ...payloads])).toEqual([])
  })
})

describe('raw HTML', () => {
  const clean = (html: string): HTMLElement => {
    const host = document.createElement('div')
    const judge = (href: string): string | undefined =>
      href.startsWith('https://') ? href : undefined
    host.append(createSanitiser(window).sanitise(html, judge))
    return host
  }

  test('keeps what only formats', () => {
    expect(clean('<p>a <b>b</b><br></p>').innerHTML).toBe('<p>a <b>b</b><br></p>')
  })

  test.skipIf(shared === undefined)(
    'loads nothing, runs nothing, submits nothing (needs ../shared)',
    () => {
      const bad =
        'script, style, img, svg, math, video, audio, iframe, object, embed, form, input, button, link, meta, base, template'
      for (const { text } of payloads) {
        const host = clean(text)
        expect(host.querySelector(bad)).toBeNull()
        for (const element of host.querySelectorAll('*')) {
          for (const { name, value } of element.attributes) {
            expect(name).not.toMatch(/^on|^style$|^src|^data-|^aria-|^id$|^name$/)
            if (name === 'href') expect(value).toMatch(/^https:\/\//)
          }
        }
      }
    },
  )

  test('has no class but a language, and links as the policy says', () => {
    const host = clean(
      '<code class="language-js fixed">x</code><a href="javascript:x">y</a><a href="https://a.example">z</a>',
    )
    expect(host.querySelector('code')?.className).toBe('language-js')
    const [refused, kept] = host.querySelectorAll('a')
    expect(refused?.hasAttribute('href')).toBe(false)
    expect(kept?.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
  })

  test('needs a DOM, and says so', () => {
    vi.stubGlobal('window', undefined)
    expect(() => createSanitiser()).toThrow('no-dom')
    vi.unstubAllGlobals()
  })
})
