import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener, type NodeListener } from 'sluice/server/node'
import { scriptedModel, type ScriptedModel } from 'sluice/testing'
import { launchChromium } from '../support/chromium.ts'
import { heldModel, type HeldModel } from '../support/held-model.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'
import { buildPages } from '../../scripts/pages.mjs'

const words = 40
const answer = Array.from({ length: words }, (_, place) => `word${place} `).join('')

let browser: Browser
let context: BrowserContext
let site: StaticServer
let handler: NodeListener
let model: ScriptedModel
/** The same, waiting at the middle of its answer. */
let held: HeldModel

beforeAll(async () => {
  site = await serveFolder(await buildPages('development'), [
    (request, response) => {
      if (request.url?.startsWith('/api/chat') !== true) return false
      handler(request, response)
      return true
    },
  ])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

beforeEach(async () => {
  model = scriptedModel({ text: answer, tokenMs: 2 })
  held = heldModel(model, words / 2)
  handler = toNodeListener(
    createStreamHandler({ base: '/api/chat', model: held, log: memoryEventLog() }),
  )
  await context?.close()
  context = await browser.newContext()
})

async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${site.url}/kept.html`)
  await page.waitForFunction('window.isReady')
  return page
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox').fill(question)
  await page.keyboard.press('Enter')
  await page.waitForFunction('document.querySelector(".sluice-md")?.textContent.includes("word9 ")')
}

const stored = `threads.load('one').then((thread) => JSON.stringify(thread ?? null))`
const ended = (page: Page): Promise<unknown> =>
  page.locator('[data-role=assistant][data-status=complete]').last().waitFor()
const shown = async (page: Page): Promise<string> =>
  (await page.locator('[data-role=assistant] .sluice-md').last().innerText()).trim()

test('reloaded in mid-answer: it goes on, whole, with one model call; after the end it is the same', async () => {
  const page = await open()
  await ask(page, 'What is a sluice?')
  await page.reload()
  await page.waitForFunction('window.isReady')
  held.release()
  await ended(page)
  expect(await shown(page)).toBe(answer.trim())
  expect(model.calls).toBe(1)
  await expect.poll(() => page.evaluate(stored)).toContain('"done"')
  await page.reload()
  await ended(page)
  expect(await shown(page)).toBe(answer.trim())
  expect(await page.locator('[data-role=user]').innerText()).toContain('What is a sluice?')
  expect(model.calls).toBe(1)
  expect(await page.evaluate('problems')).toEqual([])
})

test('two tabs that write at once: the database has what both wrote', async () => {
  held.release()
  const [a, b] = [await open(), await open()]
  await Promise.all([ask(a, 'from a'), ask(b, 'from b')])
  await Promise.all([ended(a), ended(b)])
  for (const page of [a, b]) {
    await expect.poll(() => page.evaluate(stored)).toMatch(/from a.*from b|from b.*from a/)
  }
  expect(await a.evaluate('problems')).toEqual([])
  expect(await b.evaluate('problems')).toEqual([])
})

test('a database or a conversation of a later version: words that say so, and nothing is written over it', async () => {
  const page = await open()
  await page.evaluate(
    `threads.save({ id: 'one', title: 'x', updatedAt: 0, basedOn: 0, data: { schema: 99 } })`,
  )
  const before = await page.evaluate(stored)
  await page.reload()
  await page.waitForFunction('window.isReady')
  expect(await page.evaluate('problems.join()')).toMatch(/newer version \(99;/)
  expect(await page.evaluate(stored)).toBe(before)
  // A page of the same origin that does not open the database.
  await page.goto(`${site.url}/reload.html`)
  await page.evaluate(
    `new Promise((resolve) => { indexedDB.open('sluice-threads', 7).onsuccess = ({ target }) => { target.result.close(); resolve() } })`,
  )
  await page.goto(`${site.url}/kept.html`)
  await page.waitForFunction('window.isReady')
  expect(await page.evaluate('problems.join()')).toMatch(/saved by a newer version/)
})

test('rename, drafts, removal and its undo in the database', async () => {
  const page = await open()
  const seen = await page.evaluate(`(async () => {
    const data = { schema: 2, entries: [], selected: [], queue: [] }
    const save = (basedOn) => threads.save({ id: 'two', title: 'first', updatedAt: 5, basedOn, data })
    const outcomes = [await save(0), await save(0)]
    await threads.rename('two', 'renamed')
    outcomes.push(await save(1))
    await threads.saveDraft('two', 'half a')
    const draft = await threads.loadDraft('two')
    const thread = await threads.load('two')
    await threads.remove('two')
    const removed = [await threads.list(), await threads.loadDraft('two')]
    await threads.restore(thread)
    return { outcomes, draft, removed, list: await threads.list(), same: JSON.stringify(await threads.load('two')) === JSON.stringify(thread) }
  })()`)
  expect(seen).toMatchObject({
    outcomes: [{ type: 'saved', version: 1 }, { type: 'conflict' }, { type: 'saved', version: 2 }],
    draft: 'half a',
    removed: [[], ''],
    list: [{ id: 'two', title: 'renamed', updatedAt: 5 }],
    same: true,
  })
})
