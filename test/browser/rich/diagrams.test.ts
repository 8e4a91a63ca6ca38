import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPages } from '../../../scripts/pages.mjs'
import { launchChromium } from '../../support/chromium.ts'
import { serveFolder, type StaticServer } from '../../support/static-server.ts'

const policy =
  "default-src 'self'; img-src 'self' data:; font-src 'self' data:; require-trusted-types-for 'script'"

let browser: Browser
let site: StaticServer
/** The same pages under the strictest policy that they must bear. */
let strictSite: StaticServer
let page: Page
let requests: string[]
let problems: string[]

beforeAll(async () => {
  const folder = await buildPages('production', 'test/browser/rich/pages')
  site = await serveFolder(folder)
  strictSite = await serveFolder(folder, [
    (_request, response) => {
      response.setHeader('content-security-policy', policy)
      return false
    },
  ])
  browser = await launchChromium()
})

afterEach(async () => {
  await page?.context().close()
  if (problems.length > 0) throw new Error(problems.join('\n'))
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
  await strictSite?.close()
})

async function open(url = site.url, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, colorScheme })
  page = await context.newPage()
  requests = []
  problems = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  await page.addInitScript(() => {
    const reports: string[] = []
    addEventListener('securitypolicyviolation', (event) =>
      reports.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
    Object.assign(window, { reports })
    addEventListener('message', () => Object.assign(window, { isTold: true }))
  })
  await page.goto(`${url}/rich.html`)
  await page.waitForFunction('typeof show === "function"')
}

const show = (text: string, isStreaming = false): Promise<void> =>
  page.evaluate(([shown, streaming]) => (window as unknown as Hand).show(shown, streaming), [
    text,
    isStreaming,
  ] as const)

interface Hand {
  readonly reports: readonly string[]
  show(text: string, streaming: boolean): void
}

const diagram = (source: string): string => `Look:\n\n\`\`\`mermaid\n${source}\n\`\`\`\n\nDone.`
const flow = 'flowchart LR\n  A[Upper gate] --> B[Chamber]'
/** Until a frame has said something. */
const heard = () => page.waitForFunction('window.isTold === true')
const sourceButton = () => page.getByRole('button', { name: 'Source' })
const isLoaded = (): boolean => requests.some((url) => /mermaid/.test(url))

test('a diagram is source while it streams, and drawn in a sandbox at the end', async () => {
  await open()
  const text = diagram(flow)
  for (let end = 1; end <= text.length; end += 7) await show(text.slice(0, end), true)
  await show(text, true)
  expect(await page.getByText('flowchart LR').isVisible()).toBe(true)
  expect(await page.locator('iframe').count()).toBe(0)
  expect(isLoaded()).toBe(false)
  await show(text)
  await sourceButton().waitFor()
  const frame = page.locator('iframe')
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(await frame.evaluate((element: HTMLIFrameElement) => element.contentDocument)).toBeNull()
  const drawn = page.frameLocator('iframe').locator('svg')
  expect(await drawn.textContent()).toContain('Upper gate')
  // As high as what was drawn, so that it does not scroll.
  const [inside, outside] = [await drawn.boundingBox(), await frame.boundingBox()]
  expect(Math.abs((inside?.height ?? 0) - (outside?.height ?? 0))).toBeLessThan(8)

  expect(await page.getByText('flowchart LR').isVisible()).toBe(false)
  await sourceButton().focus()
  await page.keyboard.press('Enter')
  expect(await page.getByText('flowchart LR').isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: 'Copy code' }).isVisible()).toBe(true)
})

test('a diagram takes the colours of the page', async () => {
  const colours: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    await open(site.url, scheme)
    await show(diagram(flow))
    await sourceButton().waitFor()
    const label = page.frameLocator('iframe').getByText('Chamber').first()
    colours.push(await label.evaluate((element) => getComputedStyle(element).fill))
    if (scheme === 'light') await page.context().close()
  }
  const [light, dark] = colours.map((colour) => Number(/\d+/.exec(colour)?.[0]))
  expect(light).toBeLessThan(80)
  expect(dark).toBeGreaterThan(180)
})

test('what can not be drawn stays source, and says nothing', async () => {
  await open()
  await show(diagram('flowchart LR\n  A --> --> B['))
  await page.locator('iframe').waitFor({ state: 'attached' })
  await heard()
  expect(await page.getByText('flowchart LR').isVisible()).toBe(true)
  expect(await sourceButton().count()).toBe(0)
  expect(await page.getByText(/error/i).count()).toBe(0)
})

test('a hostile diagram reaches neither the page nor the network', async () => {
  await open()
  const hostile = [
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.example/a.css)"}}%%',
    'flowchart LR',
    '  A["<img src=https://evil.example/b.png onerror=parent.document.title=1>"] --> B[Chamber]',
    '  click A "javascript:parent.document.title=2" "x"',
    '  click B href "https://evil.example/c" _top',
    '  style A fill:url(https://evil.example/d.svg)',
  ].join('\n')
  const title = await page.title()
  await show(diagram(hostile))
  await heard()
  const node = page.frameLocator('iframe').getByText('Chamber').first()
  if ((await node.count()) > 0) await node.click()
  expect(await page.title()).toBe(title)
  expect(page.url()).toBe(`${site.url}/rich.html`)
  expect(page.context().pages()).toHaveLength(1)
  expect(requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('about:'))).toEqual(
    [],
  )
})

test('only the frame itself says how high it is', async () => {
  await open()
  await show(diagram('flowchart LR\n  A --> --> B['))
  await page.locator('iframe').waitFor({ state: 'attached' })
  await page.evaluate(() => postMessage({ sluiceDiagram: 999 }, '*'))
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  expect(await sourceButton().count()).toBe(0)
})

test('under a strict policy colours and formulas break none of it, and a diagram stays source', async () => {
  await open(strictSite.url)
  await show('```ts\nconst a = 1\n```\n\n$x^2$ and\n\n$$\n\\frac{a}{b} \\sqrt{\\color{red}{c}}\n$$')
  await page.locator('.sluice-code-keyword').first().waitFor()
  await page.waitForFunction(() => document.querySelectorAll('math').length === 2)
  const reports = (): Promise<readonly string[]> =>
    page.evaluate(() => (window as unknown as Hand).reports)
  expect(await reports()).toEqual([])
  await show(diagram(flow))
  await page.locator('iframe').waitFor({ state: 'attached' })
  expect(await page.getByText('flowchart LR').isVisible()).toBe(true)
})
