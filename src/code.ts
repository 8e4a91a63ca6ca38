/**
 * Colours for code, by Shiki (an optional peer), loaded when the first code block is drawn.
 *
 * @module
 */
import { ColouredLines } from './code/coloured-lines.tsx'
import type { MarkdownExtension } from './components/markdown/view.ts'

/**
 * Colours for the code of `<Markdown>`: plain first, coloured when Shiki and the language's grammar have loaded, in the
 * same boxes. Call it once, outside of components, since `extensions` must keep its identity.
 */
export function shikiCode(): MarkdownExtension {
  return { name: 'code', renderers: { codeLines: ColouredLines } }
}
