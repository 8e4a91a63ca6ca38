import type { SavedThread } from './saved-thread.ts'

/** One line of the list of conversations. */
export interface ThreadSummary {
  readonly id: string
  readonly title: string
  /** When it was saved last, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** A conversation as it is stored. */
export interface StoredThread extends ThreadSummary {
  /** Grows with every save, in whichever tab. */
  readonly version: number
  /** As it was saved, maybe by another version of this package: `readThread` reads it. */
  readonly data: unknown
}

/** What is to be saved. */
export interface ThreadToSave extends ThreadSummary {
  /** For a new conversation; one that is there keeps the title that it has. */
  readonly title: string
  readonly data: SavedThread
  /** The version that this one goes on from; 0: it is new. */
  readonly basedOn: number
}

/** What became of a save. `conflict`: another tab saved, or removed, the conversation since; nothing was written. */
export type SaveOutcome =
  | { readonly type: 'saved'; readonly version: number }
  | { readonly type: 'conflict' }

/**
 * Where conversations are kept: `indexedDbThreads`, `memoryThreads`, or an application's own server. Every call may reject;
 * what it rejects with is shown to the person, and what was stored before must still be there.
 */
export interface ThreadStorage {
  list(): Promise<readonly ThreadSummary[]>
  /** `undefined`: there is none. */
  load(id: string): Promise<StoredThread | undefined>
  /** Must compare `basedOn` and write in one step, so that two tabs never overwrite each other unseen. */
  save(thread: ThreadToSave): Promise<SaveOutcome>
  rename(id: string, title: string): Promise<void>
  /** Takes the conversation away, and its draft. */
  remove(id: string): Promise<void>
  /** Puts a removed one back as it was, where none has its id. */
  restore(thread: StoredThread): Promise<void>
  /** What was being written in a conversation; empty where nothing was. */
  loadDraft(id: string): Promise<string>
  saveDraft(id: string, text: string): Promise<void>
}
