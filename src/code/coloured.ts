'use client'
import type { Grouped } from '../markdown/block.ts'
import type { StartTokenizer, Token, Tokenizer } from './tokenizer.ts'

/** A line and its colours. */
export interface ColouredLine {
  readonly text: string
  readonly tokens: readonly Token[]
}

/** Coloured lines in the groups of their block. A group to which nothing was added is the same array. */
export type ColouredGroups = readonly (readonly ColouredLine[])[]

/** The colours of one code block's lines, from the first on. */
export interface Coloured {
  readonly groups: ColouredGroups
  /**
   * Tokenises on, `isOpen` all but the last line, until `isLate`; true once there is no more to do. A line is tokenised
   * once, unless a line before it was replaced: then all begins anew.
   */
  advance(groups: Grouped<string>, isOpen: boolean, isLate: () => boolean): boolean
}

interface Done {
  readonly source: readonly string[]
  readonly lines: readonly ColouredLine[]
}

export function createColoured(start: StartTokenizer): Coloured {
  let tokenizer: Tokenizer = start()
  let done: Done[] = []
  const isReplaced = (groups: Grouped<string>): boolean =>
    done.some(({ source, lines }, index) => {
      const now = groups[index]
      return source !== now && lines.some(({ text }, at) => text !== now?.[at])
    })
  return {
    get groups() {
      return done.map(({ lines }) => lines)
    },
    advance(groups, isOpen, isLate) {
      if (isReplaced(groups)) {
        tokenizer = start()
        done = []
      }
      for (const [index, source] of groups.entries()) {
        const before = done[index]?.lines ?? []
        const end = isOpen && index === groups.length - 1 ? source.length - 1 : source.length
        const added: ColouredLine[] = []
        let isStopped = false
        for (const text of source.slice(before.length, Math.max(end, 0))) {
          const tokens = isLate() ? undefined : tokenizer.next(text, isLate)
          isStopped = tokens === undefined
          if (tokens === undefined) break
          added.push({ text, tokens })
        }
        done[index] = { source, lines: added.length === 0 ? before : [...before, ...added] }
        if (isStopped) return false
      }
      return true
    },
  }
}
