/**
 * Formulas, by KaTeX (an optional peer), loaded when the first formula is drawn.
 *
 * @module
 */
import { MathBlock, MathInline } from './math/formula.tsx'
import { mathSyntax } from './math/syntax.ts'
import type { MarkdownExtension } from './components/markdown/view.ts'

/**
 * Formulas in `<Markdown>`: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. A dollar sign is money until it is proven otherwise: `$5 and
 * $10` stays text. A formula that is not finished, or that KaTeX can't read, is shown as written. KaTeX's stylesheet
 * (`katex/dist/katex.min.css`) is yours to import. Call it once, outside of components.
 */
export function katexMath(): MarkdownExtension {
  return {
    name: 'math',
    syntax: mathSyntax,
    renderers: { blocks: { math_block: MathBlock }, inlines: { math_inline: MathInline } },
  }
}
