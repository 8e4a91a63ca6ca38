import type { Token } from './markdown-it.ts'
import { lineStart, type ParsedBlocks } from './parser.ts'

/** How the last content is to be read; see `rules/unfinished.ts`. */
export type Tail = 'open' | 'stopped'

/** What is not certain about the inline tokens of a text that is unfinished. */
export interface OpenContent {
  readonly tail: Tail
  /** Those that what comes next may belong to. */
  readonly open: ReadonlySet<Token>
  /** Those that are cells only if the delimiter row below them is one in the end: nothing in them is a link yet. */
  readonly tentative: ReadonlySet<Token>
}

/**
 * Looks at the end of the source for what is not certain yet. `isAssumed`: its last line is a delimiter row that
 * `assumeTable` made.
 */
export function openContent(
  parsed: ParsedBlocks,
  source: string,
  tail: Tail,
  isAssumed: boolean,
): OpenContent {
  const { tokens, lineCount } = parsed
  const isPartial = isAssumed || !source.endsWith('\n')
  const open = new Set<Token>()
  const last = openToken(parsed, source, isAssumed)
  if (last !== undefined) open.add(last)
  const table = tokens.findLastIndex(({ type }) => type === 'table_open')
  const [head = 0, end = 0] = tokens[table]?.map ?? []
  const isHalf = table >= 0 && isPartial && end === lineCount && head + 2 === lineCount
  const tentative = new Set(
    isHalf ? tokens.slice(table).filter(({ type }) => type === 'inline') : [],
  )
  // A block that begins in a last line that may still become something else has not ended the paragraph before it.
  const line = isHalf ? head : lineCount - 1
  if (isPartial && (isHalf || tail === 'stopped')) {
    const before = tokens.findLast(({ type, map }) => type === 'inline' && map?.[1] === line)
    if (before !== undefined) open.add(before)
  }
  return { tail, open, tentative }
}

/**
 * The inline token at the very end, if more may belong to it: the last paragraph, unless a blank line follows, or the
 * heading or cell whose line is unfinished.
 */
function openToken(
  { tokens, lineCount }: ParsedBlocks,
  source: string,
  isAssumed: boolean,
): Token | undefined {
  let at = tokens.length - 1
  while ((tokens[at]?.nesting ?? 0) < 0) at--
  const token = tokens[at]
  if (token?.type !== 'inline') return undefined
  const parent = tokens[at - 1]
  const isLast = (parent?.map?.[1] ?? 0) >= lineCount
  if (parent?.type === 'paragraph_open') return isLast ? token : undefined
  if (parent?.type === 'heading_open') return isLast && !source.endsWith('\n') ? token : undefined
  if (parent?.type !== 'th_open' && parent?.type !== 'td_open') return undefined
  return openCell(tokens, at, source, lineCount - (isAssumed ? 1 : 0))
}

function openCell(
  tokens: readonly Token[],
  last: number,
  source: string,
  lineCount: number,
): Token | undefined {
  let row = last
  while (tokens[row]?.type !== 'tr_open') row--
  const end = tokens[row]?.map?.[1] ?? 0
  if (end < lineCount) return undefined
  const line = source.slice(lineStart(source, end - 1)).split('\n', 1)[0] ?? ''
  if (/(?<!\\)\|\s*$/.test(line)) return undefined
  const cells = tokens.slice(row, last + 1).filter(({ type }) => type === 'inline')
  return cells.findLast(({ content }) => content !== '')
}

const containers = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t]+)*/
const delimiters = /^\|?[\s:|-]*$/

/**
 * A line that begins with a bar is taken for the head of a table before its delimiter row has come: the source with
 * that row in place, or `undefined` if the source does not end with such a line.
 */
export function assumeTable(source: string, paragraph: Token): string | undefined {
  const [from, to] = paragraph.map ?? [0, 0]
  const lines = source
    .slice(lineStart(source, from), lineStart(source, to))
    .replace(/\n$/, '')
    .split('\n')
  const [last = '', before] = [lines.at(-1), lines.at(-2)]
  const isRow = (line: string): boolean => line.replace(containers, '').startsWith('|')
  const isDelimiter =
    before !== undefined && isRow(before) && delimiters.test(last.replace(/^[\s>]*/, ''))
  const head = isDelimiter ? before : last
  if (!isRow(head)) return undefined
  const indent = (containers.exec(head)?.[0] ?? '').replaceAll(/[^\s>]/g, ' ')
  const cells = head
    .replace(containers, '')
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1)
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  const kept = source.slice(0, lineStart(source, isDelimiter ? to - 1 : to))
  return `${kept.replace(/\n$/, '')}\n${indent}|${'-|'.repeat(cells.length)}`
}

/** Whether the lines that `assumeTable` completed are a table. */
export function isTableAtEnd({ tokens, lineCount }: ParsedBlocks): boolean {
  const table = tokens.findLast(({ type }) => type === 'table_open')
  return table?.map?.[1] === lineCount
}

/** The paragraph that the source ends with. */
export function lastParagraph({ open }: OpenContent): Token | undefined {
  return [...open].find(({ map }) => map !== null)
}
