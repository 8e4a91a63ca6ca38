import { systemClock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { Appended, EventLog, RunState } from './event-log.ts'
import { bytesOf, compact } from './log-page.ts'
import type { EventLogLimits } from './memory-event-log.ts'
import { createRedisHints, createScript, type RedisClient, type Script } from './redis-client.ts'
import { APPEND, CANCEL, CREATE, LOOK, MERGE, READ, RENEW } from './redis-scripts.ts'
import { abandoned, stateAfter, TOMBSTONE_MS } from './run-head.ts'

/** Options of {@link redisEventLog}. `clock` says when an abandoned run was found; ages are by Redis' own clock. */
export interface RedisEventLogOptions extends EventLogLimits {
  /** A connected client of the package `redis`. It stays the application's: it is neither opened nor closed here. */
  readonly client: RedisClient
  /** What all keys begin with. Default: `sluice`. */
  readonly prefix?: string | undefined
  /** How often readers look without being told, in milliseconds. Default: 1,000. */
  readonly pollMs?: number | undefined
}

/** A log in Redis. */
export interface RedisEventLog extends EventLog {
  /** Ends the connection on which hints are heard. */
  close(): void
}

/** Merge the older events when so many are there … */
const MERGE_AT = 512
/** … but leave the newest alone, for a cursor inside a merged event has to begin again. */
const MERGE_KEEP = 128
/** How long a run is kept of which nothing is heard any more: no owner, and no reader to find that out. */
const KEEP_MS = 60 * 60_000

/**
 * Keeps runs in Redis (6.2 or later; one server, not a cluster), in streams: for any number of processes, any of which
 * may own a run and all of which can read it and stop it. If the owner dies or hangs, the first reader to look after its
 * lease ends the run as `interrupted`; what the owner still writes after that is refused. Redis must not evict keys by
 * itself (`maxmemory-policy noeviction`).
 */
export function redisEventLog(options: RedisEventLogOptions): RedisEventLog {
  const {
    client,
    prefix = 'sluice',
    pollMs = 1_000,
    retentionMs = 10 * 60_000,
    memoryMs = 60 * 60_000,
    maxRuns = 10_000,
    maxRunBytes = 4 * 1024 * 1024,
    clock = systemClock,
  } = options
  if (typeof client?.sendCommand !== 'function') {
    throw new SluiceError(
      'invalid-options',
      'redisEventLog needs a client: { client: await createClient().connect() }.',
    )
  }
  const run = `${prefix}:run:`
  const channelOf = (id: string): string => run + id
  const keysOf = (id: string): string[] => [
    ...['head', 'fresh', 'merged', 'lease', 'wish'].map((part) => `${run}${id}:${part}`),
    `${prefix}:running`,
    `${prefix}:ended`,
  ]
  const hints = createRedisHints(client, { clock, patienceMs: pollMs })
  const script = (source: string): Script => createScript(client, source)
  const [create, append, merge] = [script(CREATE), script(APPEND), script(MERGE)]
  const [read, look, renew, cancel] = [script(READ), script(LOOK), script(RENEW), script(CANCEL)]

  const add = async (
    id: string,
    epoch: number,
    events: readonly StreamEvent[],
    abandon: boolean,
  ): Promise<readonly [answer: Appended | 'held', fresh: number]> => {
    const [answer, fresh] = (await append(keysOf(id), [
      id,
      channelOf(id),
      epoch,
      abandon ? 1 : 0,
      maxRunBytes,
      retentionMs,
      memoryMs,
      KEEP_MS,
      ...events.flatMap((event) => [
        event.seq,
        event.from ?? event.seq,
        bytesOf(event),
        stateAfter(event),
        JSON.stringify(event),
      ]),
    ])) as [Appended | 'held', number]
    return [answer, fresh]
  }

  /** Merges what is old. Whoever comes second finds it done. */
  const settle = async (id: string, fresh: number): Promise<void> => {
    const keys = keysOf(id)
    const count = String(fresh - MERGE_KEEP)
    const entries = await client.sendCommand(['XRANGE', keys[1] ?? '', '-', '+', 'COUNT', count])
    const events = (entries as [string, string[]][]).map(([, [, json = '']]) => parse(json))
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined) return
    const merged = compact(events)
    await merge(keys, [
      first.seq,
      last.seq,
      sizeOf(merged) - sizeOf(events),
      ...merged.flatMap((event) => [event.seq, JSON.stringify(event)]),
    ])
  }

  return {
    pollMs,

    async create(id, { fingerprint, leaseMs }) {
      const args = [id, fingerprint, leaseMs, KEEP_MS, maxRuns, run]
      const role = (await create(keysOf(id), args)) as
        | 'owner'
        | 'cancelled'
        | 'attached'
        | 'conflict'
        | 'full'
      return role === 'owner' || role === 'cancelled'
        ? { role: 'owner', epoch: 1, cancelled: role === 'cancelled' }
        : { role }
    },

    async append(id, epoch, events) {
      if (events.length === 0) return 'duplicate'
      const [answer, fresh] = await add(id, epoch, events, false)
      if (fresh > MERGE_AT) await settle(id, fresh)
      return answer === 'held' ? 'fenced' : answer
    },

    async read(id, after, limit = Infinity) {
      // Lua has no name for it.
      const most = Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER
      const page = (await read(keysOf(id), [after, most])) as string[] | null
      if (page === null) return undefined
      const [state, lastSeq, firstSeq, ...events] = page
      return {
        state: state as RunState,
        events: events.map(parse),
        lastSeq: Number(lastSeq),
        firstSeq: Number(firstSeq),
      }
    },

    watch: (id, hint, signal) => hints.watch(channelOf(id), hint, signal),

    async renew(id, epoch, leaseMs) {
      const answer = await renew(keysOf(id), [epoch, leaseMs, KEEP_MS])
      return answer as 'ok' | 'cancel' | 'fenced' | 'gone'
    },

    async requestCancel(id) {
      const state = (await cancel(keysOf(id), [channelOf(id), TOMBSTONE_MS])) as RunState | null
      return state ?? undefined
    },

    async sweep(id) {
      for (;;) {
        const seen = (await look(keysOf(id), [])) as [RunState, string, string, number] | null
        if (seen === null) return undefined
        const [state, epoch, lastSeq, isHeld] = seen
        if (state !== 'running' || isHeld === 1) return state
        const end = abandoned(id, Number(lastSeq) + 1, clock.now())
        const [answer] = await add(id, Number(epoch), [end], true)
        if (answer === 'ok') return stateAfter(end)
        // It has moved in between: looked at again.
      }
    },

    close: () => hints.close(),
  }
}

function parse(json: string): StreamEvent {
  return JSON.parse(json) as StreamEvent
}

function sizeOf(events: readonly StreamEvent[]): number {
  return events.reduce((sum, event) => sum + bytesOf(event), 0)
}
