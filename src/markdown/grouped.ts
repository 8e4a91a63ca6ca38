import type { Grouped } from './block.ts'

/** A `Grouped` that grows. */
export interface GroupedBuilder<T> {
  readonly length: number
  push(value: T): void
  /** What was pushed and, after it, `rest`, which may be another one next time. */
  with(rest: readonly T[]): Grouped<T>
}

export function groupedBuilder<T>(size: number): GroupedBuilder<T> {
  const full: (readonly T[])[] = []
  let open: T[] = []
  let last: readonly T[] | undefined
  return {
    get length() {
      return full.length * size + open.length
    },
    push(value) {
      open.push(value)
      last = undefined
      if (open.length === size) {
        full.push(open)
        open = []
      }
    },
    with(rest) {
      if (rest.length === 0) {
        if (open.length === 0) return full.slice()
        last ??= open.slice()
        return [...full, last]
      }
      return [...full, ...grouped(size, [...open, ...rest])]
    },
  }
}

/** Cuts values into groups. */
export function grouped<T>(size: number, values: readonly T[]): Grouped<T> {
  const groups: (readonly T[])[] = []
  for (let at = 0; at < values.length; at += size) groups.push(values.slice(at, at + size))
  return groups
}
