// Runs the scenarios in a headed browser, inside a session, and prints what Orca said. Started by run.mjs.
import react from '@vitejs/plugin-react'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { build, defaultClientConditions, preview } from 'vite'
import { findChromium } from '../../scripts/chromium.mjs'
import { root } from '../../scripts/run.mjs'
import { launchFirefox } from './firefox.mjs'
import { LONG_SENTENCES, scenarios } from './scenarios.mjs'
import {
  cancelSpeech,
  clickScreen,
  countRead,
  measure,
  pressKeys,
  readTranscript,
  waitForQuiet,
} from './transcript.mjs'

/** @typedef {import('./scenarios.mjs').Scenario} Scenario */
/** @typedef {import('./firefox.mjs').Page} Page */

const log = process.env['SPOKEN_LOG'] ?? ''
const results = join(root, '.cache/screen-reader')
const outDir = join(results, 'page')
const [browserName = 'chromium', ...wanted] = process.argv.slice(2)

/** Said where nothing else is ready yet; whether it is depends on the speed. */
const FILLERS = ['Assistant is responding.', 'Still working.']

const MOST_REDUNDANCY = 1.05
const MOST_LAG_MS = 5000

await build({
  root: join(root, 'test/browser/pages'),
  configFile: false,
  logLevel: 'warn',
  mode: 'production',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [react()],
  resolve: { conditions: ['sluice/source', 'production', ...defaultClientConditions] },
  build: {
    outDir,
    emptyOutDir: true,
    rollupOptions: { input: join(root, 'test/browser/pages/announcer.html') },
  },
})
const server = await preview({
  configFile: false,
  logLevel: 'silent',
  build: { outDir },
  preview: { port: 0, host: '127.0.0.1' },
})
const url = `${server.resolvedUrls?.local[0] ?? ''}announcer.html`

