import { assertNever } from '../protocol/assert.ts'
import type { Inline } from './block.ts'

/** What inline content reads as without its markup: images as their alternative text, breaks as line feeds. */
export function plainTextOf(nodes: readonly Inline[]): string {
  return nodes.map(textOf).join('')
}

function textOf(node: Inline): string {
  if (typeof node === 'string') return node
  switch (node.kind) {
    case 'emphasis':
    case 'strong':
    case 'strike':
    case 'link':
      return plainTextOf(node.children)
    case 'code':
    case 'isolate':
    case 'html':
      return node.text
    case 'break':
      return '\n'
    case 'image':
      return node.alt
    case 'footnote':
      return ''
    case 'custom':
      return node.children.length > 0 ? plainTextOf(node.children) : node.text
    default:
      return assertNever(node)
  }
}
