import type { Block, Footnote, Grouped, ListItem, TableRow } from './block.ts'
import { openFence, type OpenFence } from './fence.ts'
import { groupedBuilder } from './grouped.ts'
import type { ResolvedLimits } from './limits.ts'
import { resolveLate, type Late } from './late.ts'
import { openList, realItems, type OpenList } from './list.ts'
import type { Token } from './markdown-it.ts'
import { countLines, lineStart, type ParsedBlocks, type Parser } from './parser.ts'
import {
  alignments,
  elements,
  groupSize,
  inside,
  rowTexts,
  type Definition,
  type Range,
} from './read.ts'
import { createReading } from './reading.ts'
import { share } from './share.ts'
import { openTable, type OpenTable } from './table.ts'
import {
  assumeTable,
  isTableAtEnd,
  lastParagraph,
  openContent,
  type OpenContent,
  type Tail,
} from './tail.ts'
import { isDecided } from './unfinished.ts'

/** The blocks of a text that grows; see `createMarkdownStream`. */
export interface Document {
  push(text: string): void
  end(complete: boolean): void
  /** All blocks, and after them `rest`. */
  groups(rest: readonly Block[]): Grouped<Block>
  notes(): readonly Footnote[]
  readonly settled: number
  readonly hidden: number
}

/** The last block, while it is one of those that are read piece by piece. */
type Open =
  | { readonly kind: 'fence'; readonly fence: OpenFence; source: string }
  | { readonly kind: 'list'; readonly list: OpenList; readonly labels: Set<string> }
  | { readonly kind: 'table'; readonly table: OpenTable; readonly labels: Set<string> }

/** Blocks that nothing can change once their line is complete, and those that a blank line ends. */
const finalAtOnce = new Set(['heading_open', 'hr'])
const finalAfterBlank = new Set([
  'paragraph_open',
  'table_open',
  'fence',
  'html_block',
  'blockquote_open',
  'reference_definition',
  'plain',
])

