import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { findTool } from '../../scripts/tools.mjs'

const program = findTool('redis-server')

/** Whether a test that needs a real Redis can run; `describe.skipIf(!hasRedis)('… (needs redis-server)')`. */
export const hasRedis = program !== undefined

/** A Redis of a test's own. */
export interface TestRedis {
  /** Of its Unix socket. */
  readonly path: string
  /** A new connection, which `stop` ends. */
  readonly connect: () => Promise<TestRedisClient>
  readonly stop: () => Promise<void>
}

export type TestRedisClient = ReturnType<typeof clientOf>

const clientOf = (path: string) => createClient({ socket: { path, tls: false } })

/** Starts a Redis on a Unix socket, without files of its own. */
export async function startRedis(): Promise<TestRedis> {
  if (program === undefined)
    throw new Error('No redis-server: `npm test` installs one or says how.')
  const dir = await mkdtemp(join(tmpdir(), 'sluice-redis-'))
  const path = join(dir, 'socket')
  const args = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', dir]
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // Also when the tests end before their time.
  process.once('exit', () => server.kill())
  await new Promise<void>((resolve, reject) => {
    let said = ''
    server.once('error', reject)
    server.once('exit', () => reject(new Error(said)))
    server.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (/ready to accept connections/i.test(said)) resolve()
    })
  })
  const clients: TestRedisClient[] = []
  return {
    path,
    async connect() {
      const client = clientOf(path)
      clients.push(client)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async stop() {
      for (const client of clients) client.destroy()
      server.kill()
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Lets time pass for the keys under a prefix, and for them alone. */
export async function age(client: TestRedisClient, prefix: string, ms: number): Promise<void> {
  const keys = await client.keys(`${prefix}:*`)
  await Promise.all(
    keys.map(async (key) => {
      const left = await client.pTTL(key)
      // -1: it does not expire.
      if (left >= 0) await client.pExpire(key, left - ms)
    }),
  )
}
