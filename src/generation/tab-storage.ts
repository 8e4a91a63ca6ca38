import { SluiceError } from '../protocol/errors.ts'
import { isTerminal } from '../protocol/events.ts'
import { isRecord, parseJson } from '../protocol/json.ts'
import { report } from './guarded.ts'
import { createRecorder, type SavedRequest } from './record.ts'
import type { StreamStorage } from './stream-types.ts'

/** Options of {@link tabStorage}. */
export interface TabStorageOptions {
  /** Name of the entry: one for each stream of the page. */
  readonly key: string
  /** Default: `sessionStorage`, which lives as long as the tab does. */
  readonly area?: Pick<Storage, 'getItem' | 'setItem'> | undefined
  /**
   * What was there could not be read, or no more can be kept (private mode, a full quota). Told once, until it works
   * again; the stream goes on. Default: `reportError`.
   */
  readonly onError?: ((error: SluiceError) => void) | undefined
}

/** Version of what is written. */
const VERSION = 1
/** While text comes it is written at most this often, in milliseconds. */
const INTERVAL_MS = 1000

/**
 * Keeps one stream in the tab: the question before it is sent, its text every second, and how it ended at once. The page
 * that is loaded next shows it, and asks the server for what follows.
 *
 * @example
 * ```ts
 * createModelStream({ transport, storage: tabStorage({ key: 'answer' }) })
 * ```
 */
export function tabStorage({ key, area, onError = report }: TabStorageOptions): StreamStorage {
  return {
    open(clock) {
      let isFailing = false
      const fail = (message: string, cause?: unknown): void => {
        if (!isFailing) onError(new SluiceError('storage', message, { cause }))
        isFailing = true
      }
      const reach = (): Pick<Storage, 'getItem' | 'setItem'> => area ?? sessionStorage

      const load = (): SavedRequest | undefined => {
        try {
          const text = reach().getItem(key)
          if (text === null) return undefined
          const kept = parseJson(text)
          if (isSaved(kept)) return kept
          fail(`What is kept under "${key}" is not a stream of this version. It is left out.`)
        } catch (cause) {
          fail('The storage of this tab cannot be read, so a reload loses the answer.', cause)
        }
        return undefined
      }

      const saved = load()
      let recorder = createRecorder(saved?.stream)
      let about: Omit<SavedRequest, 'stream'> = saved ?? { messages: [] }
      let timer: unknown

      const write = (): void => {
        clock.clearTimeout(timer)
        timer = undefined
        const stream = recorder.saved()
        if (stream === undefined) return
        try {
          reach().setItem(key, JSON.stringify({ ...about, version: VERSION, stream }))
          isFailing = false
        } catch (cause) {
          fail('The answer could not be kept in this tab, so a reload may lose it.', cause)
        }
      }

      return {
        saved,
        asked({ messages, continues, body, metadata }) {
          recorder = createRecorder()
          about = { messages, continues, body, metadata }
        },
        fact(fact, now) {
          recorder.fact(fact, now)
          write()
        },
        event(event, now) {
          recorder.event(event, now)
          if (isTerminal(event)) write()
          else timer ??= clock.setTimeout(write, INTERVAL_MS)
        },
      }
    },
  }
}

function isSaved(kept: unknown): kept is SavedRequest {
  if (!isRecord(kept) || kept['version'] !== VERSION || !Array.isArray(kept['messages']))
    return false
  const { stream } = kept
  if (!isRecord(stream) || !Array.isArray(stream['events'])) return false
  const { facts } = stream
  return Array.isArray(facts) && facts[0]?.fact?.type === 'sent'
}
