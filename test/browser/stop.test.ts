import { LLMock } from '@copilotkit/aimock'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anthropicModel,
  createStreamHandler,
  memoryEventLog,
  openAIChatModel,
  openAIResponsesModel,
  type Model,
} from 'sluice/server'
import { toNodeListener, type NodeListener } from 'sluice/server/node'
import { scriptedModel, type ScriptedModel } from 'sluice/testing'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { openChat, type ChatPage } from './support/chat-page.ts'
import { passThrough } from './support/relay.ts'
import { buildPages } from '../../scripts/pages.mjs'

/** The promise of the issue, in milliseconds. */
const PROMPT = 50
/** A busy machine may delay one run; a design that is too slow is slow in each of them. */
const RUNS = 6

let browser: Browser
let site: StaticServer
let handler: NodeListener

const chatServer: Route = (request, response) => {
  if (request.url?.startsWith('/api/chat') !== true) return false
  handler(request, response)
  return true
}

const serve = (model: Model, logged: boolean): void => {
  handler = toNodeListener(
    createStreamHandler({ base: '/api/chat', model, ...(logged && { log: memoryEventLog() }) }),
  )
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const words = Array.from({ length: 4000 }, (_, place) => `word${place} `).join('')

beforeAll(async () => {
  site = await serveFolder(await buildPages('production'), [chatServer])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** Asks, waits until the answer grows, and clicks Stop. */
async function stopInMidAnswer(): Promise<{
  chat: ChatPage
  clickedAt: number
  told: { state: string; outputTokens?: number }
}> {
  const chat = await openChat(browser, `${site.url}/line.html`)
  await chat.ask('go')
  // The first 400 ms after Send belong to Send; growing so often takes longer, at 10 ms a token.
  await chat.page.waitForFunction('answerGrowth().length > 42')
  const deleted = chat.page.waitForResponse((response) => response.request().method() === 'DELETE')
  await chat.page.evaluate(() => {
    const onClick = (): void => void Object.assign(window, { clickedAt: Date.now() })
    document.addEventListener('click', onClick, { capture: true })
  })
  await chat.page.getByRole('button', { name: /Stop/ }).click()
  const told = (await (await deleted).json()) as { state: string; outputTokens?: number }
  return { chat, told, clickedAt: Number(await chat.page.evaluate('clickedAt')) }
}

describe('our server, the scripted model', () => {
  test.each([
    ['with a log', true],
    ['as a pass-through', false],
  ])(
    '%s: the model has stopped within 50 ms of the click, and the count told is its own',
    async (_, logged) => {
      const delays: number[] = []
      for (let run = 0; run < RUNS && Math.min(...delays) > PROMPT; run++) {
        const model: ScriptedModel = scriptedModel({ text: words, tokenMs: 10 })
        let stoppedAt: number | undefined
        const watched: Model = (request, io) => {
          const events = model(request, io) as AsyncIterable<never>
          return (async function* () {
            try {
              yield* events
            } finally {
              stoppedAt = Date.now()
            }
          })()
        }
        serve(watched, logged)
        const { chat, told, clickedAt } = await stopInMidAnswer()
        expect(told).toMatchObject({ state: 'cancelled', outputTokens: model.generated })
        expect(await chat.ended()).toMatchObject({ status: 'incomplete', reason: 'cancelled' })
        expect(await chat.badge()).toContain('Stopped')
        expect(await chat.page.evaluate('chat.getSnapshot().stopState')).toBe('confirmed')
        const counted = 'chat.getSnapshot().messages.at(-1).usage.outputTokens'
        expect(await chat.page.evaluate(counted)).toBe(model.generated)
        await pause(500)
        expect(model.generated).toBe(told.outputTokens)
        expect(model.calls).toBe(1)
        expect(stoppedAt).toBeDefined()
        delays.push(stoppedAt! - clickedAt)
        await chat.close()
      }
      console.log(`click to stopped model loop: ${delays.join(', ')} ms`)
      expect(Math.min(...delays)).toBeLessThanOrEqual(PROMPT)
    },
  )
})

describe('a vendor behind a TCP pass-through', () => {
  let mock: LLMock

  beforeAll(async () => {
    mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 6, latency: 15, logLevel: 'silent' })
    mock.onMessage('go', { content: words })
    await mock.start()
  })
  afterAll(() => mock?.stop())

  test.each([
    ['openai-chat', openAIChatModel, '/v1'],
    ['openai-responses', openAIResponsesModel, '/v1'],
    ['anthropic', anthropicModel, ''],
  ] as const)(
    '%s: its socket is closed within 50 ms of the click, and no byte follows',
    async (_, vendorModel, base) => {
      const delays: number[] = []
      for (let run = 0; run < RUNS && Math.min(...delays) > PROMPT; run++) {
        const between = await passThrough(mock.url)
        serve(vendorModel({ baseURL: between.url + base, apiKey: 'test', model: 'm' }), true)
        const { chat, clickedAt } = await stopInMidAnswer()
        expect(await chat.ended()).toMatchObject({ status: 'incomplete', reason: 'cancelled' })
        await pause(300)
        expect(await chat.page.evaluate('chat.getSnapshot().stopState')).toBe('confirmed')
        expect(between.closedAt).toBeDefined()
        expect(between.lastByteAt!).toBeLessThanOrEqual(between.closedAt!)
        delays.push(between.closedAt! - clickedAt)
        await chat.close()
        await between.close()
      }
      console.log(`click to closed upstream socket: ${delays.join(', ')} ms`)
      expect(Math.min(...delays)).toBeLessThanOrEqual(PROMPT)
    },
  )
})