export function createDocument(parser: Parser, limits: ResolvedLimits): Document {
  const reading = createReading(parser, limits)
  let settled = groupedBuilder<Block>(groupSize)
  const late: Late[] = []
  let open: Open | undefined
  /** Source that is not settled: it begins with the first line of the last block, or item, or row. */
  let tail = ''
  let hasNewLine = false
  let isDirty = false
  let isStopped = false
  /** What is shown of the tail, and how many settled blocks were before it. */
  let shown: readonly Block[] = []
  let shownAt = 0
  /** Items or rows of an open list or table that were shown but are not settled. */
  let shownRest: readonly (ListItem | TableRow)[] = []
  let peeked: readonly Definition[] = []

  /** What to put before unsettled source, so that the parser reads it as the middle of the open list or table. */
  const prefixOf = (source: string): string => {
    if (open?.kind === 'list') return open.list.prefix(source)
    return open?.kind === 'table' ? open.table.prefix : ''
  }

  const consume = (source: string, line: number): string => {
    const at = lineStart(source, line)
    tail = tail.slice(at)
    return source.slice(0, at)
  }

  const settle = (
    blocks: readonly Block[],
    source: string,
    labels: ReadonlySet<string>,
    tailKind?: Tail,
  ): void => {
    if (labels.size > 0)
      late.push({ index: settled.length, count: blocks.length, labels, source, tail: tailKind })
    for (const block of blocks) settled.push(share(shown[settled.length - shownAt], block))
  }

  /** Whether a definition reaches the end of a text that was stopped: half an address would be an address too. */
  const isCut = (token: Token, lineCount: number): boolean =>
    isStopped && !tail.endsWith('\n') && (token.map?.[1] ?? 0) >= lineCount

  const define = ({ tokens, references, lineCount }: ParsedBlocks, { from, to }: Range): void => {
    for (const token of tokens.slice(from, to)) {
      if (token.type !== 'reference_definition' || isCut(token, lineCount)) continue
      const label = String(token.meta?.label)
      const reference = references[label]
      if (reference !== undefined) reading.define(label, reference)
    }
  }

  /** Whether all there is of a block is a line with a bar: with a delimiter row below it, it is the head of a table. */
  const mayBeHead = ({ tokens, lineCount }: ParsedBlocks, range: Range, text: string): boolean => {
    const line = tokens[range.from]?.map?.[0] ?? 0
    return line + 1 === lineCount && text.includes('|', lineStart(text, line))
  }

  const isFinal = (parsed: ParsedBlocks, range: Range, source: string): boolean => {
    const token = parsed.tokens[range.from]
    if (token === undefined || mayBeHead(parsed, range, source)) return false
    if (finalAtOnce.has(token.type) || (token.type === 'fence' && token.meta?.closed === true))
      return true
    return finalAfterBlank.has(token.type) && (token.map?.[1] ?? Infinity) < parsed.lineCount
  }

  /** Feeds complete lines to the open fence; true if it ended. */
  const feedFence = (
    current: Open & { kind: 'fence' },
    complete: number,
    isEnd: boolean,
  ): boolean => {
    const source = tail.slice(0, complete)
    const lines = source.replace(/(?:^|\n)[ \t]*$/, '').split('\n')
    if (source.trim() === '' && !source.includes('\n')) lines.length = 0
    const closing = lines.findIndex((line) => current.fence.push(line))
    tail = tail.slice(closing < 0 ? complete : lineStart(source, closing + 1))
    if (closing < 0 && !isEnd) return false
    settle([current.fence.block('')], '', new Set())
    open = undefined
    return true
  }

  /** Starts to read the last block piece by piece; true if it is of a kind that can be. */
  const openLast = (parsed: ParsedBlocks, range: Range, source: string, line: number): boolean => {
    const token = parsed.tokens[range.from]
    if (token?.type === 'fence') {
      consume(source, line)
      const first = consume(tail, 1)
      const fence = openFence(first.replace(/\n$/, ''), token.info, reading.visibleCode)
      open = { kind: 'fence', fence, source: '' }
      return true
    }
    const before = shown[settled.length - shownAt]
    if (token?.type === 'bullet_list_open' || token?.type === 'ordered_list_open') {
      consume(source, line)
      shownRest = before?.kind === 'list' ? before.items.flat() : []
      open = { kind: 'list', list: openList(token), labels: new Set() }
      return true
    }
    if (token?.type !== 'table_open') return false
    consume(source, line)
    shownRest = before?.kind === 'table' ? before.rows.flat() : []
    const prefix = consume(tail, 2)
    const head = inside({ ...range, from: range.from + 1, to: range.to })
    const row = [...elements(head)][0] ?? range
    const { value, labels } = reading.commit((reader) => reader.readRow(row))
    open = {
      kind: 'table',
      table: openTable(prefix, alignments(inside(row)), value),
      labels: new Set(labels),
    }
    return true
  }

  /** Settles the items of the open list, all of them or all but the last. */
  const settleItems = (
    { list, labels }: Open & { kind: 'list' },
    parsed: ParsedBlocks,
    range: Range,
    source: string,
    isWhole: boolean,
    content: OpenContent | undefined,
  ): void => {
    const items = inside(range)
    list.loosen(items)
    const real = realItems(items)
    const ready = isWhole ? real : real.slice(0, -1)
    ready.forEach((item, index) => {
      define(parsed, item)
      const read = reading.commit((reader) => reader.readItem(item), content)
      for (const label of read.labels) labels.add(label)
      list.push(share(shownRest[index], read.value))
    })
    shownRest = shownRest.slice(ready.length)
    const line = isWhole
      ? (parsed.tokens[range.from]?.map?.[1] ?? 1)
      : (parsed.tokens[real.at(-1)?.from ?? range.from]?.map?.[0] ?? 1)
    list.source += consume(source, line - 1)
  }

  const settleRows = (
    { table, labels }: Open & { kind: 'table' },
    range: Range,
    content: OpenContent | undefined,
    line: number,
    source: string,
  ): void => {
    const body = [...elements(inside(range))][1]
    const rows = body === undefined ? [] : [...elements(inside(body))]
    const room = Math.floor(limits.cells / table.columns) - table.length
    rows.slice(0, room).forEach((row, index) => {
      const read = reading.commit((reader) => reader.readRow(row), content)
      for (const label of read.labels) labels.add(label)
      table.push(share(shownRest[index] as TableRow | undefined, read.value))
    })
    shownRest = shownRest.slice(rows.length)
    const overflow = rowTexts(rows.slice(Math.max(room, 0)))
    if (overflow !== '') table.overflow += (table.overflow === '' ? '' : '\n') + overflow
    table.source += consume(source, line)
  }

  /** Settles what is final in complete lines; true if there may be more to settle. */
  const advance = (source: string, how: Tail | 'end' | undefined): boolean => {
    const prefix = prefixOf(source)
    const offset = countLines(prefix)
    const parsed = parser.blocks(prefix + source)
    const ranges = [...elements({ tokens: parsed.tokens, from: 0, to: parsed.tokens.length })]
    const content = how === 'stopped' ? openContent(parsed, prefix + source, how, false) : undefined
    let rest = source
    let line = 0
    for (const [index, range] of ranges.entries()) {
      const isLast = index === ranges.length - 1
      const isWhole = !isLast || how !== undefined || isFinal(parsed, range, prefix + source)
      const map = parsed.tokens[range.from]?.map
      const end = (map?.[1] ?? parsed.lineCount) - offset
      if (index === 0 && open?.kind === 'list') {
        settleItems(open, parsed, range, rest, isWhole, content)
        if (!isWhole) return false
        settle([open.list.end()], open.list.source, open.labels, content?.tail)
        open = undefined
      } else if (index === 0 && open?.kind === 'table') {
        settleRows(open, range, content, end, rest)
        if (!isWhole) return false
        settle(
          open.table.blocks([]),
          open.table.prefix + open.table.source,
          open.labels,
          content?.tail,
        )
        open = undefined
      } else if (isWhole) {
        define(parsed, range)
        const read = reading.commit((reader) => reader.read(range), content)
        const first = parsed.tokens[range.from]
        const isHalf = first?.type === 'reference_definition' && isCut(first, parsed.lineCount)
        const text = consume(rest, end - line)
        const blocks: readonly Block[] = isHalf
          ? [{ kind: 'paragraph', children: [text.trim()] }]
          : read.value
        settle(blocks, text, isHalf ? new Set() : read.labels, isLast ? content?.tail : undefined)
      } else if (mayBeHead(parsed, range, prefix + source)) return false
      else return openLast(parsed, range, rest, (map?.[0] ?? 0) - offset - line)
      rest = rest.slice(lineStart(rest, end - line))
      line = end
    }
    if (rest.trim() === '') tail = tail.slice(rest.length)
    return false
  }

  const settleLines = (how: Tail | 'end' | undefined): void => {
    for (;;) {
      const complete = how === undefined ? tail.lastIndexOf('\n') + 1 : tail.length
      if (open?.kind === 'fence') {
        if (!feedFence(open, complete, how !== undefined)) return
      } else if (complete === 0 && (how === undefined || open === undefined)) return
      else if (!advance(tail.slice(0, complete), how)) return
    }
  }

  /** What the tail looks like now. */
  const peek = (): readonly Block[] => {
    if (open?.kind === 'fence') return [open.fence.block(tail)]
    const partial = tail.lastIndexOf('\n') + 1
    const source = isDecided(tail.slice(partial)) ? tail : tail.slice(0, partial)
    const prefix = prefixOf(source)
    if (open === undefined && source.trim() === '') return []
    let whole = prefix + source
    let parsed = parser.blocks(whole)
    let content = openContent(parsed, whole, 'open', false)
    const paragraph = lastParagraph(content)
    const assumed = paragraph === undefined ? undefined : assumeTable(whole, paragraph)
    const table = assumed === undefined ? undefined : parser.blocks(assumed)
    if (assumed !== undefined && table !== undefined && isTableAtEnd(table)) {
      whole = assumed
      parsed = table
      content = openContent(parsed, whole, 'open', true)
    }
    const ranges = [...elements({ tokens: parsed.tokens, from: 0, to: parsed.tokens.length })]
    const [first] = ranges
    const { value, notes } = reading.peek((reader) => {
      const blocks: Block[] = []
      if (first !== undefined && open?.kind === 'list') {
        const items = inside(first)
        const rest = share(shownRest, realItems(items).map(reader.readItem))
        shownRest = rest
        blocks.push(open.list.block(rest, items))
      } else if (first !== undefined && open?.kind === 'table') {
        const body = [...elements(inside(first))][1]
        const room = Math.max(Math.floor(limits.cells / open.table.columns) - open.table.length, 0)
        const rows = body === undefined ? [] : [...elements(inside(body))].slice(0, room)
        const rest = share(shownRest, rows.map(reader.readRow))
        shownRest = rest
        blocks.push(...open.table.blocks(rest))
      }
      const from = open === undefined ? 0 : 1
      for (const range of ranges.slice(from))
        blocks.push(...share(shown.slice(blocks.length), reader.read(range)))
      return blocks
    }, content)
    peeked = notes
    return value
  }

  const flush = (): void => {
    if (!isDirty) return
    isDirty = false
    if (hasNewLine) settleLines(undefined)
    hasNewLine = false
    shown = peek()
    shownAt = settled.length
  }

  return {
    push(text) {
      tail += text
      isDirty = true
      if (text.includes('\n')) hasNewLine = true
    },
    end(complete) {
      isDirty = false
      isStopped = !complete
      settleLines(complete ? 'end' : 'stopped')
      shown = []
      peeked = []
      shownAt = settled.length
      const resolved = resolveLate(settled.with([]).flat(), late, reading, parser)
      if (resolved === undefined) return
      settled = groupedBuilder(groupSize)
      for (const block of resolved) settled.push(block)
    },
    groups(rest) {
      flush()
      return settled.with([...shown, ...rest])
    },
    notes() {
      flush()
      // The first definition of a label counts.
      const known = new Map(reading.notes)
      for (const { label, blocks } of peeked) if (!known.has(label)) known.set(label, blocks)
      const numbered = [...known].map(([label, blocks], index) => ({
        label,
        blocks,
        number: reading.numbers.get(label) ?? reading.numbers.size + index + 1,
      }))
      return numbered.toSorted((a, b) => a.number - b.number)
    },
    get settled() {
      flush()
      return settled.length
    },
    get hidden() {
      flush()
      return reading.hidden
    },
  }
}
