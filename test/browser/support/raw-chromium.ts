import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { findChromium } from '../../../scripts/chromium.mjs'

/** A tab, spoken to by the DevTools protocol alone: a page that Playwright drives is never hidden. */
export interface RawTab {
  evaluate<T>(expression: string): Promise<T>
  send(method: string, params?: object): Promise<unknown>
  activate(): Promise<void>
}

/** A Chromium without Playwright. */
export interface RawChromium {
  open(url: string): Promise<RawTab>
  close(): Promise<void>
}

/** Starts one, headless, with a profile of its own. */
export async function startRawChromium(): Promise<RawChromium> {
  const executable = findChromium()
  if (executable === undefined) throw new Error('No Chromium.')
  const profile = mkdtempSync(join(tmpdir(), 'sluice-chromium-'))
  const child = spawn(
    executable,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const port = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += String(bytes)
      const found = /DevTools listening on ws:\/\/[\d.]+:(\d+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(`Chromium ended: ${said}`)))
  })
  const base = `http://127.0.0.1:${port}/json`
  return {
    async open(url) {
      const target = (await (await fetch(`${base}/new?${url}`, { method: 'PUT' })).json()) as {
        id: string
        webSocketDebuggerUrl: string
      }
      const send = await speakTo(target.webSocketDebuggerUrl)
      return {
        send,
        async evaluate<T>(expression: string) {
          const { result, exceptionDetails } = (await send('Runtime.evaluate', {
            expression,
            awaitPromise: true,
            returnByValue: true,
          })) as { result: { value: T }; exceptionDetails?: { text: string } }
          if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
          return result.value
        },
        async activate() {
          await fetch(`${base}/activate/${target.id}`)
        },
      }
    },
    async close() {
      // `close` waits for the helper processes too, who hold the same stderr and write to the profile until they end.
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill()
      await gone
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

async function speakTo(url: string): Promise<RawTab['send']> {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on('message', (data) => {
    const reply = JSON.parse((data as Buffer).toString()) as Reply
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  let id = 0
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      const own = ++id
      waiting.set(own, ({ result, error }) => {
        waiting.delete(own)
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
      socket.send(JSON.stringify({ id: own, method, params }))
    })
}
