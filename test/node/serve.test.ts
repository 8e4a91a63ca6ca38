import { mkdtemp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer, request as rawRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoModel, demoScripts } from 'sluice/testing'
import { serve, type Served } from '../../src/node/serve.ts'
import { allEvents, ask, question, sseEvents, textIn } from '../support/chat-server.ts'

const taken: number[] = []
let served: Served
let folder: string

const serveOn = (port: number): Promise<Served> =>
  serve({
    model: demoModel({ queueMs: 0, prefillMs: 0, tokenMs: 1 }),
    demo: true,
    folder,
    host: '127.0.0.1',
    port,
    onTaken: (which) => taken.push(which),
  })

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'sluice-'))
  folder = join(parent, 'example')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Chat</title>')
  await writeFile(join(folder, 'assets/page-1a2b.js'), 'export {}')
  await writeFile(join(parent, 'secret.txt'), 'secret')
  await symlink(join(parent, 'secret.txt'), join(folder, 'link.txt'))
  served = await serveOn(0)
})
afterAll(() => served.close())

/** `fetch` would tidy up the path. */
function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(served.url)
    rawRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
      .on('error', reject)
      .end()
  })
}

test('serves the page under its policy', async () => {
  const response = await fetch(served.url)
  expect(await response.text()).toContain('<title>Chat</title>')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'",
  )
  const script = await fetch(`${served.url}/assets/page-1a2b.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toContain('immutable')
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/link.txt',
  '/assets',
  '/%00',
  '/%',
])('does not serve %s', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('answers only under its own name', async () => {
  expect((await get('/', { host: 'evil.example' })).status).toBe(403)
  expect((await get('/', { host: 'localhost:3000' })).status).toBe(200)
})

test('takes the next port where one is taken, and says so', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const second = await serveOn(port)
  expect(taken).toContain(port)
  expect(Number(new URL(second.url).port)).toBeGreaterThan(port)
  await second.close()
  await new Promise((resolve) => blocker.close(resolve))
})

test('drops the connection of the answer that is to lose it, and keeps the rest for who comes back', async () => {
  const url = `${served.url}/api/chat`
  const prompt = demoScripts.find(({ id }) => id === 'drop')?.prompt
  const requestId = 'a'.repeat(22)
  const events = sseEvents(await ask(url, { requestId, messages: [question(prompt)] }))
  const seen: string[] = []
  const reading = (async () => {
    for await (const event of events) seen.push(event.type)
  })()
  await expect(reading).rejects.toThrow('terminated')
  expect(seen.length).toBeGreaterThan(20)
  expect(seen).not.toContain('done')
  const whole = await allEvents(await fetch(`${url}/${requestId}/events`))
  expect(textIn(whole)).toMatch(/Falkirk|Forth and Clyde/)
  expect(whole.at(-1)).toMatchObject({ type: 'done' })
})
