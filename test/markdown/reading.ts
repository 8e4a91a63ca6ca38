import {
  createMarkdownStream,
  plainTextOf,
  type Block,
  type Inline,
  type MarkdownEnd,
  type MarkdownStream,
} from 'sluice/markdown'

/** A text read whole. */
export function oneShot(text: string, how?: MarkdownEnd): readonly Block[] {
  const stream = createMarkdownStream()
  stream.push(text)
  stream.end(how)
  return stream.blocks
}

/** A text read in pieces; `look` is called after each, and `blocks` are those at the end. */
export function inPieces(
  pieces: Iterable<string>,
  look: (stream: MarkdownStream, prefix: string) => void = () => {},
  how?: MarkdownEnd,
): readonly Block[] {
  const stream = createMarkdownStream()
  let prefix = ''
  for (const piece of pieces) {
    stream.push(piece)
    prefix += piece
    look(stream, prefix)
  }
  stream.end(how)
  return stream.blocks
}

/** Every address that blocks link to or show. */
export function addressesOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const entry of value) addressesOf(entry, found)
  else if (typeof value === 'object' && value !== null) {
    const node = value as { kind?: string; href?: string; src?: string }
    if (node.kind === 'link' && node.href !== undefined) found.add(node.href)
    if (node.kind === 'image' && node.src !== undefined) found.add(node.src)
    for (const entry of Object.values(value)) addressesOf(entry, found)
  }
  return found
}

/** What a reader sees of blocks, white space apart. */
export function visibleText(blocks: readonly Block[]): string {
  return blocks.map(textOf).join('\n').replaceAll(/\s+/g, ' ').trim()
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainTextOf(block.children)
    case 'code':
      return block.lines.flat().join('\n')
    case 'list':
      return block.items
        .flat()
        .map(({ blocks }) => visibleText(blocks))
        .join('\n')
    case 'table':
      return [block.head, ...block.rows.flat()]
        .map((row) => row.map((cell: readonly Inline[]) => plainTextOf(cell)).join(' '))
        .join('\n')
    case 'quote':
      return visibleText(block.blocks)
    case 'footnotes':
      return block.notes.map(({ blocks }) => visibleText(blocks)).join('\n')
    case 'html':
    case 'plain':
      return block.text
    case 'rule':
      return ''
    case 'custom':
      return block.text + plainTextOf(block.children) + visibleText(block.blocks)
  }
}
