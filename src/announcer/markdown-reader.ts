import type { MarkdownSyntax } from '../markdown/parser.ts'
import { createMarkdownStream } from '../markdown/stream.ts'
import { spokenBlocks } from './spoken-blocks.ts'
import type { InlineWording } from './spoken-inline.ts'
import type { SpokenBlock } from './unit.ts'

/** Reads a growing Markdown text: given all of it so far, returns what of it is sure. */
export type MarkdownReader = (text: string, ended: boolean) => readonly SpokenBlock[]

/**
 * Makes the reader of one text. What it returns of a text stands for every longer text too: it is read twice, as one that
 * goes on and as one that stops here, and what both agree on depends on nothing that is still open.
 */
export function markdownReader(
  wording: InlineWording,
  syntaxes: readonly MarkdownSyntax[] = [],
): MarkdownReader {
  const growing = createMarkdownStream({ syntaxes })

  return (text, ended) => {
    growing.push(text.slice(growing.text.length))
    if (ended) {
      growing.end()
      return spokenBlocks(growing.blocks, true, wording)
    }
    const { blocks, settled } = growing
    const sure = spokenBlocks(blocks.slice(0, settled), true, wording)
    const open = spokenBlocks(blocks.slice(settled), false, wording)
    return [...sure, ...agreed(open, ifStopped(text, sure.length))]
  }

  function ifStopped(text: string, from: number): readonly SpokenBlock[] {
    const stopped = createMarkdownStream({ syntaxes })
    stopped.push(text)
    stopped.end({ complete: false })
    return spokenBlocks(stopped.blocks, false, wording).slice(from)
  }
}

/** What two readings of the end of a text have in common. All but the last block of both is whole. */
function agreed(
  open: readonly SpokenBlock[],
  stopped: readonly SpokenBlock[],
): readonly SpokenBlock[] {
  const common: SpokenBlock[] = []
  for (const [index, block] of open.entries()) {
    const other = stopped[index]
    if (other === undefined || other.kind !== block.kind) break
    const isLast = index === open.length - 1 || index === stopped.length - 1
    if (!('text' in block) || !('text' in other)) {
      common.push({ ...block, settled: block.settled || !isLast })
      continue
    }
    if (!isLast && block.text === other.text) {
      common.push({ ...block, settled: true })
      continue
    }
    common.push({ ...block, text: decided(sharedStart(block.text, other.text)) })
    break
  }
  return common
}

function sharedStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

const OPEN_ADDRESS = /[!-~]*(?:[/.@:][!-~]*|https?|www)$/
const OPEN_REFERENCE = /[[【][^\]】]*\]?$/u

/**
 * Leaves out what the next characters may turn into something else: a row of a table, half an address, half a reference.
 */
function decided(text: string): string {
  const bar = text.indexOf('|')
  return (bar < 0 ? text : text.slice(0, bar)).replace(OPEN_REFERENCE, '').replace(OPEN_ADDRESS, '')
}
