import { checkImage, checkLink, type UrlPolicy } from '../safety/url.ts'
import { assertNever } from '../protocol/assert.ts'
import type { Alignment, Block, Footnote, Inline, InlineNode, ListItem, TableRow } from './block.ts'
import { languageClass } from './language-class.ts'
import { plainTextOf } from './plain-text.ts'
import { createMarkdownStream, type MarkdownStreamOptions } from './stream.ts'

/** Options of {@link renderToHtml}. */
export interface RenderOptions extends MarkdownStreamOptions {
  /** What may be linked to and loaded. Default: strict. */
  readonly policy?: UrlPolicy | undefined
  /** Added to each heading's level. Default 0. */
  readonly headingOffset?: number | undefined
  /** Begins every id, for a page of several documents. Default `note`. */
  readonly idPrefix?: string | undefined
}

/**
 * All that a policy decides about the markup. What it is given is as written; what it returns goes into the HTML, escaped
 * except for `html`.
 */
export interface Markup {
  /** The attributes of a link, or `undefined` where its text stands alone. */
  link(href: string, text: string): readonly (readonly [string, string])[] | undefined
  /** The address of an image, or `undefined` where its alternative text stands alone. */
  image(src: string): string | undefined
  /** HTML for raw HTML. */
  html(source: string, isBlock: boolean): string
  /** The class of a code block in a language, if it has one. */
  languageClass(language: string): string | undefined
}

/** The markup that may go anywhere: no raw HTML, no address that the policy does not allow. */
export function safeMarkup(policy: UrlPolicy = {}): Markup {
  return {
    link(href, text) {
      const link = checkLink(href, text, policy)
      return (
        link && [
          ['href', link.href],
          ['target', '_blank'],
          ['rel', 'noopener noreferrer nofollow ugc'],
        ]
      )
    },
    image(src) {
      const image = checkImage(src, policy)
      return image?.isAllowed === true ? image.src : undefined
    },
    html: (source, isBlock) =>
      isBlock ? `<p>${escapeHtml(source.trimEnd())}</p>\n` : escapeHtml(source),
    languageClass,
  }
}

/**
 * Markdown as HTML, without a DOM. It is safe to put into a page: raw HTML is escaped, addresses pass the policy, images
 * load only from where the policy says.
 */
export function renderToHtml(text: string, options: RenderOptions = {}): string {
  const stream = createMarkdownStream(options)
  stream.push(text)
  stream.end()
  return printBlocks(stream.blocks, safeMarkup(options.policy), options)
}

type PrintOptions = Pick<RenderOptions, 'headingOffset' | 'idPrefix'>

