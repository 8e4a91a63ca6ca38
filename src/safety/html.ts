// The one file that imports the sanitiser, and is itself loaded only when HTML is there to be shown.
import createDOMPurify, { type Config, type DOMPurify, type WindowLike } from 'dompurify'

/** Elements that raw HTML may have. Nothing that loads, submits, plays, or moves. */
const tags = [
  'p br hr h3 h4 h5 h6 strong em b i u del s blockquote ul ol li pre code kbd samp var mark small',
  'span div table caption thead tbody tfoot tr th td a sup sub details summary dl dt dd abbr q cite figure figcaption',
]
  .join(' ')
  .split(' ')

const attributes = ['href', 'title', 'colspan', 'rowspan', 'start', 'lang', 'dir', 'class', 'open']

const config: Config = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
}

/** Makes raw HTML harmless. */
export interface Sanitiser {
  /** A fragment to put into the document. `judge` gives the address that a link may have, if any. */
  sanitise(
    html: string,
    judge: (href: string, text: string) => string | undefined,
  ): DocumentFragment
}

/** One a window: each makes a Trusted Types policy of the same name, which a page allows once. */
const purifiers = new WeakMap<WindowLike, DOMPurify>()

function purifierOf(window: WindowLike): DOMPurify {
  const known = purifiers.get(window)
  if (known !== undefined) return known
  const made = createDOMPurify(window)
  purifiers.set(window, made)
  return made
}

/**
 * Makes a sanitiser for a window.
 *
 * @throws `TypeError` with the word `no-dom` where there is neither a window nor one given: pass that of a DOM
 * implementation.
 */
export function createSanitiser(window: WindowLike | undefined = globalThis.window): Sanitiser {
  if (window === undefined)
    throw new TypeError(
      'no-dom: raw HTML can be sanitised only with a DOM. Pass the window of one, for example of jsdom.',
    )
  const purify = purifierOf(window)
  if (!purify.isSupported)
    throw new TypeError(
      'no-dom: this window has no complete DOM, so HTML can not be sanitised with it.',
    )
  return {
    sanitise(html, judge) {
      // Without a character of text or an element left there is no fragment at all.
      const cleaned: DocumentFragment | null = purify.sanitize(html, {
        ...config,
        RETURN_DOM_FRAGMENT: true,
      })
      const fragment = cleaned ?? new window.DocumentFragment()
      for (const element of fragment.querySelectorAll('[class]')) {
        const kept = [...element.classList].filter((name) => /^language-[\w+-]{1,30}$/.test(name))
        if (kept.length > 0) element.className = kept.join(' ')
        else element.removeAttribute('class')
      }
      for (const anchor of fragment.querySelectorAll('a')) {
        const href = judge(anchor.getAttribute('href') ?? '', anchor.textContent ?? '')
        anchor.removeAttribute('href')
        if (href === undefined) continue
        anchor.setAttribute('href', href)
        anchor.setAttribute('target', '_blank')
        anchor.setAttribute('rel', 'noopener noreferrer nofollow ugc')
      }
      return fragment
    },
  }
}
