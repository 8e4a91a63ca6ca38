'use client'
import type { Block, Grouped } from '../../markdown/block.ts'
import type { MarkdownSyntax } from '../../markdown/parser.ts'
import { createMarkdownStream, type MarkdownStream } from '../../markdown/stream.ts'
import type { MarkdownExtension } from './view.ts'

const syntaxesByExtensions = new WeakMap<readonly MarkdownExtension[], readonly MarkdownSyntax[]>()

/** The syntaxes of extensions: the same array for the same array. */
function syntaxesOf(extensions: readonly MarkdownExtension[]): readonly MarkdownSyntax[] {
  const syntaxes =
    syntaxesByExtensions.get(extensions) ??
    extensions.flatMap(({ syntax }) => (syntax === undefined ? [] : [syntax]))
  syntaxesByExtensions.set(extensions, syntaxes)
  return syntaxes
}

/** Whether a text grows, has ended whole, or was cut short. */
export type TextState = 'streaming' | 'complete' | 'stopped'

/** A text read to blocks. */
export interface ReadText {
  readonly groups: Grouped<Block>
  readonly hidden: number
}

/** Reads a text that is given whole each time. */
export interface Source {
  read(text: string, state: TextState): ReadText
}

/**
 * A cache: the result depends on the text and its state alone, and what was read before only makes it quicker. That is
 * why a component may ask it while it renders, twice or for a render that is thrown away.
 */
export function createSource(extensions: readonly MarkdownExtension[]): Source {
  const syntaxes = syntaxesOf(extensions)
  let stream: MarkdownStream | undefined
  let text = ''
  let state: TextState | undefined
  let result: ReadText = { groups: [], hidden: 0 }
  return {
    read(next, nextState) {
      if (next === text && nextState === state) return result
      if (stream === undefined || !next.startsWith(text)) {
        stream = createMarkdownStream({ syntaxes })
        text = ''
      }
      stream.push(next.slice(text.length))
      if (nextState !== 'streaming') stream.end({ complete: nextState === 'complete' })
      result = { groups: stream.groups, hidden: stream.hidden }
      text = next
      state = nextState
      // What has ended is kept as blocks alone.
      if (nextState !== 'streaming') stream = undefined
      return result
    },
  }
}
