import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../../scripts/pages.mjs'
import { bypasses, fieldReports, ownDocuments, payloads } from '../markdown/corpora.ts'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'

let browser: Browser
let site: StaticServer
let page: Page

beforeAll(async () => {
  site = await serveFolder(await buildPages('production'))
  browser = await launchChromium()
})

afterEach(async () => {
  await page?.context().close()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

interface Hand {
  readonly breaches: readonly string[]
  draw(props: object): void
}

/** Everything that the page asked a network for, or did, that its own files do not explain. */
let deeds: string[]

async function open(): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } })
  page = await context.newPage()
  deeds = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${site.url}/`)) deeds.push(`request ${request.url()}`)
  })
  page.on('dialog', (dialog) => {
    deeds.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => deeds.push(`error ${error.message}`))
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(`${site.url}/markdown`))
      deeds.push(`navigation ${frame.url()}`)
  })
  context.on('page', (other) => deeds.push(`window ${other.url()}`))
  await page.goto(`${site.url}/markdown.html`)
  await page.waitForFunction(() => 'draw' in window)
}

/** Draws documents one after another: pieces of each, then the whole. Tells what the policy of the page refused. */
async function draw(
  texts: readonly string[],
  { policy, pieces }: { policy: unknown; pieces: number },
): Promise<readonly string[]> {
  return page.evaluate(
    async ({ list, told, count }) => {
      const hand = window as unknown as Hand
      for (const text of list) {
        hand.draw({ text: '', streaming: true, policy: told })
        for (let piece = 1; piece < count; piece += 1) {
          const prefix = text.slice(0, Math.ceil((text.length * piece) / count))
          hand.draw({ text: prefix, streaming: true, policy: told })
        }
        hand.draw({ text, streaming: false, policy: told })
        // What loads, loads after the drawing; and HTML is drawn when the sanitiser is there.
        await new Promise((resolve) => setTimeout(resolve))
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
      return hand.breaches
    },
    { list: texts, told: policy, count: pieces },
  )
}

describe('nothing is requested, run or opened, and the page’s policy has nothing to refuse', () => {
  const own = [...ownDocuments, ...fieldReports.map(({ input }) => input)].map(({ text }) => text)

  const known = [...bypasses, ...payloads].map(({ text }) => text)
  // Chromium reports inline styles and handlers also of the dead document in which the sanitiser looks for them.
  const isOfLife = (breach: string): boolean =>
    !/^(style|script)-src-(attr|elem) inline/.test(breach)

  test('own documents and attacks, strict', async () => {
    await open()
    expect(await draw(own, { policy: 'strict', pieces: 12 })).toEqual([])
    expect(deeds).toEqual([])
  })

  test('own documents and attacks, with HTML that is sanitised', async () => {
    await open()
    const breaches = await draw(own, { policy: { html: 'sanitise' }, pieces: 12 })
    expect(breaches.filter(isOfLife)).toEqual([])
    expect(deeds).toEqual([])
  })

  test.skipIf(known.length === 0)(
    'the sanitiser’s own payloads and known ways around, strict (needs ../shared)',
    async () => {
      await open()
      expect(await draw(known, { policy: 'strict', pieces: 5 })).toEqual([])
      expect(deeds).toEqual([])
    },
  )

  test.skipIf(known.length === 0)(
    'the same, with HTML that is sanitised (needs ../shared)',
    async () => {
      await open()
      const breaches = await draw(known, { policy: { html: 'sanitise' }, pieces: 5 })
      expect(breaches.filter(isOfLife)).toEqual([])
      expect(deeds).toEqual([])
    },
  )
})

describe('what is settled stays', () => {
  const opening = `# The gate\n\nThe first paragraph is what a reader selects, word by word.\n\n\`\`\`ts\nconst line = '${'wide '.repeat(60)}'\n\`\`\`\n\n`
  const section = (index: number): string =>
    `## Section ${index}\n\nText with **strong**, \`code\` and [a link](https://example.com/${index}), until it ends.\n\n- one\n- two\n  1. three\n\n| a | b |\n| - | - |\n| ${index} | x |\n\n> quoted\n\n\`\`\`js\nf(${index})\n\`\`\`\n\n`
  const text = opening + Array.from({ length: 110 }, (_, index) => section(index)).join('')

  test('20,000 characters: no element of a settled block is replaced; selection, focus and scroll stay', async () => {
    expect(text.length).toBeGreaterThan(20_000)
    await open()
    const seen = await page.evaluate(
      async ({ whole, first }) => {
        const hand = window as unknown as Hand
        const one = (selector: string): HTMLElement => {
          const element = document.querySelector<HTMLElement>(selector)
          if (element === null) throw new Error(`no ${selector}`)
          return element
        }
        hand.draw({ text: whole.slice(0, first), streaming: true })
        const heading = one('#root h1, #root h3')
        const paragraph = one('#root p')
        const scroller = one('#root pre')
        const button = one('#root button')
        getSelection()?.selectAllChildren(paragraph)
        button.focus()
        scroller.scrollLeft = 120
        const selected = String(getSelection())

        // A block is settled when two others came after it; its elements are then never taken away.
        const blocks = (): Element[] => [...(heading.parentElement?.children ?? [])]
        const settled = new Set<Node>()
        let replaced = 0
        const isSettled = (node: Node): boolean =>
          settled.has(node) || (node.parentNode !== null && isSettled(node.parentNode))
        const observer = new MutationObserver(() => undefined)
        const look = (): void => {
          for (const { target, removedNodes } of observer.takeRecords())
            for (const node of removedNodes) if (isSettled(node) || isSettled(target)) replaced += 1
        }
        observer.observe(one('#root'), { childList: true, subtree: true })
        for (let at = first; at < whole.length; at += 24) {
          for (const block of blocks().slice(0, -2)) settled.add(block)
          hand.draw({ text: whole.slice(0, at), streaming: true })
          look()
          if (at % 2400 === 0) await new Promise(requestAnimationFrame)
        }
        hand.draw({ text: whole, streaming: false })
        look()
        await new Promise(requestAnimationFrame)
        return {
          replaced,
          settled: settled.size,
          selected: String(getSelection()) === selected && selected.length > 20,
          focused: document.activeElement === button && button.isConnected,
          scrolled: scroller.scrollLeft,
        }
      },
      { whole: text, first: opening.length + 40 },
    )
    expect(seen.settled).toBeGreaterThan(500)
    expect(seen).toMatchObject({ replaced: 0, selected: true, focused: true, scrolled: 120 })
    expect(deeds).toEqual([])
  })
})
