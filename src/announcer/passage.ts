import type { Remaining } from './phrases.ts'
import type { Unit } from './unit.ts'

/** How far an answer is to be read: not at all, its opening, all of it. */
export type Reach = 'nothing' | 'opening' | 'everything'

/** One answer's sentences and how far they were read. */
export interface Passage {
  /** Appends what has become sure. */
  add(units: readonly Unit[], now: number): void
  /** The next unit to read, unless the reading has ended or caught up. */
  next(): Unit | undefined
  /** The reading of the next unit has begun; it is estimated to have been heard by `until`. */
  advance(until: number): void
  /** Speech was cut off: what had not been heard is where {@link Passage.rewind} goes. */
  interrupt(now: number): void
  /** Goes back to where speech stopped. False where all was heard. */
  rewind(): boolean
  /** Ends the reading (`nothing`) or lets it go on. */
  setReach(reach: Reach): void
  reach(): Reach
  /** Characters read so far. */
  spoken(): number
  /** When the first unit came, if one did. */
  readyAt(): number | undefined
  /** How many units there are. */
  size(): number
  /** How many units have been read or passed over. */
  position(): number
  /** What has not been read; undefined where nothing is left. */
  remaining(): Remaining | undefined
}

/** Makes the record of one answer. */
export function createPassage(initial: Reach): Passage {
  const units: Unit[] = []
  const heardBy: number[] = []
  let position = 0
  let stoppedAt: number | undefined
  let reach = initial
  let spoken = 0
  let readyAt: number | undefined

  return {
    add(more, now) {
      if (more.length > 0) readyAt ??= now
      units.push(...more)
    },
    next: () => (reach === 'nothing' ? undefined : units[position]),
    advance(until) {
      heardBy[position] = until
      spoken += units[position]?.text.length ?? 0
      position += 1
    },
    interrupt(now) {
      const first = heardBy.findIndex((until) => until > now)
      if (first < 0) return
      stoppedAt = Math.min(stoppedAt ?? first, first)
      heardBy.fill(now, first)
    },
    rewind() {
      position = stoppedAt ?? position
      stoppedAt = undefined
      return position < units.length
    },
    setReach(next) {
      reach = next
    },
    reach: () => reach,
    spoken: () => spoken,
    readyAt: () => readyAt,
    size: () => units.length,
    position: () => position,
    remaining() {
      const left = units.slice(position)
      if (left.length === 0) return undefined
      const count = (kind: Unit['kind']): number => left.filter((unit) => unit.kind === kind).length
      return { sentences: count('sentence'), tables: count('table'), codeBlocks: count('code') }
    },
  }
}
