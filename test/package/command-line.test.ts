import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../dist/node/bin.js', import.meta.url))

/** A command that runs. */
interface Running {
  readonly url: Promise<string>
  readonly ended: Promise<{
    readonly code: number | null
    readonly out: string
    readonly err: string
  }>
  stop(): void
}

const running: Running[] = []
afterEach(() => {
  for (const command of running.splice(0)) command.stop()
})

function sluice(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  let [out, err] = ['', '']
  child.stderr.on('data', (bytes) => (err += String(bytes)))
  const url = new Promise<string>((resolve) => {
    child.stdout.on('data', (bytes) => {
      out += String(bytes)
      const found = /http:\/\/\S+/.exec(out)
      if (found !== null) resolve(found[0])
    })
  })
  const ended = new Promise<Awaited<Running['ended']>>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const command = { url, ended, stop: () => void child.kill() }
  running.push(command)
  return command
}

const ask = (url: string): Promise<Response> =>
  fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      requestId: 'a'.repeat(22),
      messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    }),
  })

test('serve prints where it is, serves the built page and answers', async () => {
  const server = sluice(['serve', '--port', '0'])
  const url = await server.url
  expect(url).toMatch(/^http:\/\/localhost:\d+$/)
  const page = await (await fetch(url)).text()
  const script = /src="([^"]+\.js)"/.exec(page)?.[1]
  expect(page).not.toMatch(/<script>|<style|style=/)
  const asset = await fetch(new URL(script ?? '', `${url}/`))
  expect(asset.status).toBe(200)
  expect(asset.headers.get('content-type')).toContain('javascript')
  const answer = await ask(url)
  const text = await answer.text()
  expect(text).toContain("I'm ")
  expect(text).toContain('"type":"done"')
  server.stop()
  expect((await server.ended).code).toBe(0)
})

test('a key stays in the server, and goes to the model alone', async () => {
  const seen: (string | undefined)[] = []
  const vendor = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      'data: {"choices":[{"index":0,"delta":{"content":"From the model."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    )
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const address = vendor.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const server = sluice(
    [
      'serve',
      '--port',
      '0',
      '--model',
      'openai-chat',
      '--model-name',
      'm',
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
    ],
    { OPENAI_API_KEY: 'sk-secret' },
  )
  const url = await server.url
  const text = await (await ask(url)).text()
  expect(text).toContain('From the model.')
  expect(seen).toEqual(['Bearer sk-secret'])
  expect(text + (await (await fetch(url)).text())).not.toContain('sk-secret')
  await new Promise((resolve) => vendor.close(resolve))
})

test('a taken port is told, and the next free one is taken', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const server = sluice(['serve', '--port', String(port)])
  expect(Number(new URL(await server.url).port)).toBeGreaterThan(port)
  server.stop()
  expect((await server.ended).out).toContain(`Port ${port} is taken; trying ${port + 1}.`)
  await new Promise((resolve) => blocker.close(resolve))
})

test.each([
  [['serve', '--prot', '3000'], "Unknown option '--prot'."],
  [['serve', '--port', 'x'], '--port takes a number'],
  [['serve', '--model', 'gpt'], 'There is no model gpt'],
  [['serve', '--model', 'openai-chat'], '--model-name'],
  [['serve', '--model', 'anthropic', '--model-name', 'm'], 'Set ANTHROPIC_API_KEY'],
  [['surf'], 'There is no command surf'],
])('%s: says what is wrong and which flags there are', async (args, problem) => {
  const { code, err } = await sluice(args).ended
  expect(code).toBe(2)
  expect(err).toContain(problem)
  expect(err).toContain('--base-url')
})

test('--help tells the flags', async () => {
  const { code, out } = await sluice(['--help']).ended
  expect(code).toBe(0)
  for (const flag of ['--model', '--base-url', '--model-name', '--port', '--host']) {
    expect(out).toContain(flag)
  }
})
