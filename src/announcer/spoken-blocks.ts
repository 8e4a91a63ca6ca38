import { assertNever } from '../protocol/assert.ts'
import type { Block } from '../markdown/block.ts'
import { spokenFormula, spokenInline, type InlineWording } from './spoken-inline.ts'
import type { SpokenBlock } from './unit.ts'

/** The pieces of a document in reading order: lists by their items, quotes by what is in them. `settled` for all. */
export function spokenBlocks(
  blocks: readonly Block[],
  settled: boolean,
  wording: InlineWording,
): readonly SpokenBlock[] {
  return blocks.flatMap((block) => spokenBlock(block, settled, wording))
}

function spokenBlock(
  block: Block,
  settled: boolean,
  wording: InlineWording,
): readonly SpokenBlock[] {
  const text = (words: string): SpokenBlock => ({ kind: 'text', text: words, settled })
  switch (block.kind) {
    case 'paragraph':
      return [text(spokenInline(block.children, wording))]
    case 'heading':
      return [{ kind: 'heading', text: spokenInline(block.children, wording), settled }]
    case 'list':
      return block.items.flat().flatMap((item) => spokenBlocks(item.blocks, settled, wording))
    case 'quote':
      return spokenBlocks(block.blocks, settled, wording).map((inner, index) =>
        index === 0 && inner.kind === 'text' ? { ...inner, kind: 'quote' } : inner,
      )
    case 'code': {
      const lines = block.lines.reduce((sum, group) => sum + group.length, 0)
      const whole = settled || block.closed
      return [{ kind: 'code', language: block.language ?? '', lines, settled: whole }]
    }
    case 'table': {
      const rows = block.rows.reduce((sum, group) => sum + group.length, 0)
      return [{ kind: 'table', columns: block.columns.length, rows, settled }]
    }
    case 'html':
      return [text(block.text.replaceAll(/<[^>]*>/g, ' '))]
    case 'plain':
      return [text(block.text)]
    case 'custom':
      if (block.blocks.length > 0) return spokenBlocks(block.blocks, settled, wording)
      return [
        text(
          block.children.length > 0
            ? spokenInline(block.children, wording)
            : spokenFormula(block.text, wording.phrases),
        ),
      ]
    case 'rule':
    case 'footnotes':
      return []
    default:
      return assertNever(block)
  }
}
