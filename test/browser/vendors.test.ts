import { LLMock } from '@copilotkit/aimock'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { openChat } from './support/chat-page.ts'
import { relayUnder } from './support/relay.ts'
import { buildPages } from '../../scripts/pages.mjs'

/** A server that we did not write, in three formats, read by the page itself. */
const vendors = [
  { format: 'openai-chat', path: '/v1/chat/completions' },
  { format: 'openai-responses', path: '/v1/responses' },
  { format: 'anthropic', path: '/v1/messages' },
] as const

const latency = 15
const tide =
  'The tide runs two knots at most here. At slack water the gates stand open, and a boat may pass without ' +
  'asking. An hour later the sill is dry, the sluice is shut, and whoever is late waits for the moon.'
const chunkSize = 4
const chunks = Math.ceil(tide.length / chunkSize)

/** Recorded streams that the mock can't make, served in slow pieces; under `/cut/` only their first half, cleanly ended. */
const recorded: Route = (request, response) => {
  const [, kind, vendor, name] = /^\/(wire|cut)\/([\w-]+)\/([\w-]+)$/.exec(request.url ?? '') ?? []
  if (vendor === undefined || name === undefined) return false
  const whole = readFileSync(
    join(import.meta.dirname, '../fixtures/wire', vendor, `${name}.sse`),
    'utf8',
  )
  const records = whole.split('\n\n')
  const rest = kind === 'cut' ? records.slice(0, Math.ceil(records.length / 2)) : records
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const timer = setInterval(() => {
    const record = rest.shift()
    if (record !== undefined) return void response.write(`${record}\n\n`)
    clearInterval(timer)
    response.end()
  }, 5)
  response.on('close', () => clearInterval(timer))
  return true
}

let browser: Browser
let site: StaticServer
let mock: LLMock

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize, latency, logLevel: 'silent' })
  mock.onMessage('tide', { content: tide })
  mock.onMessage('long', { content: 'It goes on and', finishReason: 'length' })
  mock.onMessage('cut', { content: tide }, { truncateAfterChunks: 12, latency })
  mock.onMessage('limit', {
    error: { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    status: 429,
    retryAfter: 20,
  })
  await mock.start()
  site = await serveFolder(await buildPages('development'), [
    recorded,
    relayUnder('/mock', mock.url),
  ])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
  await mock?.stop()
})

describe.each(vendors)('$format', ({ format, path }) => {
  const open = (url: string) =>
    openChat(
      browser,
      `${site.url}/line.html?${new URLSearchParams({ format, url, model: 'm' }).toString()}`,
    )

  test('text appears as it comes, and the whole answer stands at the end', async () => {
    // A busy machine may hold one run back; a page that waits for the whole does so in each of them.
    let wasGradual = false
    for (let run = 0; run < 4 && !wasGradual; run++) {
      const chat = await open(`/mock${path}`)
      const begun = Number(await chat.page.evaluate('performance.now()'))
      await chat.ask('tide')
      expect(await chat.ended()).toEqual({ status: 'complete', reason: 'stop', text: tide })
      const growth = await chat.growth()
      const lengths = growth.map((each) => each.length)
      expect(lengths).toEqual(lengths.toSorted((x, y) => x - y))
      const first = growth[0]!.at - begun
      const whole = growth.at(-1)!.at - begun
      const distinct = new Set(lengths).size
      wasGradual = distinct >= Math.min(chunks, await chat.frames()) / 2 && first < whole / 2
      expect(chat.problems).toEqual([])
      await chat.close()
    }
    expect(wasGradual).toBe(true)
  })

  test('an answer cut at the length limit says so and can be continued', async () => {
    const chat = await open(`/mock${path}`)
    await chat.ask('long')
    expect(await chat.ended()).toMatchObject({
      status: 'incomplete',
      reason: 'length',
      text: 'It goes on and',
    })
    expect(await chat.badge()).toContain('Cut off at the length limit')
    expect(await chat.page.getByRole('button', { name: 'Continue' }).isVisible()).toBe(true)
    await chat.close()
  })

  test('a cut connection is interrupted, and the text so far is kept', async () => {
    const chat = await open(`/mock${path}`)
    await chat.ask('cut')
    const end = await chat.ended()
    expect(end).toMatchObject({ status: 'incomplete', reason: 'interrupted' })
    expect(end.text.length).toBeGreaterThan(0)
    expect(tide.startsWith(end.text)).toBe(true)
    expect(await chat.badge()).toContain('Connection lost, text kept')
    await chat.close()
  })

  test('too many requests: the error tells its wait, and Retry is offered', async () => {
    const chat = await open(`/mock${path}`)
    await chat.ask('limit')
    expect(await chat.ended()).toMatchObject({ status: 'incomplete', reason: 'error' })
    expect(await chat.badge()).toMatch(/Rate limited, (20|19) s/)
    expect(await chat.page.getByRole('button', { name: 'Retry' }).isVisible()).toBe(true)
    await chat.close()
  })

  test('a refusal is one, with its own words and not as an answer', async () => {
    const chat = await open(`/wire/${format}/refusal`)
    await chat.ask('anything')
    expect(await chat.ended()).toMatchObject({ status: 'incomplete', reason: 'refusal' })
    expect(await chat.badge()).toContain('Declined')
    await chat.close()
  })

  test('an error in mid-stream is an error, and the text so far is kept', async () => {
    const chat = await open(`/wire/${format}/error-mid`)
    await chat.ask('anything')
    const end = await chat.ended()
    expect(end).toMatchObject({ status: 'incomplete', reason: 'error' })
    expect(end.text).not.toBe('')
    await chat.close()
  })

  test('a clean end of the body without an end of the answer is interrupted', async () => {
    const chat = await open(`/cut/${format}/aimock-plain`)
    await chat.ask('anything')
    const end = await chat.ended()
    expect(end).toMatchObject({ status: 'incomplete', reason: 'interrupted' })
    expect(end.text).not.toBe('')
    await chat.close()
  })
})
