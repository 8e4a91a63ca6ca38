import { systemClock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { EventLog } from '../server/event-log.ts'
import type { EventLogLimits } from '../server/memory-event-log.ts'
import { bytesOf, compact, createPage } from '../server/log-page.ts'
import {
  abandoned,
  admit,
  headAfter,
  newHead,
  TIDY_MS,
  TOMBSTONE_MS,
  type RunHead,
} from '../server/run-head.ts'
import { createWatchers } from '../server/watchers.ts'
import { openStore, type Store, type Write } from './store.ts'
import { createTurns } from './turns.ts'

/** Options of {@link fileEventLog}. */
export interface FileEventLogOptions extends EventLogLimits {
  /** A folder for this log alone; made if it is not there. */
  readonly dir: string
}

/** A log on disk. */
export interface FileEventLog extends EventLog {
  /** Gives the folder back, for another process or another log. */
  close(): Promise<void>
}

/** A run as it is stored: `merged` once its pieces of text have been. */
type StoredHead = RunHead & { readonly merged?: boolean }

/** No reader is still so far behind an ended run that merging its pieces would make it begin again. */
const MERGE_AFTER_MS = 60_000

/**
 * Keeps runs on disk, in LevelDB (the package `classic-level`, to be installed beside this one): for one process at a
 * time, and over its restarts. A run that was going on when the process died ends as `interrupted` at the next start,
 * for nobody can tell how far its model went.
 */
export function fileEventLog(options: FileEventLogOptions): FileEventLog {
  const {
    dir,
    retentionMs = 10 * 60_000,
    memoryMs = 60 * 60_000,
    maxRuns = 10_000,
    maxRunBytes = 4 * 1024 * 1024,
    clock = systemClock,
  } = options
  if (typeof dir !== 'string' || dir === '') {
    throw new SluiceError('invalid-options', 'fileEventLog needs a folder: { dir: "./streams" }.')
  }
  const heads = new Map<string, StoredHead>()
  const tombstones = new Map<string, number>()
  const watchers = createWatchers()
  const turns = createTurns()
  let tidied = clock.now()

  const opened = open()
  // Each call tells of a folder that can't be opened; until then nobody waits for it.
  opened.catch(() => {})

  async function open(): Promise<Store> {
    const store = await openStore(dir)
    for await (const [key, value] of store.entries('head!', 'head!~')) {
      heads.set(key.slice('head!'.length), value as StoredHead)
    }
    for (const [id, head] of heads) {
      if (head.state === 'running') await end(store, id, head)
    }
    return store
  }

  const inTurn = <T>(id: string, run: (store: Store) => Promise<T>): Promise<T> =>
    turns.take(id, async () => run(await opened))

  async function put(
    store: Store,
    id: string,
    head: StoredHead,
    writes: Write[] = [],
  ): Promise<void> {
    await store.write([...writes, { key: `head!${id}`, value: head }])
    // Only what is on disk is told.
    heads.set(id, head)
  }

  async function add(
    store: Store,
    id: string,
    head: StoredHead,
    events: readonly StreamEvent[],
  ): Promise<void> {
    const writes = events.map((event) => ({ key: eventKey(id, event.seq), value: event }))
    await put(store, id, headAfter(head, events, clock.now()), writes)
    watchers.tell(id, 'events')
  }

  function end(store: Store, id: string, head: StoredHead): Promise<void> {
    const fenced = { ...head, epoch: head.epoch + 1 }
    return add(store, id, fenced, [abandoned(id, head.lastSeq + 1, clock.now())])
  }

  async function eventsOf(store: Store, id: string): Promise<StreamEvent[]> {
    const events: StreamEvent[] = []
    for await (const [, value] of store.entries(eventKey(id, 0), eventKey(id, Infinity))) {
      events.push(value as StreamEvent)
    }
    return events
  }

  async function forget(store: Store, id: string): Promise<void> {
    const events = await eventsOf(store, id)
    const keys = [`head!${id}`, ...events.map(({ seq }) => eventKey(id, seq))]
    await store.write(keys.map((key) => ({ key })))
    heads.delete(id)
  }

  /** Does to a run what its age asks for. */
  async function find(store: Store, id: string): Promise<StoredHead | undefined> {
    const head = heads.get(id)
    if (head === undefined || head.state === 'running') return head
    const age = clock.now() - head.touched
    if (age > retentionMs + memoryMs) {
      await forget(store, id)
      return undefined
    }
    const isExpired = age > retentionMs && head.bytes > 0
    const isSettled = age > MERGE_AFTER_MS && head.merged !== true
    if (!isExpired && !isSettled) return head
    const events = await eventsOf(store, id)
    // How it ended outlives what was said.
    const kept = isExpired ? events.slice(-1) : compact(events)
    const isKept = new Set(kept)
    const next = {
      ...head,
      merged: true,
      bytes: isExpired ? 0 : kept.reduce((sum, event) => sum + bytesOf(event), 0),
    }
    await put(store, id, next, [
      ...events
        .filter((event) => !isKept.has(event))
        .map(({ seq }) => ({ key: eventKey(id, seq) })),
      ...kept.map((event) => ({ key: eventKey(id, event.seq), value: event })),
    ])
    return next
  }

  async function makeRoom(store: Store): Promise<boolean> {
    const now = clock.now()
    if (now - tidied > TIDY_MS || heads.size >= maxRuns) {
      tidied = now
      for (const [id, until] of tombstones) if (until < now) tombstones.delete(id)
      await Promise.all([...heads.keys()].map((id) => inTurn(id, () => find(store, id))))
    }
    if (heads.size < maxRuns) return true
    for (const [id, { state }] of heads) {
      if (state === 'running') continue
      await inTurn(id, () => forget(store, id))
      return true
    }
    return false
  }

  return {
    async create(id, { fingerprint, leaseMs }) {
      const hasRoom = heads.has(id) || (await makeRoom(await opened))
      return inTurn(id, async (store) => {
        const known = await find(store, id)
        if (known !== undefined) {
          return { role: known.fingerprint === fingerprint ? 'attached' : 'conflict' }
        }
        if (!hasRoom) return { role: 'full' }
        const now = clock.now()
        const cancelled = (tombstones.get(id) ?? -Infinity) >= now
        tombstones.delete(id)
        const head = newHead(fingerprint, now + leaseMs, cancelled, now)
        await put(store, id, head)
        return { role: 'owner', epoch: head.epoch, cancelled }
      })
    },

    append: (id, epoch, events) =>
      inTurn(id, async (store) => {
        const head = await find(store, id)
        if (head === undefined) return 'gone'
        const { answer, fresh } = admit(head, epoch, events, maxRunBytes)
        if (fresh.length > 0) await add(store, id, head, fresh)
        return answer
      }),

    read: (id, after, limit = Infinity) =>
      inTurn(id, async (store) => {
        const head = await find(store, id)
        if (head === undefined) return undefined
        const page = createPage(limit)
        const rest = store.entries(eventKey(id, after + 1), eventKey(id, Infinity))
        for await (const [, value] of rest) if (!page.add(value as StreamEvent)) break
        const { state, lastSeq } = head
        const firstSeq = head.bytes === 0 && state !== 'running' ? lastSeq : 1
        return { state, events: page.events, lastSeq, firstSeq }
      }),

    async watch(id, hint, signal) {
      watchers.add(id, hint, signal)
    },

    renew: (id, epoch, leaseMs) =>
      inTurn(id, async (store) => {
        const head = await find(store, id)
        if (head === undefined) return 'gone'
        if (head.epoch !== epoch) return 'fenced'
        // Not written: a lease does not outlive its process.
        heads.set(id, { ...head, leaseUntil: clock.now() + leaseMs })
        return head.cancelled ? 'cancel' : 'ok'
      }),

    requestCancel: (id) =>
      inTurn(id, async (store) => {
        const head = await find(store, id)
        if (head === undefined) {
          if (tombstones.size < maxRuns) tombstones.set(id, clock.now() + TOMBSTONE_MS)
          return undefined
        }
        if (head.state === 'running' && !head.cancelled) {
          await put(store, id, { ...head, cancelled: true })
          watchers.tell(id, 'cancel')
        }
        return head.state
      }),

    sweep: (id) =>
      inTurn(id, async (store) => {
        const head = await find(store, id)
        if (head?.state === 'running' && head.leaseUntil < clock.now()) await end(store, id, head)
        return heads.get(id)?.state
      }),

    async close() {
      await turns.idle()
      await (await opened).close()
    },
  }
}

/** Sorts by run, then by seq. */
function eventKey(id: string, seq: number): string {
  return `event!${id}!${seq === Infinity ? '~' : String(seq).padStart(12, '0')}`
}
