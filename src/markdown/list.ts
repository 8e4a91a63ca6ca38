import type { Block, ListItem } from './block.ts'
import { groupedBuilder } from './grouped.ts'
import type { Token } from './markdown-it.ts'
import { elements, groupSize, isTight, type Range } from './read.ts'

/** A top-level list that is being written: its items but the last are settled. */
export interface OpenList {
  /**
   * A line to put before the last item, so that the parser reads `source` as the next item of a list that has begun.
   * Its own item is no part of the list, and its paragraph tells whether what follows is loose.
   */
  prefix(source: string): string
  /** Source of the settled items. */
  source: string
  push(item: ListItem): void
  /** Takes the looseness of a parse that began with `prefix`. */
  loosen(items: Range): void
  /** The list with `rest` as its last items, which `items` tells the looseness of. */
  block(rest: readonly ListItem[], items?: Range): Block
  /** The list when no more is to come. */
  end(): Block
}

export function openList(token: Token): OpenList {
  const ordered = token.type === 'ordered_list_open'
  const start = Number(token.attrs?.find(([name]) => name === 'start')?.[1] ?? 1)
  const items = groupedBuilder<ListItem>(groupSize)
  let tight = true
  const block = (rest: readonly ListItem[], isLoose: boolean): Block => ({
    kind: 'list',
    ordered,
    start,
    tight: !isLoose,
    items: items.with(rest),
  })
  return {
    prefix: (text) => `${/^ */.exec(text)?.[0] ?? ''}${ordered ? '1' : ''}${token.markup} x\n`,
    source: '',
    push: (item) => items.push(item),
    loosen(range) {
      if (!isTight(range)) tight = false
    },
    block: (rest, range) => block(rest, !tight || (range !== undefined && !isTight(range))),
    end() {
      // As `isTight` has it: without a paragraph of its own a list has no looseness to show.
      const hasParagraph = items
        .with([])
        .flat()
        .some(({ blocks }) => blocks.some(({ kind }) => kind === 'paragraph'))
      return block([], !tight && hasParagraph)
    },
  }
}

/** The items of a parse that began with `prefix`, without the one that it put there. */
export function realItems(items: Range): readonly Range[] {
  return [...elements(items)].slice(1)
}
