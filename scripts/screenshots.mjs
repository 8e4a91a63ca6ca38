// node scripts/screenshots.mjs [--out DIR] [--readme]
// The example page in its states, both schemes and both widths; with --readme the pictures of the README.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.mjs'
import { root, run } from './run.mjs'

/** @typedef {import('playwright-core').Page} Page */

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(tmpdir(), 'shots') },
    readme: { type: 'boolean', default: false },
  },
})

const titles = {
  prose: 'How a lock lifts a boat',
  table: 'The greatest tides, compared',
  code: 'Read a stream, in two languages',
  tool: 'Look up the tide at Avonmouth',
  length: 'An answer cut at its limit',
  error: 'A rate limit',
}

/**
 * @param {Page} page
 * @param {keyof typeof titles} title
 */
async function ask(page, title) {
  const suggestion = page.getByRole('button', { name: titles[title] })
  if (!(await suggestion.isVisible()))
    await page.getByRole('button', { name: 'More suggestions' }).click()
  await suggestion.click()
}

/** @type {(page: Page, text: string) => Promise<void>} */
const shows = (page, text) => page.getByText(text).first().waitFor({ timeout: 60_000 })

/** @type {(page: Page, reason: string) => Promise<void>} */
const ends = (page, reason) =>
  page.locator(`[data-role=assistant][data-reason="${reason}"]`).waitFor({ timeout: 60_000 })

/** @type {Readonly<Record<string, (page: Page) => Promise<void>>>} */
const states = {
  empty: async () => undefined,
  streaming: async (page) => {
    await ask(page, 'prose')
    await shows(page, 'Going up')
  },
  stopped: async (page) => {
    await ask(page, 'prose')
    await shows(page, 'A room with')
    await page.getByRole('button', { name: 'Stop' }).click()
    await ends(page, 'cancelled')
  },
  truncated: async (page) => {
    await ask(page, 'length')
    await ends(page, 'length')
  },
  error: async (page) => {
    await ask(page, 'error')
    await ends(page, 'error')
  },
  tool: async (page) => {
    await ask(page, 'tool')
    await ends(page, 'stop')
    await page.getByText('Used ').click()
  },
  table: async (page) => {
    await ask(page, 'table')
    await shows(page, 'Two things make')
  },
  code: async (page) => {
    await ask(page, 'code')
    await shows(page, 'In Python, with')
  },
}

const schemes = /** @type {const} */ (['light', 'dark'])
const sizes = [
  { name: 'phone', width: 390, height: 844, scale: 2 },
  { name: 'desktop', width: 1280, height: 800, scale: 1 },
]

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {{ state: string, scheme: 'light' | 'dark', width: number, height: number, scale: number }} what
 */
async function shoot(browser, url, { state, scheme, width, height, scale }) {
  const isPhone = width < 500
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    deviceScaleFactor: scale,
    isMobile: isPhone,
    hasTouch: isPhone,
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(state, error.message))
  await page.goto(url)
  await states[state]?.(page)
  // Whatever glides or fades has arrived.
  await page.waitForTimeout(400)
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/**
 * Sets pictures side by side.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {readonly Buffer[]} pictures
 * @param {number} width of each
 */
async function beside(browser, pictures, width) {
  const page = await browser.newPage({ deviceScaleFactor: 1.5 })
  const images = pictures.map((picture) => {
    const source = `data:image/png;base64,${picture.toString('base64')}`
    return `<img width="${width}" src="${source}" style="border-radius:10px;border:1px solid #8884">`
  })
  await page.setContent(
    `<div style="display:inline-flex;gap:16px;padding:1px">${images.join('')}</div>`,
  )
  const picture = await page.locator('div').screenshot({ omitBackground: true })
  await page.close()
  return picture
}

/** @returns {Promise<{ url: string, stop: () => void }>} */
async function serve() {
  const code = await run('node', ['scripts/build.mjs', '--if-stale'])
  if (code !== 0) process.exit(code)
  const server = spawn(process.execPath, ['dist/node/bin.js', 'serve', '--port', '0'], {
    cwd: root,
  })
  const url = await new Promise((resolve) => {
    server.stdout.on('data', (data) => {
      const found = /https?:\/\/\S+/.exec(String(data))
      if (found !== null) resolve(found[0])
    })
  })
  return { url: String(url), stop: () => server.kill() }
}

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium: name one in CHROMIUM_PATH.')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const { url, stop } = await serve()

if (values.readme) {
  const folder = join(root, 'docs/images')
  mkdirSync(folder, { recursive: true })
  const wide = { width: 720, height: 640, scale: 1.5 }
  const narrow = { width: 390, height: 720, scale: 1.5 }
  const page = await Promise.all(
    schemes.map((scheme) => shoot(browser, url, { state: 'streaming', scheme, ...wide })),
  )
  writeFileSync(join(folder, 'chat.png'), await beside(browser, page, 560))
  const phone = await Promise.all([
    shoot(browser, url, { state: 'empty', scheme: 'light', ...narrow }),
    shoot(browser, url, { state: 'stopped', scheme: 'light', ...narrow }),
    shoot(browser, url, { state: 'truncated', scheme: 'dark', ...narrow }),
    shoot(browser, url, { state: 'tool', scheme: 'dark', ...narrow }),
  ])
  writeFileSync(join(folder, 'states.png'), await beside(browser, phone, 272))
} else {
  mkdirSync(values.out, { recursive: true })
  for (const scheme of schemes)
    for (const { name, ...size } of sizes)
      for (const state of Object.keys(states)) {
        const file = join(values.out, `page-${state}-${name}-${scheme}.png`)
        writeFileSync(file, await shoot(browser, url, { state, scheme, ...size }))
        console.log(file)
      }
}

stop()
await browser.close()
