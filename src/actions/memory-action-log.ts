import { systemClock, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { ActionLog, ActionRecord } from './action-log.ts'

/** Options of {@link memoryActionLog}. */
export interface MemoryActionLogOptions {
  /** How long an action is kept after it was last written, in milliseconds. Default: 24 hours. */
  readonly retentionMs?: number | undefined
  /** Most streams whose actions are kept. A full log takes no new ones rather than forget old ones. Default: 100,000. */
  readonly maxStreams?: number | undefined
  readonly clock?: Clock | undefined
}

interface Kept {
  readonly records: Map<string, ActionRecord>
  touched: number
}

/** Keeps actions in this process's memory: for one process, and until it ends. */
export function memoryActionLog(options: MemoryActionLogOptions = {}): ActionLog {
  const { retentionMs = 24 * 60 * 60_000, maxStreams = 100_000, clock = systemClock } = options
  // In the order of their last writing, so that what is too old lies in front.
  const streams = new Map<string, Kept>()

  const forget = (): void => {
    for (const [id, { touched }] of streams) {
      if (clock.now() - touched <= retentionMs) return
      streams.delete(id)
    }
  }

  return {
    async read(requestId) {
      forget()
      return [...(streams.get(requestId)?.records.values() ?? [])]
    },

    async write(record) {
      forget()
      const { requestId, key, version } = record
      const kept = streams.get(requestId) ?? {
        records: new Map<string, ActionRecord>(),
        touched: 0,
      }
      if ((kept.records.get(key)?.version ?? 0) !== version - 1) return false
      if (streams.size >= maxStreams && !streams.has(requestId)) {
        throw new SluiceError(
          'overloaded',
          `The action log is full (${maxStreams} streams): raise maxStreams, or keep actions for a shorter time.`,
        )
      }
      kept.records.set(key, structuredClone(record))
      kept.touched = clock.now()
      streams.delete(requestId)
      streams.set(requestId, kept)
      return true
    },
  }
}
