import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStreamHandler } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { scriptedModel } from 'sluice/testing'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import type { FloodLog } from './pages/flood.tsx'
import { buildPages } from '../../scripts/pages.mjs'

/** 5,000 tokens, in paragraphs of 60 words. */
const answer = Array.from(
  { length: 5000 },
  (_, place) => `t${place}${place % 60 === 59 ? '\n\n' : ' '}`,
).join('')

let browser: Browser
let site: StaticServer

beforeAll(async () => {
  const handler = toNodeListener(
    createStreamHandler({ base: '/api/chat', model: scriptedModel({ text: answer, tokenMs: 1 }) }),
  )
  const server: Route = (request, response) => {
    if (request.url?.startsWith('/api/chat') !== true) return false
    handler(request, response)
    return true
  }
  site = await serveFolder(await buildPages('production'), [server])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

interface Figures {
  /** Frames in which the page changed, of those from the first to the last change. */
  readonly changed: number
  /** 95 % of all pieces of text were drawn within this, in milliseconds. */
  readonly p95: number
}

/** Streams once, checks what must hold in every run, and measures what a busy machine may spoil. */
async function flood(): Promise<Figures> {
  const page = await browser.newPage()
  await page.goto(`${site.url}/flood.html`)
  await page.evaluate('go()')
  const log = await page.evaluate<FloodLog>('flood')
  await page.close()

  expect(log.text).toBe(answer)
  expect(log.earlierRenders).toBe(0)

  // Start and end are told at once; between them, at most one notification falls between two frames.
  let frame = 0
  const perFrame = new Map<number, number>()
  for (const at of log.notifications) {
    while (frame < log.frames.length && (log.frames[frame]?.at ?? 0) < at) frame += 1
    perFrame.set(frame, (perFrame.get(frame) ?? 0) + 1)
  }
  expect([...perFrame.values()].filter((count) => count > 1).length).toBeLessThanOrEqual(2)

  const streaming = log.frames.filter(({ at }) => at > log.startedAt && at < (log.doneAt ?? 0))
  const first = streaming.findIndex((each) => each.changed)
  const last = streaming.findLastIndex((each) => each.changed)
  const drawn = streaming.slice(first, last + 1)
  const latencies = log.byteToPaint.toSorted((a, b) => a - b)
  expect(latencies.length).toBeGreaterThan(4900)
  return {
    changed: drawn.filter((each) => each.changed).length / drawn.length,
    p95: latencies[Math.floor(latencies.length * 0.95)] ?? Infinity,
  }
}

test('1,000 deltas a second for 5 s: one notification a frame, the page keeps up, nothing else is drawn again', async () => {
  const runs: Figures[] = []
  const isFine = ({ changed, p95 }: Figures): boolean =>
    changed >= 0.8 && p95 <= 2 * (1000 / 60) + 1
  while (runs.length < 4 && !runs.some(isFine)) runs.push(await flood())
  const told = runs.map(
    ({ changed, p95 }) => `${(100 * changed).toFixed(1)} %, p95 ${p95.toFixed(1)} ms`,
  )
  console.log(`frames changed, byte to paint: ${told.join('; ')}`)
  expect(runs.some(isFine), told.join('; ')).toBe(true)
})
