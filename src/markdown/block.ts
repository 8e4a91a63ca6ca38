/**
 * A long sequence in groups of a fixed size. All groups but the last are full, and a full group of settled elements
 * never changes its identity, so that growing costs nothing for what is already there. `groups.flat()` gives all.
 */
export type Grouped<T> = readonly (readonly T[])[]

/** How a table column is aligned, as its delimiter row says. */
export type Alignment = 'left' | 'center' | 'right' | undefined

/** Inline content: a string is text (a line feed in it is a soft break). */
export type Inline = string | InlineNode

/** Inline content other than text. */
export type InlineNode =
  | { readonly kind: 'emphasis' | 'strong' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** Bidirectional control characters and the text that they rule, to be set apart. */
  | { readonly kind: 'isolate'; readonly text: string }
  | {
      readonly kind: 'link'
      /** As written, percent-encoded; not yet judged by a policy. */
      readonly href: string
      readonly title?: string | undefined
      readonly children: readonly Inline[]
    }
  | {
      readonly kind: 'image'
      /** As written, percent-encoded; absent while the image is still being written. */
      readonly src?: string | undefined
      readonly title?: string | undefined
      readonly alt: string
    }
  | { readonly kind: 'html'; readonly text: string }
  | {
      readonly kind: 'footnote'
      readonly label: string
      /** 1 for the first note referred to, and so on. */
      readonly number: number
    }
  | {
      /** A token of an extension's own syntax, under the token's type. */
      readonly kind: 'custom'
      readonly name: string
      readonly tag: string
      readonly text: string
      readonly info: string
      readonly children: readonly Inline[]
    }

/** One entry of a list. */
export interface ListItem {
  readonly blocks: readonly Block[]
  /** For a task: whether it is done. */
  readonly checked?: boolean | undefined
}

/** The cells of a table row: as many as the table has columns. */
export type TableRow = readonly (readonly Inline[])[]

/** A footnote: its label as written, the number shown, and what it says. */
export interface Footnote {
  readonly label: string
  readonly number: number
  readonly blocks: readonly Block[]
}

/** Why something is shown as plain text: a limit of `MarkdownLimits` was reached. */
export type PlainReason = 'size' | 'depth' | 'line' | 'cells'

/** One block of a document: plain data. A settled block keeps its identity. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'heading'
      readonly level: 1 | 2 | 3 | 4 | 5 | 6
      readonly children: readonly Inline[]
    }
  | {
      readonly kind: 'code'
      /** The first word of the info string; absent for indented code and while that line is unfinished. */
      readonly language?: string | undefined
      readonly info: string
      /** Lines without their line feeds, in groups of 32. */
      readonly lines: Grouped<string>
      /** Whether the closing fence has come (indented code: `false`; it ends with the next block). */
      readonly closed: boolean
    }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly start: number
      /** Whether no item is set apart by a blank line. It may turn `false` while the list grows. */
      readonly tight: boolean
      /** In groups of 24. */
      readonly items: Grouped<ListItem>
    }
  | {
      readonly kind: 'table'
      readonly columns: readonly Alignment[]
      readonly head: TableRow
      /** In groups of 24. */
      readonly rows: Grouped<TableRow>
    }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'html'
      readonly text: string
    }
  | { readonly kind: 'footnotes'; readonly notes: readonly Footnote[] }
  | { readonly kind: 'plain'; readonly text: string; readonly reason: PlainReason }
  | {
      /** A token of an extension's own syntax, under the token's type. */
      readonly kind: 'custom'
      readonly name: string
      readonly tag: string
      readonly text: string
      readonly info: string
      readonly children: readonly Inline[]
      readonly blocks: readonly Block[]
      /** Whether the source goes on after it, so that it can't change any more. */
      readonly closed: boolean
    }