async function launchChromium() {
  const executablePath = findChromium()
  const chrome = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // A headless browser is invisible to a screen reader.
    headless: false,
    args: [
      '--force-renderer-accessibility',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return {
    /** @returns {Promise<Page>} */
    async newPage() {
      const page = await chrome.newPage({ viewport: null })
      await page.bringToFront()
      return page
    },
    close: () => chrome.close(),
  }
}

const browser =
  browserName === 'firefox' ? await launchFirefox('firefox-esr') : await launchChromium()

/**
 * Puts the cursor into the text box as a person does, by a click: a browser that was started by a program may have a focus
 * that the window system knows nothing of, and Orca, which Escape takes out of a text box, takes letters for commands.
 *
 * @param {Page} page
 */
async function clickTextBox(page) {
  /** @type {string} */
  const place = await page.evaluate(() => {
    const box = /** @type {Element} */ (document.querySelector('textarea')).getBoundingClientRect()
    // Firefox alone tells where its page begins on the screen.
    const { mozInnerScreenX, mozInnerScreenY } =
      /** @type {{ mozInnerScreenX?: number, mozInnerScreenY?: number }} */ (window)
    const left = mozInnerScreenX ?? screenX + (outerWidth - innerWidth) / 2
    const top = mozInnerScreenY ?? screenY + outerHeight - innerHeight
    const [x, y] = [left + box.x + box.width / 3, top + box.y + box.height / 2].map(Math.round)
    return `${x} ${y}`
  })
  const [x = 0, y = 0] = place.split(' ').map(Number)
  await clickScreen(x, y)
  await page.focus('textarea')
}

/** @param {string} [query] */
async function openPage(query = '') {
  const page = await browser.newPage()
  await page.goto(url + query)
  await clickTextBox(page)
  // The window, the page and the field are presented first.
  await waitForQuiet(log, { quietMs: 4000 })
  return page
}

/**
 * @param {Scenario} scenario
 * @param {readonly import('./transcript.mjs').Utterance[]} transcript
 * @returns {string[]} What a listener should have heard.
 */
function expectedOf({ before = [], content, end, later = [], counts, cuts }, transcript) {
  const fillers = FILLERS.filter((filler) => transcript.some(({ text }) => text.includes(filler)))
  const read = counts === true || cuts === true ? countRead(transcript, content) : content.length
  const rest = counts === true ? countOf(content.slice(read)) : ''
  return [...fillers, ...before, ...content.slice(0, read), `${end}${rest}`, ...later]
}

/** @param {readonly string[]} unread */
function countOf(unread) {
  const tables = unread.filter((text) => text.startsWith('Table, ')).length
  const code = unread.filter((text) => text.startsWith('Code block, ')).length
  const counts = [
    [unread.length - tables - code, 'more sentence'],
    [tables, 'table'],
    [code, 'code block'],
  ].flatMap(([count, noun]) => (count ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : []))
  return counts.length === 0 ? '' : ` ${counts.join(', ')}.`
}

/**
 * @param {Page} page
 * @param {Scenario} scenario
 * @returns {Promise<number>} When the stream was over, and the person done typing.
 */
async function play(page, { script, act, next }) {
  if (act === 'dialog') {
    await page.evaluate(() => window.stage.openDialog())
    await waitForQuiet(log, { quietMs: 1500 })
    await cancelSpeech()
  }
  const ended = page.evaluate((told) => window.stage.ask(JSON.parse(told)), JSON.stringify(script))
  if (act === 'stop') {
    await sleep(4000)
    await pressKeys('Escape')
  }
  if (act === 'type') {
    for (let i = 0; i < 8; i += 1) {
      await pressKeys('x')
      await sleep(400)
    }
    const typed = await page.evaluate(() => document.querySelector('textarea')?.value)
    if (typed !== 'xxxxxxxx') throw new Error(`What was typed did not arrive: "${typed}".`)
    return Math.max(Date.now(), await ended)
  }
  if (act === 'again' && next !== undefined) {
    await ended
    await page.evaluate(
      (told) => window.stage.prepare(JSON.parse(told)),
      JSON.stringify(next.script),
    )
    await pressKeys('a', 'Return')
    await sleep(300)
    return page.evaluate(() => window.stage.over())
  }
  return ended
}

/** @type {Record<string, string | number>[]} */
const rows = []
/** @type {Record<string, unknown>[]} */
const transcripts = []
const failures = []

/**
 * @param {string} name
 * @param {readonly import('./transcript.mjs').Utterance[]} transcript
 * @param {import('./transcript.mjs').Measures} sum
 * @param {number} texts
 * @param {{ since: number, ended: number, quiet: boolean }} times
 */
function report(name, transcript, sum, texts, { since, ended, quiet }) {
  rows.push({
    scenario: name,
    'stream s': ((ended - since) / 1000).toFixed(1),
    utterances: sum.utterances,
    characters: sum.characters,
    lost: `${sum.lost.length} of ${texts}`,
    'in order': sum.inOrder ? 'yes' : 'no',
    redundancy: sum.redundancy.toFixed(2),
    'lag s': `${quiet ? '' : '> '}${(sum.lagMs / 1000).toFixed(1)}`,
  })
  transcripts.push({
    name,
    ended: ended - since,
    lost: sum.lost,
    spoken: transcript.map(({ start, end, text, cut, heard }) => ({
      from: start - since,
      to: (end ?? Date.now()) - since,
      text,
      ...(cut && { heard }),
    })),
  })
}

try {
  const chat = await openPage()
  for (const scenario of scenarios) {
    if (wanted.length > 0 && !wanted.some((word) => scenario.name.includes(word))) continue
    await chat.evaluate(() => window.stage.closeDialog())
    await clickTextBox(chat)
    await waitForQuiet(log, { quietMs: 1500 })
    await cancelSpeech()
    const since = Date.now()
    const ended = await play(chat, scenario)
    const quiet = await waitForQuiet(log, { quietMs: scenario.later === undefined ? 2500 : 6000 })
    const transcript = readTranscript(log, since)
    const expected = expectedOf(scenario.next ?? scenario, transcript)
    const sum = measure(transcript, expected, ended)
    report(scenario.name, transcript, sum, expected.length, { since, ended, quiet })
    const wellHeard = quiet && sum.lost.length === 0 && sum.inOrder && sum.lagMs <= MOST_LAG_MS
    // Silence would lose nothing and come in order.
    const isRead = scenario.content.length === 0 || countRead(transcript, scenario.content) > 0
    // What the person does is spoken too.
    const isCalm = scenario.act !== undefined || sum.redundancy <= MOST_REDUNDANCY
    if (!wellHeard || !isRead || !isCalm) failures.push(scenario.name)
  }
  await chat.close()
  if (wanted.length === 0 || wanted.includes('naive')) {
    const page = await openPage('?naive')
    await cancelSpeech()
    const script = { ...scenarios[0]?.script, tokenMs: 20, text: scenarios[0]?.script.text ?? '' }
    const since = Date.now()
    const ended = await page.evaluate(
      (told) => window.stage.ask(JSON.parse(told)),
      JSON.stringify(script),
    )
    const quiet = await waitForQuiet(log, { timeoutMs: 90_000 })
    const transcript = readTranscript(log, since)
    const sum = measure(transcript, LONG_SENTENCES, ended)
    report('naive role=log, 50 tokens/s', transcript, sum, LONG_SENTENCES.length, {
      since,
      ended,
      quiet,
    })
    await cancelSpeech()
  }
} finally {
  await browser.close()
  await server.close()
}

mkdirSync(results, { recursive: true })
writeFileSync(
  join(results, `spoken-${browserName}.json`),
  JSON.stringify(transcripts, undefined, 2),
)
console.log(`Orca with ${browserName}`)
console.table(rows)
console.log(failures.length === 0 ? 'All heard, in order.' : `Failed: ${failures.join('; ')}`)
process.exitCode = failures.length === 0 ? 0 : 1
