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
