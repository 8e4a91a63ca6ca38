import type { ActionLog, ActionRecord } from '../actions/action-log.ts'
import { SluiceError } from '../protocol/errors.ts'
import { createScript, type RedisClient } from './redis-client.ts'

/** Options of {@link redisActionLog}. */
export interface RedisActionLogOptions {
  /** A connected client of the package `redis`. It stays the application's: it is neither opened nor closed here. */
  readonly client: Pick<RedisClient, 'sendCommand'>
  /** What all keys begin with. Default: `sluice`. */
  readonly prefix?: string | undefined
  /** How long an action is kept after it was last written, in milliseconds. Default: 24 hours. */
  readonly retentionMs?: number | undefined
}

/** `key version retentionMs json`. A field holds place and version before its JSON, so that Lua need not read that. */
const WRITE = `
local actions = KEYS[1]
local key, version, retentionMs, json = unpack(ARGV)
local place, before = redis.call('HLEN', actions), 0
local kept = redis.call('HGET', actions, key)
if kept then place, before = string.match(kept, '^(%d+) (%d+) ') end
if tonumber(before) ~= tonumber(version) - 1 then return 0 end
redis.call('HSET', actions, key, place .. ' ' .. version .. ' ' .. json)
redis.call('PEXPIRE', actions, retentionMs)
return 1
`

/**
 * Keeps actions in Redis, for any number of processes. "At most once" holds for as long as Redis keeps what it has
 * acknowledged: it must not evict keys (`maxmemory-policy noeviction`), and a server that may lose its last second in a
 * crash (`appendfsync everysec`) may forget an action begun in it.
 */
export function redisActionLog(options: RedisActionLogOptions): ActionLog {
  const { client, prefix = 'sluice', retentionMs = 24 * 60 * 60_000 } = options
  if (typeof client?.sendCommand !== 'function') {
    throw new SluiceError(
      'invalid-options',
      'redisActionLog needs a client: { client: await createClient().connect() }.',
    )
  }
  const keyOf = (requestId: string): string => `${prefix}:actions:${requestId}`
  const write = createScript(client, WRITE)

  return {
    async read(requestId) {
      const fields = (await client.sendCommand(['HVALS', keyOf(requestId)])) as string[]
      return fields
        .map((field) => {
          const [place = '', version = ''] = field.split(' ', 2)
          const json = field.slice(place.length + version.length + 2)
          return { place: Number(place), record: JSON.parse(json) as ActionRecord }
        })
        .toSorted((one, other) => one.place - other.place)
        .map(({ record }) => record)
    },

    async write(record) {
      const { requestId, key, version } = record
      const args = [key, version, retentionMs, JSON.stringify(record)]
      return (await write([keyOf(requestId)], args)) === 1
    },
  }
}
