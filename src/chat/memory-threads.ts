import type { StoredThread, ThreadStorage } from './thread-storage.ts'

/** Keeps conversations as long as the page lives: for tests, stories, and people who want nothing kept. */
export function memoryThreads(): ThreadStorage {
  const threads = new Map<string, StoredThread>()
  const drafts = new Map<string, string>()
  return {
    list: async () =>
      [...threads.values()].map(({ id, title, updatedAt }) => ({ id, title, updatedAt })),
    load: async (id) => threads.get(id),
    async save({ id, title, updatedAt, data, basedOn }) {
      const before = threads.get(id)
      if ((before?.version ?? 0) !== basedOn) return { type: 'conflict' }
      const version = basedOn + 1
      const copy: unknown = structuredClone(data)
      threads.set(id, { id, title: before?.title ?? title, updatedAt, version, data: copy })
      return { type: 'saved', version }
    },
    async rename(id, title) {
      const thread = threads.get(id)
      if (thread !== undefined) threads.set(id, { ...thread, title })
    },
    async remove(id) {
      threads.delete(id)
      drafts.delete(id)
    },
    async restore(thread) {
      if (!threads.has(thread.id)) threads.set(thread.id, thread)
    },
    loadDraft: async (id) => drafts.get(id) ?? '',
    async saveDraft(id, text) {
      if (text === '') drafts.delete(id)
      else drafts.set(id, text)
    },
  }
}
