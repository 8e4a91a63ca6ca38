import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { SluiceError } from '../protocol/errors.ts'
import type { StoredThread, ThreadStorage, ThreadSummary } from './thread-storage.ts'

/** Of the database, not of what is in it: that one has its own (`THREAD_SCHEMA`). */
const DATABASE_VERSION = 1

/** A conversation is two records, so that the list is read without all that was ever said. */
interface Threads extends DBSchema {
  summaries: { key: string; value: ThreadSummary & { readonly version: number } }
  contents: { key: string; value: unknown }
  drafts: { key: string; value: string }
}

/** Opens the database. Loaded by `indexedDbThreads` when it is first needed. */
export async function openThreads(name: string): Promise<ThreadStorage> {
  const database = await open(name)
  return {
    list: () => attempt('read', () => database.getAll('summaries')),
    load: (id) =>
      attempt('read', async () => {
        const reading = database.transaction(['summaries', 'contents'])
        const [summary, data] = await Promise.all([
          reading.objectStore('summaries').get(id),
          reading.objectStore('contents').get(id),
        ])
        return summary && { ...summary, data }
      }),
    save: ({ id, title, updatedAt, data, basedOn }) =>
      attempt('save', async () => {
        const writing = database.transaction(['summaries', 'contents'], 'readwrite')
        const summaries = writing.objectStore('summaries')
        const before = await summaries.get(id)
        if ((before?.version ?? 0) !== basedOn) {
          await writing.done
          return { type: 'conflict' }
        }
        const version = basedOn + 1
        await settle(writing, [
          summaries.put({ id, title: before?.title ?? title, updatedAt, version }, id),
          writing.objectStore('contents').put(data, id),
        ])
        return { type: 'saved', version }
      }),
    rename: (id, title) =>
      attempt('save', async () => {
        const writing = database.transaction('summaries', 'readwrite')
        const before = await writing.store.get(id)
        await settle(
          writing,
          before === undefined ? [] : [writing.store.put({ ...before, title }, id)],
        )
      }),
    remove: (id) =>
      attempt('save', async () => {
        const writing = database.transaction(['summaries', 'contents', 'drafts'], 'readwrite')
        await settle(writing, [
          writing.objectStore('summaries').delete(id),
          writing.objectStore('contents').delete(id),
          writing.objectStore('drafts').delete(id),
        ])
      }),
    restore: ({ data, ...summary }: StoredThread) =>
      attempt('save', async () => {
        const writing = database.transaction(['summaries', 'contents'], 'readwrite')
        const summaries = writing.objectStore('summaries')
        const isTaken = (await summaries.get(summary.id)) !== undefined
        const writes = [
          () => summaries.put(summary, summary.id),
          () => writing.objectStore('contents').put(data, summary.id),
        ]
        await settle(writing, isTaken ? [] : writes.map((write) => write()))
      }),
    loadDraft: (id) => attempt('read', async () => (await database.get('drafts', id)) ?? ''),
    saveDraft: (id, text) =>
      attempt('save', async () => {
        if (text === '') await database.delete('drafts', id)
        else await database.put('drafts', text, id)
      }),
  }
}

/** Waits for the transaction too: a quota may be told only when it is committed. */
async function settle(
  writing: { readonly done: Promise<void> },
  writes: readonly Promise<unknown>[],
): Promise<void> {
  await Promise.all([...writes, writing.done])
}

async function open(name: string): Promise<IDBPDatabase<Threads>> {
  try {
    return await openDB<Threads>(name, DATABASE_VERSION, {
      upgrade(database) {
        database.createObjectStore('summaries')
        database.createObjectStore('contents')
        database.createObjectStore('drafts')
      },
      // A newer page wants to change the database: this one lets go of it, and its next call tells so.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    })
  } catch (cause) {
    const isNewer = cause instanceof DOMException && cause.name === 'VersionError'
    throw new SluiceError(
      'storage',
      isNewer
        ? 'The conversations of this browser were saved by a newer version. They are kept as they are. Reload the page, or update sluice.'
        : 'This browser lets the page keep nothing (a private window, or blocked site data), so conversations last as long as the page.',
      { cause },
    )
  }
}

async function attempt<T>(what: 'read' | 'save', run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError'
    throw new SluiceError('storage', isFull ? FULL : FAILED[what], { cause })
  }
}

const FULL =
  'The storage of this browser is full, so the newest messages are not kept. Delete conversations or free space; they are saved as soon as there is room.'
const FAILED = {
  read: 'The stored conversations cannot be read just now. Reload the page.',
  save: 'The conversation could not be saved. It is still here; it is tried again with the next change.',
}