/** Blocks as HTML, in the layout of the CommonMark examples. */
export function printBlocks(
  blocks: readonly Block[],
  markup: Markup,
  { headingOffset = 0, idPrefix = 'note' }: PrintOptions = {},
): string {
  const inlines = (nodes: readonly Inline[], isInLink = false): string =>
    nodes
      .map((node) => (typeof node === 'string' ? escapeHtml(node) : inline(node, isInLink)))
      .join('')

  const inline = (node: InlineNode, isInLink: boolean): string => {
    switch (node.kind) {
      case 'emphasis':
        return `<em>${inlines(node.children, isInLink)}</em>`
      case 'strong':
        return `<strong>${inlines(node.children, isInLink)}</strong>`
      case 'strike':
        return `<del>${inlines(node.children, isInLink)}</del>`
      case 'code':
        return `<code>${escapeHtml(node.text)}</code>`
      case 'break':
        return '<br />\n'
      case 'isolate':
        return `<bdi>${escapeHtml(node.text)}</bdi>`
      case 'html':
        return markup.html(node.text, false)
      case 'link': {
        const attributes = isInLink ? undefined : markup.link(node.href, plainTextOf(node.children))
        const content = inlines(node.children, true)
        return attributes === undefined
          ? content
          : `<a${print([...attributes, ...titled(node.title)])}>${content}</a>`
      }
      case 'image': {
        const src = node.src === undefined ? undefined : markup.image(node.src)
        return src === undefined
          ? escapeHtml(node.alt)
          : `<img${print([['src', src], ['alt', node.alt], ...titled(node.title)])} />`
      }
      case 'footnote': {
        const id = `${idPrefix}-${node.number}`
        return `<sup><a href="#${escapeHtml(id)}" id="${escapeHtml(id)}-reference">${node.number}</a></sup>`
      }
      case 'custom':
        return node.children.length > 0 ? inlines(node.children, isInLink) : escapeHtml(node.text)
      default:
        return assertNever(node)
    }
  }

  const block = (node: Block): string => {
    switch (node.kind) {
      case 'paragraph':
        return `<p>${inlines(node.children)}</p>\n`
      case 'heading': {
        const level = Math.min(node.level + headingOffset, 6)
        return `<h${level}>${inlines(node.children)}</h${level}>\n`
      }
      case 'code': {
        const code = node.lines.flat().map((line) => `${escapeHtml(line)}\n`)
        const name = node.language === undefined ? undefined : markup.languageClass(node.language)
        const language = print(name === undefined ? [] : [['class', name]])
        return `<pre><code${language}>${code.join('')}</code></pre>\n`
      }
      case 'list': {
        const tag = node.ordered ? 'ol' : 'ul'
        const start = node.ordered && node.start !== 1 ? ` start="${node.start}"` : ''
        const items = node.items.flat().map((item) => listItem(item, node.tight))
        return `<${tag}${start}>\n${items.join('')}</${tag}>\n`
      }
      case 'table': {
        const body = node.rows.flat().map((row) => tableRow(row, node.columns, 'td'))
        const rows = body.length === 0 ? '' : `<tbody>\n${body.join('')}</tbody>\n`
        return `<table>\n<thead>\n${tableRow(node.head, node.columns, 'th')}</thead>\n${rows}</table>\n`
      }
      case 'quote':
        return `<blockquote>\n${node.blocks.map(block).join('')}</blockquote>\n`
      case 'rule':
        return '<hr />\n'
      case 'html':
        return markup.html(node.text, true)
      case 'plain':
        return `<pre>${escapeHtml(node.text)}</pre>\n`
      case 'footnotes':
        return `<section>\n<ol>\n${node.notes.map(footnote).join('')}</ol>\n</section>\n`
      case 'custom': {
        if (node.blocks.length > 0) return node.blocks.map(block).join('')
        const content = node.children.length > 0 ? inlines(node.children) : escapeHtml(node.text)
        return `<p>${content}</p>\n`
      }
      default:
        return assertNever(node)
    }
  }

  const listItem = ({ blocks: children, checked }: ListItem, tight: boolean): string => {
    const box =
      checked === undefined
        ? ''
        : `<input type="checkbox"${checked ? ' checked=""' : ''} disabled="" /> `
    let content = ''
    for (const [index, child] of children.entries()) {
      const isBare = tight && child.kind === 'paragraph'
      if (!isBare && (content === '' || !content.endsWith('\n'))) content += '\n'
      if (index === 0) content += box
      content += isBare ? inlines(child.children) : block(child)
    }
    return `<li>${content}</li>\n`
  }

  const tableRow = (row: TableRow, columns: readonly Alignment[], tag: 'td' | 'th'): string => {
    const cells = row.map((cell, index) => {
      const alignment = columns[index]
      const attributes = print(alignment === undefined ? [] : [['align', alignment]])
      return `<${tag}${attributes}>${inlines(cell)}</${tag}>\n`
    })
    return `<tr>\n${cells.join('')}</tr>\n`
  }

  const footnote = ({ number, blocks: children }: Footnote): string => {
    const id = escapeHtml(`${idPrefix}-${number}`)
    return `<li id="${id}">\n${children.map(block).join('')}<a href="#${id}-reference">↩</a>\n</li>\n`
  }

  return blocks.map(block).join('')
}

const titled = (title: string | undefined): readonly (readonly [string, string])[] =>
  title === undefined ? [] : [['title', title]]

const print = (attributes: readonly (readonly [string, string])[]): string =>
  attributes.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
