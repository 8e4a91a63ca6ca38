import type { Browser } from 'playwright-core'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoModel, demoScripts } from 'sluice/testing'
import { serve, type Served } from '../../src/node/serve.ts'
import { launchChromium } from '../support/chromium.ts'
import { openChat } from './support/chat-page.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  // As `npm start` serves it, only faster.
  served = await serve({
    model: demoModel({ queueMs: 0, prefillMs: 20, tokenMs: 2 }),
    demo: true,
    folder: join(import.meta.dirname, '../../dist/example'),
    host: '127.0.0.1',
    port: 0,
    onTaken: () => {},
  })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

/** How each suggestion of the page ends, and what of it must be seen. */
const ends: Readonly<
  Record<string, { status: string; reason: string; has?: string; says?: string }>
> = {
  prose: { status: 'complete', reason: 'stop', has: 'h4' },
  table: { status: 'complete', reason: 'stop', has: 'table' },
  code: { status: 'complete', reason: 'stop', has: 'pre' },
  reasoning: { status: 'complete', reason: 'stop', has: '.sluice-step' },
  list: { status: 'complete', reason: 'stop', has: 'ol' },
  japanese: { status: 'complete', reason: 'stop' },
  tool: { status: 'complete', reason: 'stop', has: '.sluice-step' },
  length: { status: 'incomplete', reason: 'length', says: 'Cut off at the length limit' },
  refusal: { status: 'incomplete', reason: 'refusal', says: 'Declined' },
  // The connection is dropped and made anew: the reader gets the whole answer.
  drop: { status: 'complete', reason: 'stop' },
  interrupted: { status: 'incomplete', reason: 'interrupted', says: 'Connection lost, text kept' },
  error: { status: 'incomplete', reason: 'error', says: 'Rate limited' },
}

test.each(demoScripts.map(({ id, title }) => ({ id, title })))(
  'the suggestion “$title” is asked with a click and ends as it should',
  async ({ id, title }) => {
    const end = ends[id]!
    const chat = await openChat(browser, served.url)
    const suggestion = chat.page.getByRole('button', { name: title })
    if (!(await suggestion.isVisible())) {
      await chat.page.getByRole('button', { name: 'More suggestions' }).click()
    }
    await suggestion.click()
    const answer = chat.page.locator('[data-role="assistant"]')
    await answer.waitFor({ state: 'attached' })
    expect(await chat.ended()).toMatchObject({ status: end.status, reason: end.reason })
    if (end.has !== undefined) expect(await answer.locator(end.has).count()).toBeGreaterThan(0)
    if (end.says !== undefined) expect(await chat.badge()).toContain(end.says)
    // Chromium itself writes down a connection that broke and a request that was refused.
    if (id !== 'drop' && id !== 'error') expect(chat.problems).toEqual([])
    await chat.close()
  },
)
