import type { Block, Grouped } from './block.ts'
import { createDocument } from './document.ts'
import { resolveLimits, type MarkdownLimits } from './limits.ts'
import { createNormaliser } from './normalise.ts'
import { parserFor, type MarkdownSyntax } from './parser.ts'

/** Options of {@link createMarkdownStream}. */
export interface MarkdownStreamOptions {
  /** Syntaxes beyond CommonMark and GFM, as rules for markdown-it. The same array again saves making a parser. */
  readonly syntaxes?: readonly MarkdownSyntax[] | undefined
  readonly limits?: MarkdownLimits | undefined
}

/** How a text ended: `complete` is false if it was stopped, interrupted or failed. Default true. */
export interface MarkdownEnd {
  readonly complete?: boolean | undefined
}

/** A Markdown text that grows, and its blocks. */
export interface MarkdownStream {
  /** Takes more text. Cut anywhere; CRLF, CR and LF alike. */
  push(delta: string): void
  /** Says that no more comes; later pushes throw. */
  end(how?: MarkdownEnd): void
  /** All blocks. Those that can't change any more keep their identity, but see {@link createMarkdownStream}. */
  readonly blocks: readonly Block[]
  /** The same in groups of 24, of which full and settled ones keep their identity: made for drawing long documents. */
  readonly groups: Grouped<Block>
  /** How many of the blocks are settled. */
  readonly settled: number
  /** The text as pushed. */
  readonly text: string
  /** How many hidden characters were taken out of what is shown. */
  readonly hidden: number
}

/**
 * Reads Markdown (CommonMark with GitHub's tables, tasks, strikethrough, autolinks and footnotes) while it arrives.
 *
 * After `end()` the blocks equal those of the whole text read at once, however it was cut. Until then a block before
 * the last one is settled: it equals that result and keeps its identity, except that a link label or footnote whose
 * definition comes later stays text until `end()`. The last block is shown as it is known so far: emphasis and code
 * count as closed, half a link is its label, half an image or tag is not shown. No link or image is ever made that the
 * whole text might not have.
 *
 * Reading `blocks` or `groups` costs what changed since the last reading, whatever the length of the text.
 */
export function createMarkdownStream(options: MarkdownStreamOptions = {}): MarkdownStream {
  const limits = resolveLimits(options.limits)
  const document = createDocument(parserFor(limits, options.syntaxes), limits)
  const normaliser = createNormaliser()
  let text = ''
  let size = 0
  let excess = ''
  let ended = false
  let groups: Grouped<Block> | undefined
  let blocks: readonly Block[] | undefined

  const take = (chunk: string): void => {
    const room = limits.size - size
    size += chunk.length
    if (chunk.length <= room) return document.push(chunk)
    if (room > 0) document.push(chunk.slice(0, room))
    if (excess === '') document.end(true)
    excess += chunk.slice(Math.max(room, 0))
  }

  const read = (): Grouped<Block> => {
    const rest: Block[] = []
    const notes = document.notes()
    if (notes.length > 0) rest.push({ kind: 'footnotes', notes })
    if (excess !== '') rest.push({ kind: 'plain', text: excess, reason: 'size' })
    return document.groups(rest)
  }

  return {
    push(delta) {
      if (ended)
        throw new TypeError('This Markdown stream has ended; make another one for more text.')
      if (delta === '') return
      text += delta
      take(normaliser.push(delta))
      groups = undefined
      blocks = undefined
    },
    end({ complete = true } = {}) {
      if (ended) return
      ended = true
      take(normaliser.end())
      if (excess === '') document.end(complete)
      groups = undefined
      blocks = undefined
    },
    get groups() {
      groups ??= read()
      return groups
    },
    get blocks() {
      blocks ??= this.groups.flat()
      return blocks
    },
    get settled() {
      return document.settled
    },
    get text() {
      return text
    },
    get hidden() {
      return document.hidden
    },
  }
}
