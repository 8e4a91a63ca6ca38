import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener, type NodeListener } from 'sluice/server/node'
import { scriptedModel, type ScriptedModel } from 'sluice/testing'
import { launchChromium } from '../support/chromium.ts'
import { heldModel, type HeldModel } from '../support/held-model.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { buildPages } from '../../scripts/pages.mjs'

const answer = Array.from({ length: 60 }, (_, place) => `word${place} `)
  .join('')
  .trim()

let browser: Browser
let site: StaticServer
let handler: NodeListener
let model: ScriptedModel
/** The same, waiting at the middle of its answer. */
let held: HeldModel
let posts = 0

beforeAll(async () => {
  const server: Route = (request, response) => {
    if (request.url?.startsWith('/api/chat') !== true) return false
    if (request.method === 'POST') posts += 1
    handler(request, response)
    return true
  }
  site = await serveFolder(await buildPages('development'), [server])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

beforeEach(() => {
  posts = 0
  model = scriptedModel({ text: answer, tokenMs: 15 })
  held = heldModel(model, 30)
  handler = toNodeListener(
    createStreamHandler({ base: '/api/chat', model: held, log: memoryEventLog() }),
  )
})

const shown = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('#answer .sluice-md')?.textContent?.trim() ?? '')

async function begin(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${site.url}/lifecycle.html`)
  await page.evaluate('void stream.start("Go")')
  await page.waitForFunction('stream.getSnapshot().text.length > 30')
  return page
}

test('StrictMode mounts twice and asks once; one message with the whole text', async () => {
  const page = await begin()
  held.release()
  await page.waitForFunction('stream.getSnapshot().status === "ready"')
  expect(await shown(page)).toBe(answer)
  expect(await page.locator('[data-role="assistant"]').count()).toBe(1)
  expect([posts, model.calls]).toEqual([1, 1])
  await page.close()
})

test('the view is unmounted and mounted again while it streams: one request, the whole text', async () => {
  const page = await begin()
  await page.evaluate('setMode("gone")')
  expect(await page.locator('#answer').count()).toBe(0)
  const before = Number(await page.evaluate('stream.getSnapshot().text.length'))
  await page.waitForTimeout(150)
  await page.evaluate('setMode("shown")')
  held.release()
  await page.waitForFunction('stream.getSnapshot().status === "ready"')
  expect(before).toBeLessThan(answer.length)
  expect(await shown(page)).toBe(answer)
  expect([posts, model.calls]).toEqual([1, 1])
  await page.close()
})

test('the view is hidden by <Activity> while it streams: it goes on, and is whole when shown', async () => {
  const page = await begin()
  await page.evaluate('setMode("hidden")')
  held.release()
  await page.waitForFunction('stream.getSnapshot().status === "ready"')
  await page.evaluate('setMode("shown")')
  await page.waitForFunction(
    (text) => document.querySelector('#answer .sluice-md')?.textContent?.trim() === text,
    answer,
  )
  expect(await page.locator('[data-role="assistant"]').count()).toBe(1)
  expect([posts, model.calls]).toEqual([1, 1])
  await page.close()
})
