/** Growing Markdown as plain data, and as HTML. @module */
export type {
  Alignment,
  Block,
  Footnote,
  Grouped,
  Inline,
  InlineNode,
  ListItem,
  PlainReason,
  TableRow,
} from './markdown/block.ts'
export type { MarkdownLimits } from './markdown/limits.ts'
export type { MarkdownSyntax } from './markdown/parser.ts'
export {
  createMarkdownStream,
  type MarkdownEnd,
  type MarkdownStream,
  type MarkdownStreamOptions,
} from './markdown/stream.ts'
export { renderToHtml, type RenderOptions } from './markdown/html.ts'
export { plainTextOf } from './markdown/plain-text.ts'
