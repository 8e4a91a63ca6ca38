'use client'
import type { MarkdownExtension } from '../components/markdown/view.ts'
import { ColouredLines } from './coloured-lines.tsx'

/**
 * Colours for the code of `<Markdown>`: plain first, coloured when Shiki and the language's grammar have loaded, in the
 * same boxes. Call it once, outside of components, since `extensions` must keep its identity.
 */
export function shikiCode(): MarkdownExtension {
  return { name: 'code', renderers: { codeLines: ColouredLines } }
}
