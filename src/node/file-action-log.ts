import type { ActionLog, ActionRecord } from '../actions/action-log.ts'
import { systemClock, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import { openStore, type Store } from './store.ts'
import { createTurns } from './turns.ts'

/** Options of {@link fileActionLog}. */
export interface FileActionLogOptions {
  /** A folder for this log alone; made if it is not there. */
  readonly dir: string
  /** How long an action is kept after it was last written, in milliseconds. Default: 24 hours. */
  readonly retentionMs?: number | undefined
  readonly clock?: Clock | undefined
}

/** An action log on disk. */
export interface FileActionLog extends ActionLog {
  /** Gives the folder back, for another process or another log. */
  close(): Promise<void>
}

/** As it is stored: `place` is the record's among its stream's. */
interface Stored {
  readonly place: number
  readonly record: ActionRecord
}

/** How often what is too old is looked for, at most, in milliseconds. */
const TIDY_MS = 60_000

/**
 * Keeps actions on disk, in LevelDB (the package `classic-level`, to be installed beside this one): for one process at a
 * time, and over its restarts. A write is on the disk itself, not only in the system's memory, before its action begins.
 */
export function fileActionLog(options: FileActionLogOptions): FileActionLog {
  const { dir, retentionMs = 24 * 60 * 60_000, clock = systemClock } = options
  if (typeof dir !== 'string' || dir === '') {
    throw new SluiceError('invalid-options', 'fileActionLog needs a folder: { dir: "./actions" }.')
  }
  /** When each stream was last written to, in that order. */
  const touched = new Map<string, number>()
  const turns = createTurns()
  let tidied = -Infinity

  const opened = open()
  // Each call tells of a folder that can't be opened; until then nobody waits for it.
  opened.catch(() => {})

  async function open(): Promise<Store> {
    const store = await openStore(dir)
    const streams: [string, number][] = []
    for await (const [key, value] of store.entries('stream!', 'stream!~')) {
      streams.push([key.slice('stream!'.length), value as number])
    }
    for (const [id, at] of streams.toSorted(([, one], [, other]) => one - other)) {
      touched.set(id, at)
    }
    return store
  }

  const inTurn = <T>(id: string, run: (store: Store) => Promise<T>): Promise<T> =>
    turns.take(id, async () => run(await opened))

  const isKept = (id: string): boolean =>
    clock.now() - (touched.get(id) ?? -Infinity) <= retentionMs

  async function storedOf(store: Store, id: string): Promise<Map<string, Stored>> {
    const stored = new Map<string, Stored>()
    for await (const [key, value] of store.entries(actionKey(id, ''), actionKey(id, '~'))) {
      stored.set(key, value as Stored)
    }
    return stored
  }

  const forget = (id: string): Promise<void> =>
    inTurn(id, async (store) => {
      if (isKept(id)) return
      const keys = [`stream!${id}`, ...(await storedOf(store, id)).keys()]
      await store.write(keys.map((key) => ({ key })))
      touched.delete(id)
    })

  async function tidy(): Promise<void> {
    await opened
    if (clock.now() - tidied < TIDY_MS) return
    tidied = clock.now()
    for (const id of touched.keys()) {
      if (isKept(id)) return
      await forget(id)
    }
  }

  return {
    read: (requestId) =>
      inTurn(requestId, async (store) => {
        if (!isKept(requestId)) return []
        return [...(await storedOf(store, requestId)).values()]
          .toSorted((one, other) => one.place - other.place)
          .map(({ record }) => record)
      }),

    async write(record) {
      const { requestId, key, version } = record
      await tidy()
      // What is too old is gone, whether or not it was time to tidy.
      if (!isKept(requestId)) await forget(requestId)
      return inTurn(requestId, async (store) => {
        const stored = await storedOf(store, requestId)
        const before = stored.get(actionKey(requestId, key))
        if ((before?.record.version ?? 0) !== version - 1) return false
        const now = clock.now()
        const value: Stored = { place: before?.place ?? stored.size, record }
        await store.write(
          [
            { key: `stream!${requestId}`, value: now },
            { key: actionKey(requestId, key), value },
          ],
          { sync: true },
        )
        touched.delete(requestId)
        touched.set(requestId, now)
        return true
      })
    },

    async close() {
      await turns.idle()
      await (await opened).close()
    },
  }
}

/** Sorts by stream. An action's key begins with its request id, which sorts before `~`. */
function actionKey(requestId: string, key: string): string {
  return `action!${requestId}!${key}`
}
