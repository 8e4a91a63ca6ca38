import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'
import type { Script } from './pages/announcer.tsx'
import { buildPages } from '../../scripts/pages.mjs'

interface Write {
  readonly at: number
  readonly text: string
  readonly role: string | null
  readonly inDialog: boolean
}

declare global {
  interface Window {
    writes: Write[]
  }
}

let browser: Browser
let server: StaticServer
let page: Page

beforeAll(async () => {
  server = await serveFolder(await buildPages('development'))
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(async () => {
  page = await browser.newPage()
  await page.addInitScript(() => {
    window.writes = []
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (!(target instanceof Element) || !target.hasAttribute('aria-live')) continue
        for (const { textContent } of addedNodes) {
          window.writes.push({
            at: performance.now(),
            text: textContent ?? '',
            role: target.getAttribute('role'),
            inDialog: target.closest('dialog') !== null,
          })
        }
      }
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${server.url}/announcer.html`)
  await page.getByRole('textbox').focus()
  return () => page.close()
})

const ask = (script: Script): Promise<number> =>
  page.evaluate((told) => window.stage.ask(JSON.parse(told)), JSON.stringify(script))
const writes = (): Promise<Write[]> => page.evaluate(() => window.writes)
const lastWrite = (text: string): Promise<unknown> =>
  page.waitForFunction((end) => window.writes.at(-1)?.text.endsWith(end), text)

const SENTENCES = [
  'Yes, you can fix this in an afternoon.',
  'The leak comes from a timer that nobody clears.',
  'Dr. Lee measured 14.5 MB per hour on the first day.',
]
const TEXT = `${SENTENCES.join(' ')}\n\n## Last of all\n\n- Try it out now.`

describe('in a browser', () => {
  test('an answer is written in order, once, at a pace that no browser loses', async () => {
    await ask({ text: TEXT, tokenMs: 120 })
    await lastWrite('Response complete.')
    const all = await writes()
    expect(all.map(({ text }) => text).join(' ')).toBe(
      `${SENTENCES.join(' ')} Heading: Last of all Try it out now. Response complete.`,
    )
    expect(all.every(({ role }) => role === 'log')).toBe(true)
    const gaps = all.slice(1).map(({ at }, i) => at - (all[i]?.at ?? 0))
    expect(gaps.length).toBeGreaterThan(1)
    expect(Math.min(...gaps)).toBeGreaterThan(395)
  })

  test('the regions are there before anything is said, out of sight but not hidden, and the thread is not live', async () => {
    const regions = page.locator('[aria-live]')
    expect(await regions.count()).toBe(2)
    for (const region of await regions.all()) {
      expect(await region.evaluate((element) => element.closest('#root'))).toBeNull()
      expect(await region.evaluate((element) => element.checkVisibility())).toBe(true)
    }
    const box = await page.locator('.sluice-announcer').boundingBox()
    expect(box).toMatchObject({ width: 1, height: 1 })
    expect(await page.locator('[role=log]').count()).toBe(1)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
    )
    expect(overflow).toBe(0)
  })

  test('while a modal dialog is open, it speaks inside it', async () => {
    await page.evaluate(() => window.stage.openDialog())
    await ask({ text: `${SENTENCES[0]}`, tokenMs: 10 })
    await lastWrite('Response complete.')
    await page.evaluate(() => window.stage.closeDialog())
    await ask({ text: `${SENTENCES[1]}`, tokenMs: 10 })
    await page.waitForFunction(() => window.writes.length === 2)
    const all = await writes()
    expect(all.map(({ inDialog, text }) => [inDialog, text])).toEqual([
      [true, `${SENTENCES[0]} Response complete.`],
      [false, `${SENTENCES[1]} Response complete.`],
    ])
    expect(await page.locator('dialog .sluice-announcer').count()).toBe(0)
  })

  test('what comes while somebody types is said afterwards; the focus stays', async () => {
    const answered = ask({ text: SENTENCES.join(' '), tokenMs: 20 })
    await page.keyboard.type('A question of my own', { delay: 100 })
    await answered
    const typed = await page.evaluate(() => performance.now())
    expect(await writes()).toEqual([])
    await lastWrite('Response complete.')
    const [first] = await writes()
    expect(first?.at).toBeGreaterThan(typed)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })

  test('an error is an alert', async () => {
    await ask({
      text: 'Half of it',
      tokenMs: 10,
      after: [{ type: 'interrupted', sentinel: false }],
    })
    await lastWrite('Retry is available.')
    expect((await writes()).map(({ role, text }) => [role, text])).toEqual([
      ['alert', 'Connection lost. Partial answer kept. Retry is available.'],
    ])
  })
})
