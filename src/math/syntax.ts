'use client'
import type { MarkdownIt, StateBlock, StateInline } from '../markdown/markdown-it.ts'

/** Where an inline formula ends, and what it says. */
interface Found {
  readonly end: number
  readonly source: string
}

/** Formulas in lines and as blocks, as tokens of the types `math_inline` and `math_block`; `info` is what opened them. */
export function mathSyntax(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math_inline', inline)
  md.block.ruler.before('fence', 'math_block', block, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

const pairs = [
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const

function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  const first = src.charAt(pos)
  if (first !== '$' && first !== '\\') return false
  const pair = pairs.find(([open]) => src.startsWith(open, pos))
  const found = pair === undefined ? dollars(src, pos, posMax) : between(src, pos, posMax, pair)
  if (found !== undefined) {
    if (!silent) push(state, found.source, pair?.[0] ?? '$', true)
    state.pos = found.end
    return true
  }
  if (state.env.tail !== 'open' || posMax !== src.length || !mayClose(src, pos, pair?.[0]))
    return false
  if (!silent) push(state, src.slice(pos + (pair?.[0].length ?? 1)), pair?.[0] ?? '$', false)
  state.pos = posMax
  return true
}

function push(state: StateInline, source: string, open: string, isClosed: boolean): void {
  const token = state.push('math_inline', 'math', 0)
  token.content = source
  token.info = isClosed ? open : `${open} open`
}

function between(
  src: string,
  pos: number,
  max: number,
  [open, close]: readonly [string, string],
): Found | undefined {
  const end = closing(src, pos + open.length, max, close)
  const source = src.slice(pos + open.length, end)
  if (end < 0 || source.trim() === '') return undefined
  return { end: end + close.length, source: source.trim() }
}

/** The first `close` that no backslash stands before. */
function closing(src: string, from: number, max: number, close: string): number {
  for (let at = src.indexOf(close, from); at >= 0 && at < max; at = src.indexOf(close, at + 1)) {
    const slashes = /\\*$/.exec(src.slice(Math.max(from, at - 8), at))?.[0].length ?? 0
    if (slashes % 2 === 0) return at
  }
  return -1
}

/** A formula between single dollars: set tight, on one line, with no letter or digit of Latin text beside it. */
function dollars(src: string, pos: number, max: number): Found | undefined {
  if (!isOpener(src, pos)) return undefined
  const end = closing(src, pos + 1, max, '$')
  if (end < 0 || /[\s$]/.test(src.charAt(end - 1)) || /[a-z\d$]/i.test(src.charAt(end + 1)))
    return undefined
  const source = src.slice(pos + 1, end)
  return source === '' || source.includes('\n') || isMoney(source)
    ? undefined
    : { end: end + 1, source }
}

const isOpener = (src: string, pos: number): boolean =>
  !/[a-z\d$\\]$/i.test(src.slice(Math.max(pos - 2, 0), pos)) && /[^\s$]/.test(src.charAt(pos + 1))

/** What begins with a number and goes on in words, as in `$5 to 10$`; commands and `\text{…}` are no words. */
function isMoney(source: string): boolean {
  if (!/^[\d.,]/.test(source)) return false
  return /[a-z]{2,}/i.test(source.replaceAll(/\\[a-z]+(?:\{[^}]*\})?/gi, ''))
}

/** Whether what has no end yet is meant as a formula, and so is shown as it is and not as emphasis or a link. */
function mayClose(src: string, pos: number, open: string | undefined): boolean {
  const rest = src.slice(pos + (open?.length ?? 1))
  if (rest.length > 1000) return false
  if (open !== undefined) return true
  // The first sign that this is a formula has to be seen: `$HOME is **here**` is none.
  return isOpener(src, pos) && /^[^\s$]*[\\^_={]/.test(rest) && !/[\n$]|\*\*|`|\]\(/.test(rest)
}

/**
 * A formula of its own: from a line that begins with `$$` or `\[` to one that ends with the closing mark, or to a blank
 * line, which no formula has inside. Without the mark it is a block all the same, shown as written: what comes later
 * may not change what came before.
 */
function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number): string =>
    state.src.slice(
      (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0),
      state.eMarks[line] ?? state.src.length,
    )
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  const first = lineAt(startLine).trimEnd()
  const pair = pairs.find(([open]) => open !== '\\(' && first.startsWith(open))
  if (pair === undefined) return false
  const [open, close] = pair
  const at = closing(first, open.length, first.length, close)
  // What follows makes it a part of a paragraph.
  if (at >= 0 && at + close.length < first.length) return false
  if (silent) return true
  let line = startLine
  let isClosed = at >= 0
  const lines = [first.slice(open.length, isClosed ? at : undefined)]
  while (!isClosed && line + 1 < endLine) {
    const next = lineAt(line + 1).trimEnd()
    const isOutside = (state.sCount[line + 1] ?? 0) < state.blkIndent
    if (next === '' || isOutside) break
    line += 1
    const end = closing(next, 0, next.length, close)
    isClosed = end >= 0
    lines.push(isClosed ? next.slice(0, end) : next)
    // What follows the mark goes to the formula's source: nothing that was written is lost.
    if (isClosed && end + close.length < next.length) lines.push(next.slice(end + close.length))
  }
  state.line = line + 1
  const token = state.push('math_block', 'math', 0)
  token.block = true
  token.content = lines.join('\n').trim()
  token.info = open
  token.map = [startLine, state.line]
  token.meta = { closed: isClosed }
  return true
}
