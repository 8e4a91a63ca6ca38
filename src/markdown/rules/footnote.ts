import type { MarkdownIt, StateBlock, StateInline } from '../markdown-it.ts'

// `[^label]` and `[^label]: …` as GitHub has them. The definition is a container like a list item, four columns deep.

const definition = /\[\^([^\]\s]+)\]:/y

function footnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineStart = state.bMarks[startLine] ?? 0
  const begin = lineStart + (state.tShift[startLine] ?? 0)
  const indent = state.sCount[startLine] ?? 0
  if (indent - state.blkIndent >= 4 || state.src.charAt(begin) !== '[') return false
  definition.lastIndex = begin
  const match = definition.exec(state.src)
  const max = state.eMarks[startLine] ?? 0
  if (match === null || begin + match[0].length > max) return false
  if (silent) return true

  const open = state.push('footnote_open', '', 1)
  open.meta = { label: match[1] }
  open.map = [startLine, startLine]

  const { bMarks, tShift, sCount, blkIndent, parentType } = state
  const oldShift = tShift[startLine] ?? 0
  const after = begin + match[0].length
  const initial = indent + match[0].length
  let offset = initial
  let pos = after
  for (; pos < max; pos++) {
    const character = state.src.charAt(pos)
    if (character === '\t') offset += 4 - (offset % 4)
    else if (character === ' ') offset++
    else break
  }
  bMarks[startLine] = after
  tShift[startLine] = pos - after
  sCount[startLine] = offset - initial + blkIndent + 4
  state.blkIndent = blkIndent + 4
  state.parentType = 'footnote'
  state.md.block.tokenize(state, startLine, endLine)
  bMarks[startLine] = lineStart
  tShift[startLine] = oldShift
  sCount[startLine] = indent
  state.blkIndent = blkIndent
  state.parentType = parentType

  open.map[1] = state.line
  state.push('footnote_close', '', -1)
  return true
}

/** What the inline rule asks whether a label is defined. */
export interface FootnoteEnv {
  readonly hasFootnote?: ((label: string) => boolean) | undefined
}

const reference = /\[\^([^\]\s[]+)\]/y

function footnoteReference(state: StateInline, silent: boolean): boolean {
  if (state.src.charAt(state.pos) !== '[') return false
  reference.lastIndex = state.pos
  const match = reference.exec(state.src)
  const label = match?.[1]
  if (match === null || label === undefined) return false
  const { hasFootnote } = state.env as FootnoteEnv
  if (hasFootnote?.(label) !== true) return false
  if (!silent) state.push('footnote_reference', '', 0).meta = { label }
  state.pos += match[0].length
  return true
}

export function footnoteRules(md: MarkdownIt): void {
  md.block.ruler.before('reference', 'footnote', footnote, { alt: ['paragraph', 'reference'] })
  md.inline.ruler.before('link', 'footnote', footnoteReference)
}
