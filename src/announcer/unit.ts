import { languageOf } from './script.ts'
import { sentenceSplitter } from './sentences.ts'
import type { AnnouncerPhrases } from './phrases.ts'

interface TextBlock {
  readonly kind: 'text' | 'heading' | 'quote'
  /** As it is read: links by their text, images by their description. Grows at its end only. */
  readonly text: string
  /** The text is whole. */
  readonly settled: boolean
}

/** A piece of an answer as it is to be read: in the order of the answer, each one growing only while it is the last. */
export type SpokenBlock =
  | TextBlock
  | {
      readonly kind: 'code'
      readonly language: string
      readonly lines: number
      readonly settled: boolean
    }
  | {
      readonly kind: 'table'
      readonly columns: number
      readonly rows: number
      readonly settled: boolean
    }

/** What is said in one piece. Never changed and never withdrawn. */
export interface Unit {
  readonly kind: 'sentence' | 'table' | 'code'
  readonly text: string
  /** BCP 47 tag. */
  readonly lang: string
}

/** Given the blocks so far, returns the units that have become sure since the last call. */
export type UnitReader = (blocks: readonly SpokenBlock[]) => readonly Unit[]

/** Makes the reader of one text. */
export function unitReader(options: {
  readonly locale: string
  readonly phrases: AnnouncerPhrases
}): UnitReader {
  const { locale, phrases } = options
  const split = sentenceSplitter(locale)
  let index = 0
  let offset = 0

  const sentencesOf = (block: TextBlock): Unit[] => {
    // How a heading is worded depends on all of it.
    if (block.kind === 'heading' && !block.settled) return []
    const { sentences, consumed } = split(block.text.slice(offset), block.settled)
    const isFirst = offset === 0
    offset += consumed
    return sentences.map((sentence, i) => ({
      kind: 'sentence',
      text: isFirst && i === 0 ? worded(block.kind, sentence, sentences.length) : sentence,
      lang: languageOf(sentence, locale),
    }))
  }

  const worded = (kind: TextBlock['kind'], sentence: string, count: number): string => {
    // A paragraph with a line of hyphens below it is a heading too, though nobody meant one.
    if (kind === 'heading' && count === 1) return phrases.heading(sentence)
    return kind === 'quote' ? phrases.quote(sentence) : sentence
  }

  return (blocks) => {
    const units: Unit[] = []
    for (;;) {
      const block = blocks[index]
      if (block === undefined) return units
      if (block.kind === 'code' || block.kind === 'table') {
        if (!block.settled) return units
        units.push(
          block.kind === 'code'
            ? { kind: 'code', text: phrases.codeBlock(block.language, block.lines), lang: locale }
            : { kind: 'table', text: phrases.table(block.columns, block.rows), lang: locale },
        )
      } else {
        units.push(...sentencesOf(block))
        if (!block.settled) return units
      }
      index += 1
      offset = 0
    }
  }
}
