import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runConformanceTests } from '@durable-streams/server-conformance-tests'
import { afterAll, beforeAll, describe, TestRunner } from 'vitest'
import { redisEventLog } from 'sluice/redis'
import { memoryEventLog, type EventLog } from 'sluice/server'
import { fileEventLog, toNodeListener } from 'sluice/server/node'
import { listen, type TestServer } from '../support/chat-server.ts'
import { durableStreams } from '../support/durable-streams.ts'
import { hasRedis, startRedis } from '../support/redis.ts'

// The public conformance suite of another project's log, against each of ours.

const LONG_POLL_MS = 500
const isFull = process.env['SLUICE_FULL'] === '1'
const limits = { maxRunBytes: 64 * 1024 * 1024 }

interface Opened {
  readonly log: EventLog
  readonly close: () => Promise<void>
}

const stores: readonly (readonly [string, boolean, () => Promise<Opened>])[] = [
  ['memoryEventLog', true, async () => ({ log: memoryEventLog(limits), close: async () => {} })],
  [
    'fileEventLog',
    true,
    async () => {
      const log = fileEventLog({ ...limits, dir: await mkdtemp(join(tmpdir(), 'sluice-log-')) })
      return { log, close: () => log.close() }
    },
  ],
  [
    'redisEventLog (needs redis-server)',
    hasRedis,
    async () => {
      const redis = await startRedis()
      const log = redisEventLog({ ...limits, client: await redis.connect() })
      return {
        log,
        close: async () => {
          log.close()
          await redis.stop()
        },
      }
    },
  ],
]

for (const [name, canRun, open] of stores) {
  describe(`${name} passes`, { concurrent: true, skip: !canRun }, () => {
    // How long the suite waits for the end of a long poll, with room for a busy machine.
    const options = { baseUrl: '', longPollTimeoutMs: LONG_POLL_MS + 4000 }
    let opened: Opened
    let server: TestServer
    beforeAll(async () => {
      opened = await open()
      server = await listen(
        toNodeListener(durableStreams(opened.log, { longPollMs: LONG_POLL_MS })),
      )
      options.baseUrl = new URL(server.url).origin
    })
    afterAll(async () => {
      await server.close()
      await opened.close()
    })
    runConformanceTests(options)
    // Forks and subscriptions are no part of an event log; nor are lifetimes, which are kept beside it, and slow to test.
    const left = isFull ? /^(?:Fork|Reserved)/ : /^(?:Fork|Reserved|TTL Expiration Behavior)/
    const { tasks } = TestRunner.getCurrentSuite()
    const isOurs = tasks.filter((task) => !left.test(task.name))
    tasks.splice(0, tasks.length, ...isOurs)
  })
}
