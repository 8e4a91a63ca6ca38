import type { Block } from './block.ts'
import { groupedBuilder } from './grouped.ts'
import { languageOf, linesPerGroup } from './read.ts'

/** A top-level code fence that is being written: a line is looked at once, whatever the length of the block. */
export interface OpenFence {
  /** Takes a complete line; true if it closed the fence. */
  push(line: string): boolean
  /** The block with `partial` as its unfinished last line. */
  block(partial: string): Block
}

const opening = /^( {0,3})(`{3,}|~{3,})/

export function openFence(
  line: string,
  info: string,
  visible: (text: string) => string,
): OpenFence {
  const [, indent = '', marker = ''] = opening.exec(line) ?? []
  const language = languageOf(info)
  const mark = marker.charAt(0)
  const closing = new RegExp(`^ {0,3}${mark}{${marker.length},}[ \\t]*$`)
  const maybeClosing = new RegExp(`^ {0,3}${mark}+[ \\t]*$`)
  const lines = groupedBuilder<string>(linesPerGroup)
  let closed = false
  return {
    push(text) {
      if (closing.test(text)) closed = true
      else lines.push(visible(unindent(text, indent.length)))
      return closed
    },
    block(partial) {
      const isShown = partial.trim() !== '' && !maybeClosing.test(partial)
      return {
        kind: 'code',
        ...(language === undefined ? {} : { language }),
        info,
        lines: lines.with(isShown ? [visible(unindent(partial, indent.length))] : []),
        closed,
      }
    },
  }
}

/** Takes up to `columns` columns of white space off; a tab that is cut leaves its other columns as spaces. */
function unindent(line: string, columns: number): string {
  let column = 0
  let at = 0
  for (; column < columns; at++) {
    const character = line.charAt(at)
    if (character === ' ') column++
    else if (character === '\t') column += 4 - (column % 4)
    else break
  }
  return ' '.repeat(Math.max(column - columns, 0)) + line.slice(at)
}
