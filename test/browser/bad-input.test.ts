import type { Browser } from 'playwright-core'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStreamHandler, openAIChatModel } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type Route, type StaticServer } from '../support/static-server.ts'
import { openChat } from './support/chat-page.ts'
import { buildPages } from '../../scripts/pages.mjs'

const sse = { 'content-type': 'text/event-stream' }
const delta = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

/** What a server may send that is no stream, by path. */
const answers: Readonly<
  Record<string, { status?: number; headers?: Record<string, string>; body: string }>
> = {
  json: {
    headers: { 'content-type': 'application/json' },
    body: '{"choices":[{"message":{"content":"Hi"}}]}',
  },
  html: {
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Sign in</title><b>Sign in</b>',
  },
  empty: { headers: sse, body: '' },
  malformed: {
    headers: sse,
    body: `${delta('The text so far')}data: {"choices":[{"delta":{"content":"and\n\n`,
  },
  'server-error': {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: '{"error":{"message":"boom"}}',
  },
  forbidden: {
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: '{"error":{"message":"no key"}}',
  },
}

const oddServer: Route = (request, response) => {
  const [, name] = /^\/odd\/([\w-]+)/.exec(request.url ?? '') ?? []
  const answer = name === undefined ? undefined : answers[name]
  if (answer === undefined) return false
  response.writeHead(answer.status ?? 200, answer.headers)
  response.end(answer.body)
  return true
}

// The server half, with a model that needs a key and has none.
const keyless = toNodeListener(
  createStreamHandler({
    base: '/keyless/chat',
    model: openAIChatModel({ apiKey: undefined, model: 'm' }),
  }),
)
const keylessServer: Route = (request, response) => {
  if (request.url?.startsWith('/keyless/') !== true) return false
  keyless(request, response)
  return true
}

let browser: Browser
let site: StaticServer

beforeAll(async () => {
  site = await serveFolder(await buildPages('development'), [oddServer, keylessServer])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return address.port
}

async function outcome(query: Record<string, string>) {
  const chat = await openChat(
    browser,
    `${site.url}/line.html?${new URLSearchParams(query).toString()}`,
  )
  await chat.ask('Hello')
  const end = await chat.ended()
  const badge = await chat.badge()
  const code = await chat.page.evaluate('chat.getSnapshot().error?.code')
  const status = await chat.page.evaluate('chat.getSnapshot().status')
  const question = await chat.page.locator('[data-role="user"]').innerText()
  await chat.close()
  return { ...end, badge, code, hookStatus: status, question }
}

const cases = [
  {
    name: 'JSON instead of a stream',
    path: 'json',
    code: 'not-a-stream',
    says: /not a stream/,
    next: /Check the address/,
  },
  {
    name: 'HTML instead of a stream',
    path: 'html',
    code: 'not-a-stream',
    says: /not a stream/,
    next: /Check the address/,
  },
  {
    name: 'an empty 200',
    path: 'empty',
    code: 'empty-response',
    says: /empty answer/,
    next: /Retry/,
  },
  {
    name: 'a record that is no JSON',
    path: 'malformed',
    code: 'malformed-record',
    says: /could not be read/,
    next: /Retry/,
  },
  { name: 'a 500', path: 'server-error', code: 'server', says: /server failed/, next: /Retry/ },
  {
    name: 'a wrong address',
    path: 'nowhere',
    code: 'not-found',
    says: /Nothing was found/,
    next: /Check the address/,
  },
  {
    name: 'a key that is not accepted',
    path: 'forbidden',
    code: 'auth',
    says: /key was missing or not accepted/,
    next: /Set a valid API key/,
  },
]

describe.each(cases)('$name', ({ path, code, says, next }) => {
  // The odd record is a vendor's; the others are the same in our own format.
  const formats = path === 'malformed' ? ['openai-chat'] : ['openai-chat', 'sluice']
  test.each(formats)('read as %s', async (format) => {
    const end = await outcome({ format, url: `/odd/${path}` })
    expect(end).toMatchObject({ status: 'incomplete', reason: 'error', code, hookStatus: 'error' })
    expect(end.badge).toMatch(says)
    expect(end.badge).toMatch(next)
    expect(end.badge).not.toMatch(/[<>{}]/)
    expect(end.question).toContain('Hello')
    if (path === 'malformed') expect(end.text).toBe('The text so far')
  })
})

test('a server that is not there', async () => {
  const end = await outcome({
    format: 'openai-chat',
    url: `http://127.0.0.1:${await closedPort()}/v1`,
  })
  expect(end).toMatchObject({ status: 'incomplete', code: 'network', hookStatus: 'error' })
  expect(end.badge).toMatch(/could not be reached.*Check the connection/s)
})

test('a server half without its key', async () => {
  const end = await outcome({ url: '/keyless/chat' })
  expect(end).toMatchObject({ status: 'incomplete', reason: 'error', code: 'auth' })
  expect(end.badge).toMatch(/Set a valid API key/)
})
