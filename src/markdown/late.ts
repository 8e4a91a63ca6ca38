import type { Block } from './block.ts'
import type { Parser } from './parser.ts'
import type { Reading } from './reading.ts'
import { share } from './share.ts'
import { openContent, type Tail } from './tail.ts'

/** Settled blocks that use a label which was not defined then, with what it takes to read them again. */
export interface Late {
  readonly index: number
  readonly count: number
  /** References as the parser normalises them, footnotes after a `^`. */
  readonly labels: ReadonlySet<string>
  readonly source: string
  /** How the end of the source was read, if it is that of the text. */
  readonly tail: Tail | undefined
}

const isNote = (label: string): boolean => label.startsWith('^')

/**
 * The blocks, those read again whose labels have been defined since; `undefined` if there are none. One footnote found
 * late may change the numbers of all.
 */
export function resolveLate(
  blocks: readonly Block[],
  late: readonly Late[],
  reading: Reading,
  parser: Parser,
): readonly Block[] | undefined {
  const defined = late.map(({ labels }) => [...labels].filter(reading.isDefined))
  const hasNotes = defined.some((labels) => labels.some(isNote))
  const affected = late.filter(
    ({ labels }, index) =>
      (defined[index]?.length ?? 0) > 0 || (hasNotes && [...labels].some(isNote)),
  )
  if (affected.length === 0) return undefined
  if (hasNotes) reading.renumber()
  const result = [...blocks]
  for (const { index, count, source, tail } of affected) {
    const parsed = parser.blocks(source)
    const range = { tokens: parsed.tokens, from: 0, to: parsed.tokens.length }
    const content = tail && openContent(parsed, source, tail, false)
    const read = reading.revise((reader) => reader.read(range), content)
    result.splice(index, count, ...share(result.slice(index, index + count), read))
  }
  return result
}
