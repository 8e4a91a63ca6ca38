'use client'
import { createContext, type ComponentType, type Context, type JSX, type ReactNode } from 'react'
import type { Block, InlineNode } from '../../markdown/block.ts'
import type { MarkdownSyntax } from '../../markdown/parser.ts'
import type { UrlPolicy } from '../../safety/url.ts'

/** A code block, as plain data. */
export type CodeBlockData = Extract<Block, { kind: 'code' }>

/** What may be shown of what a model wrote. */
export interface MarkdownPolicy extends UrlPolicy {
  /**
   * Raw HTML: shown as text, or blocks of it shown as HTML after sanitising (DOMPurify is loaded then). Default `text`.
   */
  readonly html?: 'text' | 'sanitise' | undefined
}

/** Renderers that an extension brings. */
export interface MarkdownRenderers {
  /** Blocks of the extension's own syntax, by token type. */
  readonly blocks?:
    | Readonly<
        Record<string, ComponentType<{ readonly block: Extract<Block, { kind: 'custom' }> }>>
      >
    | undefined
  /** Inline content of the extension's own syntax, by token type. */
  readonly inlines?:
    | Readonly<
        Record<string, ComponentType<{ readonly node: Extract<InlineNode, { kind: 'custom' }> }>>
      >
    | undefined
  /** Code blocks by language, in place of the whole block. */
  readonly code?:
    | Readonly<Record<string, ComponentType<{ readonly block: CodeBlockData }>>>
    | undefined
  /** What is inside of every other code block's `<code>`. */
  readonly codeLines?: ComponentType<{ readonly block: CodeBlockData }> | undefined
}

/** A syntax, renderers, or both. */
export interface MarkdownExtension {
  readonly name: string
  readonly syntax?: MarkdownSyntax | undefined
  readonly renderers?: MarkdownRenderers | undefined
}

/** Elements that can be replaced. A component gets the element's props. */
export type MarkdownElement =
  | 'a'
  | 'blockquote'
  | 'code'
  | 'del'
  | 'em'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'hr'
  | 'img'
  | 'li'
  | 'ol'
  | 'p'
  | 'pre'
  | 'strong'
  | 'table'
  | 'td'
  | 'th'
  | 'tr'
  | 'ul'

/** Components by the element that they stand for. They must keep their identity between renders. */
export type MarkdownComponents = {
  readonly [Name in MarkdownElement]?: ComponentType<JSX.IntrinsicElements[Name]> | undefined
}

/** The renderers of all extensions, a later one before an earlier one. */
export interface ResolvedRenderers {
  readonly blocks: NonNullable<MarkdownRenderers['blocks']>
  readonly inlines: NonNullable<MarkdownRenderers['inlines']>
  readonly code: NonNullable<MarkdownRenderers['code']>
  readonly codeLines: MarkdownRenderers['codeLines']
}

/** What blocks and inline content need for drawing themselves. */
export interface View {
  readonly components: MarkdownComponents
  readonly renderers: ResolvedRenderers
  readonly policy: MarkdownPolicy
  readonly headingOffset: number
  /** Begins every id of the document. */
  readonly idPrefix: string
  /** What inline nodes were drawn as. */
  readonly made: WeakMap<InlineNode, ReactNode>
}

export const ViewContext: Context<View | undefined> = createContext<View | undefined>(undefined)

/** Whether the text is still growing. Apart from the view, so that its end does not draw every block anew. */
export const StreamingContext: Context<boolean> = createContext(false)
