/** How large a document may be before the rest of it is shown as plain text. */
export interface MarkdownLimits {
  /** Characters of a document; default 1,000,000. */
  readonly size?: number | undefined
  /** Levels of nesting; default 200. */
  readonly depth?: number | undefined
  /** Characters of one line; default 65,536. */
  readonly line?: number | undefined
  /** Cells of one table; default 10,000. */
  readonly cells?: number | undefined
  /** Links of a document; further ones show their text. Default 2,000. */
  readonly links?: number | undefined
}

/** Limits with every default filled in. */
export type ResolvedLimits = { readonly [Name in keyof MarkdownLimits]-?: number }

export function resolveLimits(limits: MarkdownLimits = {}): ResolvedLimits {
  return {
    size: limits.size ?? 1_000_000,
    depth: limits.depth ?? 200,
    line: limits.line ?? 65_536,
    cells: limits.cells ?? 10_000,
    links: limits.links ?? 2000,
  }
}
