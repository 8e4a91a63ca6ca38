import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisEventLog, type RedisEventLogOptions } from 'sluice/redis'
import type { EventLog } from 'sluice/server'
import type { StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'
import {
  age,
  hasRedis,
  startRedis,
  type TestRedis,
  type TestRedisClient,
} from '../support/redis.ts'
import { eventLogContract } from './event-log-contract.ts'

const claim = { fingerprint: 'f', leaseMs: 15_000 }

const delta = (requestId: string, seq: number, text = `t${seq} `): StreamEvent => ({
  v: 1,
  requestId,
  seq,
  type: 'text_delta',
  part: 'p',
  text,
})

describe.skipIf(!hasRedis)('Redis (needs redis-server)', () => {
  let redis: TestRedis
  let client: TestRedisClient
  beforeAll(async () => {
    redis = await startRedis()
    client = await redis.connect()
  })
  afterAll(() => redis.stop())

  eventLogContract('redisEventLog', async (limits) => {
    const prefix = createId()
    const log = redisEventLog({ ...limits, client, prefix })
    return { log, age: (ms) => age(client, prefix, ms), close: async () => log.close() }
  })

  /** Two processes’ logs over the same Redis. */
  const withTwo = async (
    options: Partial<RedisEventLogOptions>,
    body: (one: EventLog, other: EventLog, prefix: string) => Promise<void>,
  ): Promise<void> => {
    const prefix = createId()
    const [one, other] = [client, await redis.connect()].map((each) =>
      redisEventLog({ prefix, ...options, client: each }),
    ) as [ReturnType<typeof redisEventLog>, ReturnType<typeof redisEventLog>]
    try {
      await body(one, other, prefix)
    } finally {
      one.close()
      other.close()
    }
  }

  test('one process owns, the other reads, is told, and stops it', async () => {
    await withTwo({}, async (one, other) => {
      const id = createId()
      const watching = new AbortController()
      const [heardByOne, heardByOther]: string[][] = [[], []]
      expect(await one.create(id, claim)).toMatchObject({ role: 'owner' })
      expect(await other.create(id, claim)).toEqual({ role: 'attached' })
      await one.watch(id, (hint) => heardByOne?.push(hint), watching.signal)
      await other.watch(id, (hint) => heardByOther?.push(hint), watching.signal)
      await one.append(id, 1, [delta(id, 1)])
      await expect.poll(() => heardByOther).toEqual(['events'])
      expect((await other.read(id, 0))?.events).toEqual([delta(id, 1)])
      expect(await other.requestCancel(id)).toBe('running')
      await expect.poll(() => heardByOne).toContain('cancel')
      watching.abort()
    })
  })

  test('of two who find an owner dead one ends the run', async () => {
    await withTwo({}, async (one, other, prefix) => {
      const id = createId()
      await one.create(id, { ...claim, leaseMs: 20 })
      await one.append(id, 1, [delta(id, 1)])
      await age(client, prefix, 1_000)
      expect(await Promise.all([one.sweep(id), other.sweep(id)])).toEqual(['unknown', 'unknown'])
      expect((await other.read(id, 0))?.events.map(({ type }) => type)).toEqual([
        'text_delta',
        'interrupted',
      ])
      expect(await one.append(id, 1, [delta(id, 2)])).toBe('fenced')
    })
  })

  test('its scripts are sent anew to a server that has forgotten them', async () => {
    await withTwo({}, async (one) => {
      const id = createId()
      await one.create(id, claim)
      await one.append(id, 1, [delta(id, 1)])
      await client.sendCommand(['SCRIPT', 'FLUSH'])
      expect(await one.append(id, 1, [delta(id, 2)])).toBe('ok')
      expect(await one.read(id, 0)).toMatchObject({ lastSeq: 2 })
    })
  })

  test('hints are heard again after the connection is lost', async () => {
    await withTwo({}, async (one, other) => {
      const id = createId()
      const watching = new AbortController()
      let heard = 0
      await one.create(id, claim)
      await other.watch(id, () => (heard += 1), watching.signal)
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])
      let seq = 0
      await expect
        .poll(async () => {
          seq += 1
          await one.append(id, 1, [delta(id, seq)])
          return heard
        })
        .toBeGreaterThan(0)
      watching.abort()
    })
  })

  test('who can’t subscribe reads all the same', async () => {
    const deaf = {
      sendCommand: client.sendCommand.bind(client),
      duplicate: () => ({
        connect: () => new Promise(() => {}),
        subscribe: async () => {},
        unsubscribe: async () => {},
        on: () => {},
        destroy: () => {},
      }),
    }
    const log = redisEventLog({ client: deaf, prefix: createId(), pollMs: 20 })
    const id = createId()
    await log.create(id, claim)
    await log.watch(id, () => {}, new AbortController().signal)
    await log.append(id, 1, [delta(id, 1)])
    expect(await log.read(id, 0)).toMatchObject({ lastSeq: 1 })
    log.close()
  })

  test('runs of dead owners make room, those of living ones don’t', async () => {
    await withTwo({ maxRuns: 3 }, async (log, _, prefix) => {
      const [dead, alsoDead, alive] = [createId(), createId(), createId()]
      await log.create(dead, { ...claim, leaseMs: 10 })
      await log.create(alsoDead, { ...claim, leaseMs: 10 })
      await log.create(alive, claim)
      expect(await log.create(createId(), claim)).toEqual({ role: 'full' })
      await age(client, prefix, 100)
      expect(await log.create(createId(), claim)).toMatchObject({ role: 'owner' })
      expect(await log.create(createId(), claim)).toMatchObject({ role: 'owner' })
      expect(await log.create(createId(), claim)).toEqual({ role: 'full' })
      expect(await log.read(dead, 0)).toBeUndefined()
      expect(await log.append(alsoDead, 1, [delta(alsoDead, 1)])).toBe('gone')
      expect(await log.read(alive, 0)).toMatchObject({ state: 'running' })
    })
  })

  test('nothing is left in Redis once everything has expired', async () => {
    await withTwo({ retentionMs: 1_000, memoryMs: 1_000 }, async (log, _, prefix) => {
      const id = createId()
      await log.create(id, claim)
      for (let seq = 1; seq <= 600; seq += 1) await log.append(id, 1, [delta(id, seq)])
      await log.append(id, 1, [
        { v: 1, requestId: id, seq: 601, type: 'done', finishReason: 'stop' },
      ])
      await age(client, prefix, 3_000)
      const keys = await client.keys(`${prefix}:*`)
      // The list of ended runs is bounded by maxRuns.
      expect(keys).toEqual([`${prefix}:ended`])
    })
  })

  test('a missing client is named', () => {
    expect(() => redisEventLog({} as RedisEventLogOptions)).toThrow(/needs a client/)
  })
})
