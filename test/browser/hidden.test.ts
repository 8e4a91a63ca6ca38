import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStreamHandler } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { scriptedModel } from 'sluice/testing'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { startRawChromium, type RawChromium, type RawTab } from './support/raw-chromium.ts'
import { buildPages } from '../../scripts/pages.mjs'

const answer = Array.from({ length: 300 }, (_, place) => `word${place} `)
  .join('')
  .trim()

let site: StaticServer
let chromium: RawChromium

beforeAll(async () => {
  const handler = toNodeListener(
    createStreamHandler({ base: '/api/chat', model: scriptedModel({ text: answer, tokenMs: 10 }) }),
  )
  const server: Route = (request, response) => {
    if (request.url?.startsWith('/api/chat') !== true) return false
    handler(request, response)
    return true
  }
  site = await serveFolder(await buildPages('development'), [server])
  chromium = await startRawChromium()
})

afterAll(async () => {
  await chromium?.close()
  await site?.close()
})

async function until(tab: RawTab, expression: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await tab.evaluate<boolean>(expression)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Never true: ${expression}`)
}

test('a hidden tab takes the whole text, without one frame, and stands complete when it is seen', async () => {
  const tab = await chromium.open(`${site.url}/lifecycle.html`)
  await until(tab, 'typeof stream === "object"')
  await tab.evaluate('void stream.start("Go")')
  await until(tab, 'stream.getSnapshot().text.length > 30')
  await (await chromium.open('about:blank')).activate()
  await until(tab, 'document.visibilityState === "hidden"')
  await tab.evaluate(`(() => {
    window.frames_ = 0
    const count = () => { frames_++; requestAnimationFrame(count) }
    requestAnimationFrame(count)
    window.seen = []
    stream.subscribe(() => seen.push([performance.now(), document.visibilityState]))
  })()`)
  await until(tab, 'stream.getSnapshot().status === "ready"')
  expect(await tab.evaluate('document.visibilityState')).toBe('hidden')
  expect(await tab.evaluate('frames_')).toBe(0)
  expect(await tab.evaluate('stream.getSnapshot().text')).toBe(answer)
  // Brought up to date from the network's own calls, at most every 250 ms, and at once at the end.
  const seen = await tab.evaluate<[number, string][]>('seen')
  expect(seen.length).toBeGreaterThan(2)
  const gaps = seen.slice(1, -1).map(([at], place) => at - (seen[place]?.[0] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(200)
  await tab.activate()
  await until(
    tab,
    `document.querySelector('#answer .sluice-md')?.textContent.trim() === ${JSON.stringify(answer)}`,
  )
})
