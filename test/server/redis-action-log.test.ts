import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisActionLog, type RedisActionLogOptions } from 'sluice/redis'
import { createId } from '../../src/protocol/ids.ts'
import {
  age,
  hasRedis,
  startRedis,
  type TestRedis,
  type TestRedisClient,
} from '../support/redis.ts'
import { actionLogContract, recordOf } from './action-log-contract.ts'

describe.skipIf(!hasRedis)('Redis (needs redis-server)', () => {
  let redis: TestRedis
  let client: TestRedisClient
  beforeAll(async () => {
    redis = await startRedis()
    client = await redis.connect()
  })
  afterAll(() => redis.stop())

  actionLogContract('redisActionLog', async ({ retentionMs }) => {
    const prefix = createId()
    const log = redisActionLog({ client, prefix, retentionMs })
    return { log, age: (ms) => age(client, prefix, ms), close: async () => {} }
  })

  test('of two processes one writes a version', async () => {
    const prefix = createId()
    const logs = [client, await redis.connect()].map((each) =>
      redisActionLog({ client: each, prefix }),
    )
    const id = createId()
    for (const version of [1, 2, 3, 4, 5]) {
      const answers = await Promise.all(
        logs.flatMap((log) =>
          Array.from({ length: 5 }, () => log.write({ ...recordOf(id), version })),
        ),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
    }
  })

  test('a missing client is named', () => {
    expect(() => redisActionLog({} as RedisActionLogOptions)).toThrow(/needs a client/)
  })
})
