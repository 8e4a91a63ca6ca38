import { bidiControls, removeHidden } from '../safety/hidden-characters.ts'
import type { Inline, InlineNode } from './block.ts'
import type { Token } from './markdown-it.ts'
import { splitMail } from './rules/autolink.ts'

/** What reading inline content needs and counts. */
export interface InlineContext {
  /** Whether more of the content may come. */
  readonly isOpen: boolean
  /** Whether the content may turn out to be cut elsewhere, so that no address in it can be trusted. */
  readonly isTentative: boolean
  /** Whether another link may be made; counts it. */
  takeLink(): boolean
  /** The number of the footnote with this label. */
  footnoteNumber(label: string): number
  countHidden(removed: number): void
}

const wideEnd = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]$/
const wideStart = /^[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/

/** Tokens of inline content as nodes. Neighbouring texts become one. */
export function readInline(tokens: readonly Token[], context: InlineContext): readonly Inline[] {
  let at = 0
  /** The last token with white space: a bare address before it has ended, one after it may go on. */
  const space = tokens.findLastIndex(
    ({ content, type }) => type === 'softbreak' || /\s/.test(content),
  )

  const readUntil = (close: string, noMail: boolean): readonly Inline[] => {
    const nodes: Inline[] = []
    let text = ''
    const flush = (): void => {
      if (text === '') return
      const pieces = noMail ? [text] : splitMail(text, context.isOpen, context.isOpen && space < at)
      for (const piece of pieces) {
        if (typeof piece === 'string') nodes.push(...shown(piece, context))
        else if (context.takeLink())
          nodes.push({ kind: 'link', href: piece.href, children: [piece.text] })
        else nodes.push(piece.text)
      }
      text = ''
    }
    while (at < tokens.length) {
      const token = tokens[at++]
      if (token === undefined || token.type === close) break
      if (token.type === 'text' || token.type === 'text_special') {
        // Chinese and Japanese have no space between lines.
        if (text.endsWith('\n') && wideEnd.test(text.slice(0, -1)) && wideStart.test(token.content))
          text = text.slice(0, -1)
        text += token.content
      } else if (token.type === 'softbreak') text += '\n'
      else if (token.type === 'unfinished_text') {
        flush()
        nodes.push(...shown(token.content, context))
      } else if (token.type === 'unfinished_open') {
        flush()
        nodes.push(...readUntil('unfinished_close', true))
      } else {
        flush()
        const node = readNode(token, noMail)
        if (Array.isArray(node)) nodes.push(...(node as readonly Inline[]))
        else nodes.push(node as InlineNode)
      }
    }
    flush()
    return nodes
  }

  const readNode = (token: Token, noMail: boolean): InlineNode | readonly Inline[] => {
    const { type, content } = token
    // Marks that are closed only for show may be part of an address that begins before them.
    const within = noMail || token.meta?.unfinished === true
    switch (type) {
      case 'em_open':
        return { kind: 'emphasis', children: readUntil('em_close', within) }
      case 'strong_open':
        return { kind: 'strong', children: readUntil('strong_close', within) }
      case 's_open':
        return { kind: 'strike', children: readUntil('s_close', within) }
      case 'code_inline':
        return { kind: 'code', text: visible(content, context) }
      case 'hardbreak':
        return { kind: 'break' }
      case 'html_inline':
        return { kind: 'html', text: visible(content, context) }
      case 'link_open': {
        const children = readUntil('link_close', true)
        if (!context.takeLink()) return children
        return { kind: 'link', href: attribute(token, 'href') ?? '', ...titled(token), children }
      }
      case 'image': {
        const src = context.isTentative ? undefined : attribute(token, 'src')
        const alt = visible(plainText(token.children ?? []), context)
        return { kind: 'image', ...(src === undefined ? {} : { src }), ...titled(token), alt }
      }
      case 'footnote_reference': {
        const label = String(token.meta?.label)
        return { kind: 'footnote', label, number: context.footnoteNumber(label) }
      }
      default: {
        const isOpening = type.endsWith('_open')
        const name = isOpening ? type.slice(0, -'_open'.length) : type
        const children = isOpening ? readUntil(`${name}_close`, noMail) : []
        return {
          kind: 'custom',
          name,
          tag: token.tag,
          text: visible(content, context),
          info: token.info,
          children,
        }
      }
    }
  }

  return readUntil('', false)
}

function visible(text: string, context: InlineContext): string {
  const revealed = removeHidden(text)
  context.countHidden(revealed.removed)
  return revealed.text
}

function shown(text: string, context: InlineContext): readonly Inline[] {
  const kept = visible(text, context)
  if (kept === '') return []
  return bidiControls.test(kept) ? [{ kind: 'isolate', text: kept }] : [kept]
}

function attribute(token: Token, name: string): string | undefined {
  const value = token.attrs?.find(([key]) => key === name)?.[1]
  return value === undefined ? undefined : String(value)
}

function titled(token: Token): { title?: string } {
  const title = attribute(token, 'title')
  return title === undefined ? {} : { title }
}

/** What an image's label says, as an alternative text. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
      if (token.type === 'image') return plainText(token.children ?? [])
      return token.content
    })
    .join('')
}
