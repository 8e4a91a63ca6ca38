'use client'
import { createElement, memo, use, type FunctionComponent, type ReactNode } from 'react'
import type { Block, Footnote, Grouped, ListItem } from '../../markdown/block.ts'
import { assertNever } from '../../protocol/assert.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { CodeBlock } from './code-block.tsx'
import { HtmlIsland } from './html-island.tsx'
import { inlineChildren } from './inline.tsx'
import { MarkdownTable } from './table.tsx'
import { ViewContext, type View } from './view.ts'

interface GroupProps {
  readonly blocks: readonly Block[]
}

/** Blocks in a row: those that are the same objects as before are not looked at again. */
export const BlockGroup: FunctionComponent<GroupProps> = memo(function BlockGroup({
  blocks,
}: GroupProps): ReactNode {
  return blocks.map((block, index) => <BlockView key={index} block={block} />)
})

/** A long document: a group that is full and settled costs one comparison. */
export function Blocks({ groups }: { readonly groups: Grouped<Block> }): ReactNode {
  return groups.map((blocks, index) => <BlockGroup key={index} blocks={blocks} />)
}

interface BlockProps {
  readonly block: Block
}

const BlockView: FunctionComponent<BlockProps> = memo(function BlockView({
  block,
}: BlockProps): ReactNode {
  const view = use(ViewContext)
  return view === undefined ? null : blockElement(block, view)
})

function blockElement(block: Block, view: View): ReactNode {
  const { components, renderers } = view
  switch (block.kind) {
    case 'paragraph':
      return createElement(
        components.p ?? 'p',
        { dir: 'auto' },
        ...inlineChildren(block.children, view),
      )
    case 'heading': {
      const level = Math.min(block.level + view.headingOffset, 6) as 1 | 2 | 3 | 4 | 5 | 6
      return createElement(
        components[`h${level}`] ?? `h${level}`,
        { dir: 'auto', className: `sluice-md-h${block.level}` },
        ...inlineChildren(block.children, view),
      )
    }
    case 'code': {
      const Renderer = renderers.code[block.language ?? '']
      return Renderer === undefined ? <CodeBlock block={block} /> : <Renderer block={block} />
    }
    case 'list':
      return <MarkdownList block={block} />
    case 'table':
      return <MarkdownTable block={block} />
    case 'quote':
      return createElement(
        components.blockquote ?? 'blockquote',
        { dir: 'auto' },
        <BlockGroup blocks={block.blocks} />,
      )
    case 'rule':
      return createElement(components.hr ?? 'hr')
    case 'html':
      return <HtmlIsland html={block.text} />
    case 'footnotes':
      return <Footnotes notes={block.notes} />
    case 'plain':
      return <PlainBlock text={block.text} />
    case 'custom': {
      const Renderer = renderers.blocks[block.name]
      if (Renderer !== undefined) return <Renderer block={block} />
      if (block.blocks.length > 0) return <BlockGroup blocks={block.blocks} />
      const children = inlineChildren(block.children, view)
      return createElement('p', { dir: 'auto' }, ...(children.length > 0 ? children : [block.text]))
    }
    default:
      return assertNever(block)
  }
}

/** Text that was too large to format. */
function PlainBlock({ text }: { readonly text: string }): ReactNode {
  const labels = useLabels()
  return (
    <div className="sluice-md-plain">
      <p className="sluice-md-notice">{labels.markdown.tooLarge}</p>
      <p dir="auto">{text}</p>
    </div>
  )
}

/**
 * A list. Its looseness is an attribute of the list alone, so that a late blank line changes the look of earlier items
 * and none of their elements.
 */
function MarkdownList({ block }: { readonly block: Extract<Block, { kind: 'list' }> }): ReactNode {
  const view = use(ViewContext)
  const className = block.tight ? 'sluice-md-tight' : 'sluice-md-loose'
  const items = block.items.map((group, index) => <Items key={index} items={group} />)
  if (block.ordered) {
    const List = view?.components.ol ?? 'ol'
    return (
      <List dir="auto" className={className} start={block.start === 1 ? undefined : block.start}>
        {items}
      </List>
    )
  }
  const List = view?.components.ul ?? 'ul'
  return (
    <List dir="auto" className={className}>
      {items}
    </List>
  )
}

interface ItemsProps {
  readonly items: readonly ListItem[]
}

const Items: FunctionComponent<ItemsProps> = memo(function Items({ items }: ItemsProps): ReactNode {
  return items.map((item, index) => <Item key={index} item={item} />)
})

interface ItemProps {
  readonly item: ListItem
}

const Item: FunctionComponent<ItemProps> = memo(function Item({ item }: ItemProps): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  const { checked } = item
  return createElement(
    view?.components.li ?? 'li',
    checked === undefined ? null : { className: 'sluice-md-task' },
    checked !== undefined && (
      <input
        type="checkbox"
        checked={checked}
        disabled
        aria-label={checked ? labels.markdown.taskDone : labels.markdown.taskOpen}
      />
    ),
    <BlockGroup blocks={item.blocks} />,
  )
})

/** The notes at the end of a text, each with a way back to where it was called. */
function Footnotes({ notes }: { readonly notes: readonly Footnote[] }): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  return (
    <section className="sluice-md-footnotes" aria-label={labels.markdown.footnotes}>
      <ol>
        {notes.map(({ label, number, blocks }) => {
          const id = `${view?.idPrefix ?? ''}-note-${number}`
          return (
            <li key={label} id={id}>
              <BlockGroup blocks={blocks} />
              <a href={`#${id}-reference`} aria-label={labels.markdown.backToText}>
                ↩
              </a>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
