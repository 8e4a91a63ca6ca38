import type { Alignment, Block, Inline, ListItem, TableRow } from './block.ts'
import { grouped } from './grouped.ts'
import type { ResolvedLimits } from './limits.ts'
import type { Token } from './markdown-it.ts'

export const groupSize = 24
export const linesPerGroup = 32

/** How the inline content of a block is read: by the token that holds it, whose text may have been changed. */
export type ReadContent = (token: Token) => readonly Inline[]

/** A footnote definition found among the blocks. */
export interface Definition {
  readonly label: string
  readonly blocks: readonly Block[]
}

/** Some tokens of a token stream. */
export interface Range {
  readonly tokens: readonly Token[]
  readonly from: number
  readonly to: number
}

/** The top-level elements of a piece of the token stream, each as the range of its tokens. */
export function* elements({ tokens, from, to }: Range): Generator<Range> {
  for (let start = from; start < to;) {
    let depth = 0
    let end = start
    do {
      depth += tokens[end]?.nesting ?? 0
      end++
    } while (depth > 0 && end < to)
    yield { tokens, from: start, to: end }
    start = end
  }
}

/** What is between the first and the last token. */
export const inside = ({ tokens, from, to }: Range): Range => ({
  tokens,
  from: from + 1,
  to: to - 1,
})

const task = /^\[([ xX])\](?=[ \t\n]+\S)\s*/

/** Turns block tokens into blocks. Reference definitions leave none; those of footnotes are handed to `define`. */
export function createBlockReader(options: {
  readonly limits: ResolvedLimits
  readonly readContent: ReadContent
  readonly visible: (text: string) => string
  readonly define: (definition: Definition) => void
}): {
  read(range: Range): readonly Block[]
  readItem(range: Range): ListItem
  readRow(range: Range): TableRow
} {
  const { limits, readContent, visible, define } = options

  const read = (range: Range): readonly Block[] => {
    const blocks: Block[] = []
    for (const element of elements(range)) blocks.push(...readElement(element))
    return blocks
  }

  const readElement = (range: Range): readonly Block[] => {
    const token = range.tokens[range.from]
    if (token === undefined) return []
    const content = range.tokens[range.from + 1]
    switch (token.type) {
      case 'paragraph_open':
        return [{ kind: 'paragraph', children: content === undefined ? [] : readContent(content) }]
      case 'heading_open': {
        const level = Number(token.tag.slice(1)) as 1 | 2 | 3 | 4 | 5 | 6
        return [
          { kind: 'heading', level, children: content === undefined ? [] : readContent(content) },
        ]
      }
      case 'bullet_list_open':
      case 'ordered_list_open':
        return [readList(token, inside(range))]
      case 'blockquote_open':
        return [{ kind: 'quote', blocks: read(inside(range)) }]
      case 'table_open':
        return readTable(inside(range))
      case 'fence':
      case 'code_block':
        return [
          codeBlock(
            token.info,
            visible(token.content),
            token.meta?.closed === true,
            token.meta?.open === true,
          ),
        ]
      case 'hr':
        return [{ kind: 'rule' }]
      case 'html_block':
        return [{ kind: 'html', text: visible(token.content) }]
      case 'plain':
        return [
          {
            kind: 'plain',
            text: visible(token.content),
            reason: token.info === 'depth' ? 'depth' : 'line',
          },
        ]
      case 'reference_definition':
        return []
      case 'footnote_open':
        define({ label: String(token.meta?.label), blocks: read(inside(range)) })
        return []
      default:
        return [readCustom(token, range)]
    }
  }

  const readList = (token: Token, range: Range): Block => {
    const items = [...elements(range)].map(readItem)
    return {
      kind: 'list',
      ordered: token.type === 'ordered_list_open',
      start: Number(token.attrs?.find(([name]) => name === 'start')?.[1] ?? 1),
      tight: isTight(range),
      items: grouped(groupSize, items),
    }
  }

  const readItem = (range: Range): ListItem => {
    const content = range.tokens[range.from + 2]
    const isParagraph = range.tokens[range.from + 1]?.type === 'paragraph_open'
    const match = isParagraph && content !== undefined ? task.exec(content.content) : null
    if (match === null || content === undefined) return { blocks: read(inside(range)) }
    content.content = content.content.slice(match[0].length)
    return { checked: match[1] !== ' ', blocks: read(inside(range)) }
  }

  const readRow = (range: Range): TableRow =>
    [...elements(inside(range))].map(({ tokens, from }) => {
      const content = tokens[from + 1]
      return content === undefined ? [] : readContent(content)
    })

  const readTable = (range: Range): readonly Block[] => {
    const [head, body] = [...elements(range)]
    const headRow = head === undefined ? undefined : inside(head)
    const columns = headRow === undefined ? [] : alignments(inside(headRow))
    const rows = body === undefined ? [] : [...elements(inside(body))]
    const most = Math.floor(limits.cells / Math.max(columns.length, 1))
    const table: Block = {
      kind: 'table',
      columns,
      head: headRow === undefined ? [] : readRow(headRow),
      rows: grouped(groupSize, rows.slice(0, most).map(readRow)),
    }
    if (rows.length <= most) return [table]
    return [table, { kind: 'plain', text: visible(rowTexts(rows.slice(most))), reason: 'cells' }]
  }

  const readCustom = (token: Token, range: Range): Block => {
    const name = token.type.replace(/_open$/, '')
    const hasContent = range.tokens[range.from + 1]?.type === 'inline'
    const content = range.tokens[range.from + 1]
    return {
      kind: 'custom',
      name,
      tag: token.tag,
      text: visible(token.content),
      info: token.info,
      children: hasContent && content !== undefined ? readContent(content) : [],
      blocks: hasContent || range.to - range.from < 2 ? [] : read(inside(range)),
      closed: token.meta?.closed === true,
    }
  }

  return { read, readItem, readRow }
}

/** A list is tight if its paragraphs are marked so; without a paragraph of its own it has no looseness to show. */
export function isTight(list: Range): boolean {
  for (const item of elements(list)) {
    for (const { tokens, from } of elements({ ...item, from: item.from + 1, to: item.to - 1 })) {
      const token = tokens[from]
      if (token?.type === 'paragraph_open') return token.hidden
    }
  }
  return true
}

export function alignments(row: Range): readonly Alignment[] {
  return [...elements(row)].map(({ tokens, from }) => {
    const style = tokens[from]?.attrs?.find(([name]) => name === 'style')?.[1]
    const word = /left|center|right/.exec(String(style))?.[0]
    return word as Alignment
  })
}

/** Rows that a table has no room for, as written, near enough: one a line, cells apart by bars. */
export function rowTexts(rows: readonly Range[]): string {
  return rows
    .map((row) => {
      const cells = [...elements({ ...row, from: row.from + 1, to: row.to - 1 })]
      return `| ${cells.map(({ tokens, from }) => tokens[from + 1]?.content ?? '').join(' | ')} |`
    })
    .join('\n')
}

export function codeBlock(
  info: string,
  content: string,
  closed: boolean,
  isOpenLine = false,
): Block {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n')
  const language = isOpenLine ? undefined : languageOf(info)
  return {
    kind: 'code',
    ...(language === undefined ? {} : { language }),
    info: isOpenLine ? '' : info,
    lines: grouped(linesPerGroup, lines),
    closed,
  }
}

export function languageOf(info: string): string | undefined {
  const word = info.trim().split(/\s+/, 1)[0]
  return word === '' ? undefined : word
}
