import type { Clock } from '../protocol/clock.ts'

/** The live regions, in the page while they are mounted. */
export interface AnnouncerHost {
  /** When the next write will be heard, in the clock's time: now, or a little after a region came into the page. */
  readyAt(): number
  /** Adds a text to the end of a region. */
  write(text: string, options: { readonly lang: string; readonly urgent: boolean }): void
  remove(): void
}

interface Regions {
  readonly root: HTMLElement
  readonly polite: HTMLElement
  readonly urgent: HTMLElement
  readonly readyAt: number
}

const MOST_CHILDREN = 6
const STAY_MS = 10_000
const STAY_PER_CHARACTER_MS = 60
const NO_BREAK_SPACE = '\u00a0'

/**
 * Puts the two regions into the page: `role=log` for what can wait, `role=alert` for what cannot. What lies outside an
 * open modal dialog is silent, so that each dialog gets regions of its own for as long as it is open.
 *
 * Not `aria-busy`, `aria-relevant` or `aria-atomic`: screen readers differ in them, up to silence for good.
 */
export function createHost(options: {
  readonly document: Document
  readonly clock: Clock
  readonly settleMs: number
}): AnnouncerHost {
  const { document, clock, settleMs } = options
  const hosts = new Map<Element, Regions>()
  const removals = new Map<Element, unknown>()
  let lastText = ''

  const build = (container: Element): Regions => {
    const root = document.createElement('div')
    root.className = 'sluice-announcer'
    hide(root)
    const polite = region(document, 'log', 'polite')
    const urgent = region(document, 'alert', 'assertive')
    root.append(polite, urgent)
    container.append(root)
    return { root, polite, urgent, readyAt: clock.now() + settleMs }
  }

  const drop = (child: Element): void => {
    clock.clearTimeout(removals.get(child))
    removals.delete(child)
    child.remove()
  }

  const current = (): Regions => {
    const container = openModal(document) ?? document.body
    for (const [other, { root }] of hosts) {
      if (other === container || other === document.body) continue
      root.remove()
      hosts.delete(other)
    }
    const known = hosts.get(container)
    // A page that renders its body or its dialog anew may have thrown the regions out.
    if (known?.root.isConnected === true) return known
    const built = build(container)
    hosts.set(container, built)
    return built
  }

  current()
  return {
    readyAt: () => current().readyAt,
    write(text, { lang, urgent }) {
      const regions = current()
      // The same text twice in a row is no change to a screen reader.
      lastText = text === lastText ? text + NO_BREAK_SPACE : text
      const child = document.createElement('div')
      child.lang = lang
      child.textContent = lastText
      ;(urgent ? regions.urgent : regions.polite).append(child)
      removals.set(
        child,
        clock.setTimeout(() => drop(child), STAY_MS + STAY_PER_CHARACTER_MS * text.length),
      )
      const [oldest] = removals.keys()
      if (removals.size > MOST_CHILDREN && oldest !== undefined) drop(oldest)
    },
    remove() {
      for (const handle of removals.values()) clock.clearTimeout(handle)
      removals.clear()
      for (const { root } of hosts.values()) root.remove()
      hosts.clear()
    },
  }
}

function region(document: Document, role: string, live: string): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('role', role)
  // Implied by the role; spelt out since libraries that hide what is beside a dialog spare `[aria-live]`.
  element.setAttribute('aria-live', live)
  return element
}

/** Clips, since `display: none` silences. Through the object model, which a strict `style-src` allows. */
function hide(element: HTMLElement): void {
  Object.assign(element.style, {
    position: 'fixed',
    insetBlockStart: '0',
    insetInlineStart: '0',
    inlineSize: '1px',
    blockSize: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
  })
}

function openModal(document: Document): Element | undefined {
  const open = [...document.querySelectorAll('dialog[open], [aria-modal="true"]')]
  return open.findLast(
    (element) => element.getAttribute('aria-modal') === 'true' || element.matches(':modal'),
  )
}
