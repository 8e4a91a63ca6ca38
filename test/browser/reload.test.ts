import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createStreamHandler, memoryEventLog, type EventLogLimits } from 'sluice/server'
import { toNodeListener, type NodeListener } from 'sluice/server/node'
import { scriptedModel, type ScriptedModel } from 'sluice/testing'
import { launchChromium } from '../support/chromium.ts'
import { heldModel, type HeldModel } from '../support/held-model.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { buildPages } from '../../scripts/pages.mjs'

const words = 80
const answer = Array.from({ length: words }, (_, place) => `word${place} `).join('')

let browser: Browser
let context: BrowserContext
let site: StaticServer
let handler: NodeListener
let model: ScriptedModel
/** The same, waiting at the middle of its answer. */
let held: HeldModel
let requests: string[] = []
/** Breaks every connection of the streams. */
let cut = (): void => {}

beforeAll(async () => {
  const server: Route = (request, response) => {
    if (request.url?.startsWith('/api/chat') !== true) return false
    requests.push(`${request.method} ${request.url.replace(/\/api\/chat\/?[\w-]*/, '')}`)
    const before = cut
    cut = () => {
      before()
      response.destroy()
    }
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

/** A server with an empty log: what there is after it was started anew. */
function serve(limits: EventLogLimits = {}): void {
  const log = memoryEventLog(limits)
  handler = toNodeListener(createStreamHandler({ base: '/api/chat', model: held, log }))
}

beforeEach(async () => {
  requests = []
  cut = () => {}
  model = scriptedModel({ text: answer, tokenMs: 14 })
  held = heldModel(model, words / 2)
  serve()
  await context?.close()
  context = await browser.newContext()
})

async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${site.url}/reload.html`)
  return page
}

/** Asks, and waits for most of the first half of the answer. */
async function inMidStream(): Promise<Page> {
  const page = await open()
  await page.evaluate('void stream.start("Go")')
  await page.waitForFunction('stream.getSnapshot().text.length > 200')
  return page
}

const shown = async (page: Page): Promise<string> =>
  (await page.locator('#answer .sluice-md').first().innerText()).trim()
const over = (page: Page): Promise<unknown> =>
  page.waitForFunction('["ready", "error"].includes(stream.getSnapshot().status)')
const reason = (page: Page): Promise<string | null> =>
  page.locator('[data-role="assistant"]').getAttribute('data-reason')

describe('a page that is reloaded', () => {
  test('in mid-stream, twice: the whole text, each seq once, one model call', async () => {
    const page = await inMidStream()
    const before = await page.evaluate<string>('stream.getSnapshot().text')
    await page.reload()
    await page.reload()
    await page.waitForFunction('stream.getSnapshot().text.length > 0')
    held.release()
    await over(page)
    expect(before.length).toBeLessThan(answer.length)
    expect(await shown(page)).toBe(answer.trim())
    expect(await page.evaluate('stream.getSnapshot().message.status')).toEqual({
      type: 'complete',
      reason: 'stop',
    })
    const seqs = await page.evaluate<number[]>('seqs')
    expect(seqs).toEqual(seqs.map((_, place) => (seqs[0] ?? 0) + place))
    expect(model.calls).toBe(1)
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
  })

  test('after the end: shown as it was, without a request', async () => {
    const page = await inMidStream()
    held.release()
    await page.waitForFunction('stream.getSnapshot().message.status.type === "complete"')
    requests = []
    await page.reload()
    await page.locator('#answer .sluice-md').waitFor()
    expect(await shown(page)).toBe(answer.trim())
    expect(await page.locator('#answer').getAttribute('data-stream-status')).toBe('ready')
    expect(requests).toEqual([])
  })

  test('Stop after it stops the model', async () => {
    const page = await inMidStream()
    await page.reload()
    await page.waitForFunction('stream.getSnapshot().connection === "open"')
    await page.getByRole('button', { name: /Stop/ }).click()
    await page.waitForFunction('stream.getSnapshot().stopState === "confirmed"')
    const stopped = model.generated
    expect(stopped).toBeLessThan(words)
    held.release()
    await page.waitForTimeout(200)
    expect(model.generated).toBe(stopped)
    expect(await reason(page)).toBe('cancelled')
    expect(await page.evaluate('stream.getSnapshot().message.usage.outputTokens')).toBe(stopped)
    await page.reload()
    await page.locator('#answer > .sluice-status').waitFor()
    expect(await page.locator('#answer > .sluice-status').innerText()).toContain('Stopped')
  })

  test('into a server that was started anew: the text that was kept, and words that say so', async () => {
    const page = await inMidStream()
    // The text is written down once a second.
    await page.waitForFunction('sessionStorage.getItem("answer").includes("word5 ")')
    serve()
    await page.reload()
    await over(page)
    expect(await shown(page)).toMatch(/^word0 word1 /)
    expect(await reason(page)).toBe('interrupted')
    const badge = page.locator('#answer > .sluice-status')
    expect(await badge.innerText()).toMatch(/server does not know this answer any more/)
    held.release()
    await badge.getByRole('button', { name: 'Retry' }).click()
    await page.waitForFunction('stream.getSnapshot().message.status.type === "complete"')
    expect(model.calls).toBe(2)
  })

  test('after the log has expired: the same, and it is not asked for again', async () => {
    serve({ retentionMs: 1 })
    const page = await inMidStream()
    await page.waitForFunction('sessionStorage.getItem("answer").includes("word5 ")')
    await page.goto('about:blank')
    held.release()
    await expect.poll(() => model.generated, { timeout: 5000 }).toBe(words)
    await page.waitForTimeout(50)
    await page.goto(`${site.url}/reload.html`)
    await over(page)
    expect(await shown(page)).toMatch(/^word0 word1 /)
    expect(await page.locator('#answer > .sluice-status').innerText()).toMatch(
      /no longer kept on the server/,
    )
    requests = []
    await page.reload()
    await page.locator('#answer > .sluice-status').waitFor()
    expect(requests).toEqual([])
  })

  test('and then goes offline: it waits, and goes on when it is online', async () => {
    const page = await inMidStream()
    await page.reload()
    await page.waitForFunction('stream.getSnapshot().connection === "open"')
    await context.setOffline(true)
    cut()
    await page.waitForFunction('stream.getSnapshot().connection === "reconnecting"')
    await page.waitForTimeout(300)
    expect(await page.evaluate('stream.getSnapshot().connection')).toBe('reconnecting')
    expect(await page.evaluate('stream.getSnapshot().status')).toBe('streaming')
    await context.setOffline(false)
    held.release()
    await over(page)
    expect(await shown(page)).toBe(answer.trim())
    expect(model.calls).toBe(1)
  })
})
