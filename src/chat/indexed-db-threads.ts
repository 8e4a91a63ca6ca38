import type { ThreadStorage } from './thread-storage.ts'

/** Options of {@link indexedDbThreads}. */
export interface IndexedDbThreadsOptions {
  /** Name of the database: one for each application of an origin. Default `sluice-threads`. */
  readonly name?: string | undefined
}

/**
 * Keeps conversations in the browser's database. Its code is loaded, and the database opened, with the first call.
 */
export function indexedDbThreads({
  name = 'sluice-threads',
}: IndexedDbThreadsOptions = {}): ThreadStorage {
  let opened: Promise<ThreadStorage> | undefined

  const reach = (): Promise<ThreadStorage> => {
    opened ??= import('./idb-threads.ts').then(({ openThreads }) => openThreads(name))
    // What failed once is tried anew.
    opened.catch(() => (opened = undefined))
    return opened
  }

  return {
    list: async () => (await reach()).list(),
    load: async (id) => (await reach()).load(id),
    save: async (thread) => (await reach()).save(thread),
    rename: async (id, title) => (await reach()).rename(id, title),
    remove: async (id) => (await reach()).remove(id),
    restore: async (thread) => (await reach()).restore(thread),
    loadDraft: async (id) => (await reach()).loadDraft(id),
    saveDraft: async (id, text) => (await reach()).saveDraft(id, text),
  }
}
