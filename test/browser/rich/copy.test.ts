import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPages } from '../../../scripts/pages.mjs'
import { launchChromium } from '../../support/chromium.ts'
import { serveFolder, type StaticServer } from '../../support/static-server.ts'

let browser: Browser
let site: StaticServer
/** The pages with a whole chat. */
let chats: StaticServer
let page: Page

beforeAll(async () => {
  site = await serveFolder(await buildPages('production', 'test/browser/rich/pages'))
  chats = await serveFolder(await buildPages('production'))
  browser = await launchChromium()
})

afterEach(() => page?.context().close())

afterAll(async () => {
  await browser?.close()
  await site?.close()
  await chats?.close()
})

async function open(url: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
  await page.goto(url)
}

async function show(text: string): Promise<void> {
  await open(`${site.url}/rich.html`)
  await page.waitForFunction('typeof show === "function"')
  await page.evaluate((shown) => (window as unknown as Hand).show(shown, false), text)
}

interface Hand {
  show(text: string, streaming: boolean): void
  push(text: string): void
  finish(reason: string): void
}

/** What is on the clipboard; Chromium puts rich text into a document of its own. */
const clipboard = (): Promise<{ text: string; html: string | undefined }> =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const read = async (type: string): Promise<string> => (await item?.getType(type))?.text() ?? ''
    const html = item?.types.includes('text/html') === true ? await read('text/html') : undefined
    return {
      text: await read('text/plain'),
      html: html?.replace(/^[^]*<!--StartFragment-->|<!--EndFragment-->[^]*$/g, ''),
    }
  })

const text =
  '# One\n\nTwo **three\u200b** [four](https://example.com).\n\n- five\n- six\n\n![seven](https://example.com/7.png)'

test.each(['with the keyboard alone', 'after the pointer'])(
  'a selection is copied as Markdown and rich text, %s',
  async (how) => {
    await show(text)
    if (how === 'after the pointer') await page.getByText('Two').click()
    await page.evaluate(() => {
      const root = document.querySelector('.sluice-md')
      if (root !== null) getSelection()?.selectAllChildren(root)
    })
    await page.keyboard.press('Control+c')
    const expected =
      '# One\n\nTwo **three** [four](https://example.com).\n\n- five\n- six\n\nseven\n\n1 hidden character removed'
    await expect.poll(async () => (await clipboard()).text).toBe(expected)
    const { html } = await clipboard()
    expect(html).toContain('<h1>One</h1><p>Two <strong>three</strong>')
    expect(html).not.toContain('<img')
  },
)

test('what is selected in code is copied as it is', async () => {
  await show('```\n*a* |\n  b\n```')
  await page.evaluate(() => {
    const root = document.querySelector('code')
    if (root !== null) getSelection()?.selectAllChildren(root)
  })
  await page.keyboard.press('Control+c')
  expect((await clipboard()).text.trimEnd()).toBe('*a* |\n  b')
})

test('a table is copied in three formats, each by the keyboard', async () => {
  await show('| a | b |\n| - | -: |\n| 1,5 | =2 |')
  const copies: Record<string, string> = {
    Markdown: '| a | b |\n| --- | --: |\n| 1,5 | =2 |',
    CSV: 'a,b\r\n"1,5",\'=2\r\n',
    TSV: "a\tb\n1,5\t'=2",
  }
  await page.getByRole('region', { name: 'Table' }).focus()
  for (const [format, expected] of Object.entries(copies)) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe(
      `Copy table as ${format}`,
    )
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await clipboard()).text).toBe(expected)
  }
})

test('an answer is copied as its Markdown, without what was hidden, and as rich text', async () => {
  await open(`${chats.url}/thread.html`)
  await page.getByRole('textbox').fill('How?')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-status=running]').waitFor()
  const answer = 'Two **three\u200b** <b>four</b>\n\n| a |\n| - |\n| 1 |'
  await page.evaluate((pushed) => (window as unknown as Hand).push(pushed), answer)
  await page.evaluate(() => (window as unknown as Hand).finish('stop'))
  await page.locator('[data-role=assistant][data-status=complete]').waitFor()
  await page
    .locator('[data-role=assistant]')
    .getByRole('button', { name: 'Copy', exact: true })
    .click()
  await expect
    .poll(async () => (await clipboard()).text)
    .toBe('Two **three** <b>four</b>\n\n| a |\n| - |\n| 1 |')
  const { html } = await clipboard()
  expect(html).toContain('<strong>three</strong> &lt;b&gt;four&lt;/b&gt;')
  expect(html).toContain('<td>1</td>')
})
