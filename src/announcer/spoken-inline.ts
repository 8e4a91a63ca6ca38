import { assertNever } from '../protocol/assert.ts'
import type { Inline } from '../markdown/block.ts'
import type { AnnouncerPhrases } from './phrases.ts'

/** How inline content is worded. */
export interface InlineWording {
  readonly phrases: AnnouncerPhrases
  /** Whether links are called so. */
  readonly namesLinks: boolean
}

// References whose definition has not come stay text as written: `[label]` and `[text][label]` are read by what a
// reader will see of them in the end. A number in brackets is a citation.
const CITATION = /\[\^?\d+\]|\[\^[^\]\s]+\]|【[^】]*】/g
const REFERENCE = /(?<![\p{L}\p{N}\])])\[([^[\]]+)\](?:\[[^[\]]*\])?/gu
const ADDRESS = /^(?:https?:\/\/|www\.)/i
const LONGEST_FORMULA = 60

/** Inline content as it is read: without marks. A line feed is a break that the author wants. */
export function spokenInline(nodes: readonly Inline[], wording: InlineWording): string {
  return nodes
    .map((node) => spokenNode(node, wording))
    .join('')
    .replaceAll(CITATION, '')
    .replaceAll(REFERENCE, '$1')
}

function spokenNode(node: Inline, wording: InlineWording): string {
  const { phrases, namesLinks } = wording
  if (typeof node === 'string') return node.replaceAll('\n', ' ')
  switch (node.kind) {
    case 'emphasis':
    case 'strong':
    case 'strike':
      return node.children.map((child) => spokenNode(child, wording)).join('')
    case 'code':
    case 'isolate':
      return node.text
    case 'break':
      return '\n'
    case 'link': {
      const text = node.children.map((child) => spokenNode(child, wording)).join('')
      if (ADDRESS.test(text)) return phrases.linkTo(hostOf(node.href))
      return namesLinks ? phrases.link(text) : text
    }
    case 'image':
      return node.alt.trim() === '' ? phrases.imageBlocked : phrases.image(node.alt.trim())
    case 'html':
    case 'footnote':
      return ''
    case 'custom':
      return node.children.length > 0
        ? node.children.map((child) => spokenNode(child, wording)).join('')
        : spokenFormula(node.text, phrases)
    default:
      return assertNever(node)
  }
}

/** A short formula without commands reads well as written: `E = mc^2`. */
export function spokenFormula(source: string, phrases: AnnouncerPhrases): string {
  const isPlain = source.length <= LONGEST_FORMULA && !source.includes('\\')
  return isPlain ? source.trim() : phrases.formula
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host.replace(/^www\./, '') : href
}
