import { coalesce, isTextDelta } from '../protocol/coalesce.ts'
import type { StreamEvent } from '../protocol/events.ts'

/** An event without its text, in bytes, roughly. */
const EVENT_BYTES = 128

/** The room that an event takes, roughly. */
export function bytesOf(event: StreamEvent): number {
  if (isTextDelta(event)) return EVENT_BYTES + event.text.length * 2
  return EVENT_BYTES + JSON.stringify(event).length
}

/** No merged event stands for more text than this. */
const MERGED_UNITS = 16 * 1024

/** Merges neighbouring pieces of text into pieces of bounded size. */
export function compact(events: readonly StreamEvent[]): StreamEvent[] {
  const merged: StreamEvent[] = []
  let group: StreamEvent[] = []
  let units = 0
  for (const event of events) {
    const size = isTextDelta(event) ? event.text.length : 0
    if (units + size > MERGED_UNITS) {
      merged.push(...coalesce(group))
      group = []
      units = 0
    }
    group.push(event)
    units += size
  }
  merged.push(...coalesce(group))
  return merged
}

/** Takes events up to about `limit` bytes, and one at least. */
export function createPage(limit: number): {
  add(event: StreamEvent): boolean
  readonly events: StreamEvent[]
} {
  const events: StreamEvent[] = []
  let bytes = 0
  return {
    events,
    add(event) {
      bytes += bytesOf(event)
      if (bytes > limit && events.length > 0) return false
      events.push(event)
      return true
    },
  }
}
