import { report } from '../generation/guarded.ts'
import { systemClock, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import { textOf } from '../protocol/message.ts'
import type { ChatOptions, ChatStore } from './chat-types.ts'
import { createChat } from './create-chat.ts'
import { readThread, type SavedThread } from './saved-thread.ts'
import { threadRecord } from './thread-record.ts'
import type { ThreadStorage } from './thread-storage.ts'

/** Options of {@link openThread}: those of a conversation, and where it is kept. */
export interface OpenThreadOptions extends Omit<ChatOptions, 'messages' | 'record'> {
  readonly id: string
  readonly threads: ThreadStorage
  /**
   * Something could not be saved, or another tab removed the conversation. Told once, until saving works again; the
   * conversation goes on. Default: `reportError`.
   */
  readonly onProblem?: ((error: SluiceError) => void) | undefined
}

/** A conversation that is kept. */
export interface KeptThread {
  readonly chat: ChatStore
  /** Resolves once all that is there now was saved, or could not be. */
  saved(): Promise<void>
  /** Saves no more, and lets go of the conversation. */
  close(): Promise<void>
}

/** While text comes it is saved at most this often, in milliseconds. */
const INTERVAL_MS = 1000
const TITLE_LENGTH = 60

/**
 * Opens a conversation as it was kept, or a new one under this id. A question is saved before it is sent, its answer every
 * second, the end at once. A stream that was cut by a reload goes on.
 *
 * @throws SluiceError `storage`, where it can't be read: it is then left as it is.
 */
export async function openThread(options: OpenThreadOptions): Promise<KeptThread> {
  const { id, threads, onProblem = report } = options
  const clock: Clock = options.clock ?? systemClock
  const stored = await threads.load(id)
  const read = stored && readThread(stored.data)
  if (read !== undefined && read.type !== 'thread') throw new SluiceError('storage', read.problem)
  let version = stored?.version ?? 0
  const record = threadRecord({
    saved: read?.thread,
    mustValidate: options.validate !== undefined,
    now: () => clock.now(),
  })
  const chat = createChat({ ...options, record })
  let shape = shapeOf(chat)
  let timer: unknown
  let writing: Promise<void> | undefined
  let isDirty = false
  let isFailing = false
  let isGone = false

  function fail(cause: unknown): void {
    const problem =
      cause instanceof SluiceError
        ? cause
        : new SluiceError('storage', 'The conversation could not be saved. It is still here.', {
            cause,
          })
    if (!isFailing) onProblem(problem)
    isFailing = true
  }

  async function save(data: SavedThread): Promise<void> {
    const title = titleOf(chat)
    const outcome = await threads.save({
      id,
      title,
      updatedAt: clock.now(),
      data,
      basedOn: version,
    })
    if (outcome.type === 'saved') {
      version = outcome.version
      isFailing = false
      return
    }
    // Another tab was first: what it saved and what is here are put together, and saved on top of it.
    isDirty = true
    const theirs = await threads.load(id)
    if (theirs === undefined) {
      isGone = true
      throw new SluiceError(
        'storage',
        'This conversation was deleted in another tab. What is here is not saved any more.',
      )
    }
    const other = readThread(theirs.data)
    if (other.type !== 'thread') {
      isGone = true
      throw new SluiceError('storage', other.problem)
    }
    version = theirs.version
    record.absorb(other.thread)
  }

  async function writeAll(): Promise<void> {
    try {
      while (isDirty && !isGone) {
        isDirty = false
        const data = record.saved()
        if (data !== undefined) await save(data)
      }
    } catch (cause) {
      fail(cause)
    } finally {
      writing = undefined
    }
  }

  function write(): Promise<void> {
    clock.clearTimeout(timer)
    timer = undefined
    writing ??= writeAll()
    return writing
  }

  const off = chat.subscribe(() => {
    isDirty = true
    const next = shapeOf(chat)
    const isNews = next !== shape
    shape = next
    if (isNews) void write()
    else timer ??= clock.setTimeout(() => void write(), INTERVAL_MS)
  })

  function saved(): Promise<void> {
    // Events that no frame has shown yet are saved too, and nobody has told of them.
    isDirty = true
    return write()
  }

  return {
    chat,
    saved,
    async close() {
      off()
      const last = saved()
      chat.dispose()
      await last
    },
  }
}

/** What is saved at once when it changes: which messages there are, and how the newest stands. */
function shapeOf(chat: ChatStore): string {
  const { status, messages, queue } = chat.getSnapshot()
  return [status, messages.length, messages.at(-1)?.id, queue.length].join(' ')
}

function titleOf(chat: ChatStore): string {
  const first = chat.getSnapshot().messages.find(({ role }) => role === 'user')
  // A question may be a whole pasted book.
  const start =
    first === undefined
      ? ''
      : textOf(first)
          .trimStart()
          .slice(0, 4 * TITLE_LENGTH)
  const line = start.trim().replace(/\s+/g, ' ')
  const letters = [...line]
  return letters.length <= TITLE_LENGTH ? line : `${letters.slice(0, TITLE_LENGTH - 1).join('')}…`
}
