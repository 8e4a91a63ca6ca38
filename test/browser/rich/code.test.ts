import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPages } from '../../../scripts/pages.mjs'
import { launchChromium } from '../../support/chromium.ts'
import { serveFolder, type StaticServer } from '../../support/static-server.ts'

const code = Array.from(
  { length: 40 },
  (_, line) => `const value${line}: string = "one" // ${'long '.repeat(line === 3 ? 60 : 1)}`,
).join('\n')
const text = `Before.\n\n\`\`\`ts\n${code}\n\`\`\`\n\nAfter.`

let browser: Browser
let site: StaticServer
let page: Page
let problems: string[]
/** Lets the grammar come, which waits for it. */
let sendGrammar: () => void

beforeAll(async () => {
  site = await serveFolder(await buildPages('production', 'test/browser/rich/pages'))
  browser = await launchChromium()
})

afterEach(async () => {
  await page?.context().close()
  if (problems.length > 0) throw new Error(problems.join('\n'))
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function open(width = 1000): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 700 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
  problems = []
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  const isSent = new Promise<void>((resolve) => (sendGrammar = resolve))
  await page.route(/\/typescript-[^/]*\.js$/, async (route) => {
    await isSent
    await route.continue()
  })
  await page.goto(`${site.url}/rich.html`)
  await page.waitForFunction('typeof show === "function"')
}

const show = (shown: string, isStreaming = false): Promise<void> =>
  page.evaluate(([value, streaming]) => (window as unknown as Hand).show(value, streaming), [
    shown,
    isStreaming,
  ] as const)

interface Hand {
  show(text: string, streaming: boolean): void
}

const coloured = () =>
  page.waitForFunction(
    (count) => document.querySelectorAll('.sluice-code-string').length === count,
    code.split('\n').length,
  )

/** Where each line's text and everything around the code is. */
const layout = (): Promise<string> =>
  page.evaluate(() => {
    const places: string[] = []
    const walker = document.createTreeWalker(document.querySelector('code') as Element, 4)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { index } of (node.nodeValue ?? '').matchAll(/\bvalue/g)) {
        range.setStart(node, index)
        range.setEnd(node, index + 5)
        const { x, y, width } = range.getBoundingClientRect()
        // A run of its own begins at 1/64 of a pixel.
        places.push([x, y, width].map((pixels) => pixels.toFixed(1)).join(' '))
      }
    }
    for (const element of document.querySelectorAll('.sluice-md, pre, p'))
      places.push(JSON.stringify(element.getBoundingClientRect()))
    return places.join('\n')
  })

test('colours come without a jump, and keep what is selected and how far it is scrolled', async () => {
  await open()
  await show(text)
  await page.locator('pre').evaluate((pre) => pre.scrollTo({ left: 120 }))
  await page.evaluate(() => {
    const lines = document.querySelectorAll('code .sluice-md-lines .sluice-md-lines')
    const [first, second] = [lines[0]?.firstChild, lines[1]?.firstChild]
    if (first && second) getSelection()?.setBaseAndExtent(second, 30, first, 100)
  })
  const selected = await page.evaluate(() => String(getSelection()))
  const before = await layout()
  sendGrammar()
  await coloured()
  expect(await layout()).toBe(before)
  expect(selected.length).toBeGreaterThan(1000)
  expect(await page.evaluate(() => String(getSelection()))).toBe(selected)
  expect(
    await page.evaluate(() => {
      const { anchorNode, focusNode } = getSelection() ?? {}
      if (!anchorNode || !focusNode) return false
      return (anchorNode.compareDocumentPosition(focusNode) & 2) !== 0
    }),
    'the direction of the selection',
  ).toBe(true)
  expect(await page.locator('pre').evaluate((pre) => pre.scrollLeft)).toBe(120)
})

test('a selection in a line that still grows is kept', async () => {
  await open()
  await show('```\none two', true)
  await page.evaluate(() => {
    const line = document.querySelector('code .sluice-md-lines .sluice-md-lines')?.firstChild
    if (line) getSelection()?.setBaseAndExtent(line, 4, line, 7)
  })
  await show('```\none two three\nfour', true)
  expect(await page.evaluate(() => String(getSelection()))).toBe('two')
})

test('on a phone the block stays in the page and scrolls in itself', async () => {
  await open(390)
  await show(text)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const pre = page.getByRole('region', { name: 'Code, ts' })
  expect(await pre.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
  await expect.poll(() => page.getByRole('button', { name: 'Copy code' }).isVisible()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe(
    'true',
  )
  expect(await pre.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  for (const name of ['Download code', 'Copy code', 'Code, ts']) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe(name)
  }
})

test('code is copied and saved as it was written', async () => {
  await open()
  await show(text)
  await page.getByRole('button', { name: 'Copy code' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download code' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('code.ts')
  expect(await readFile(await download.path(), 'utf8')).toBe(code)
})
