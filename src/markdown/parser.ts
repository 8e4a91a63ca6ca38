import cjkFriendly from 'markdown-it-cjk-friendly'
import type { ResolvedLimits } from './limits.ts'
import { createMarkdownIt, type Env, type MarkdownIt, type Token } from './markdown-it.ts'
import { autolinkRules } from './rules/autolink.ts'
import { footnoteRules } from './rules/footnote.ts'
import { plainRule } from './rules/plain.ts'
import { unfinishedRules } from './rules/unfinished.ts'

/** A syntax of one's own: block and inline rules of markdown-it (core rules are not run). */
export type MarkdownSyntax = (md: MarkdownIt) => void

/** The block tokens of a piece of source, and the reference definitions in it. */
export interface ParsedBlocks {
  readonly tokens: readonly Token[]
  readonly references: NonNullable<Env['references']>
  readonly lineCount: number
}

/** markdown-it with the rules of this engine, its two halves apart. */
export interface Parser {
  blocks(source: string): ParsedBlocks
  inline(content: string, env: Env): readonly Token[]
}

const noSyntaxes: readonly MarkdownSyntax[] = []

/** Parsers have no state of their own, and are large: one for all texts with the same syntaxes and limits. */
const parsers = new WeakMap<readonly MarkdownSyntax[], Map<string, Parser>>()

export function parserFor(
  limits: ResolvedLimits,
  syntaxes: readonly MarkdownSyntax[] = noSyntaxes,
): Parser {
  const made = parsers.get(syntaxes) ?? new Map<string, Parser>()
  parsers.set(syntaxes, made)
  const key = `${limits.depth} ${limits.line}`
  const parser = made.get(key) ?? createParser(limits, syntaxes)
  made.set(key, parser)
  return parser
}

function createParser(limits: ResolvedLimits, syntaxes: readonly MarkdownSyntax[]): Parser {
  const md = createMarkdownIt()
  cjkFriendly(md)
  plainRule(md, limits)
  autolinkRules(md)
  footnoteRules(md)
  for (const syntax of syntaxes) syntax(md)
  unfinishedRules(md)
  return {
    blocks(source) {
      const env: Env = { references: {} }
      const tokens: Token[] = []
      md.block.parse(source, md, env, tokens)
      // Like the parser, which sees no line in white space that no line feed ends.
      const lineCount = countLines(source.replace(/(^|\n)[ \t]+$/, '$1'))
      const newlines = countLines(source) - (source === '' || source.endsWith('\n') ? 0 : 1)
      for (const token of tokens) {
        if (token.type !== 'fence') continue
        const [from, to] = token.map ?? [0, 0]
        const lines = token.content === '' ? 0 : countLines(token.content)
        token.info = md.utils.unescapeAll(token.info).trim()
        token.meta = {
          closed: to - from - 1 > lines,
          open: newlines <= from,
        }
      }
      return { tokens, references: env.references ?? {}, lineCount }
    },
    inline(content, env) {
      const tokens: Token[] = []
      md.inline.parse(content, md, env, tokens)
      return tokens
    },
  }
}

export function countLines(source: string): number {
  let count = 0
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) count++
  return source === '' || source.endsWith('\n') ? count : count + 1
}

/** Where a line begins, counted from 0; the length of the source if it has fewer. */
export function lineStart(source: string, line: number): number {
  let at = 0
  for (let left = line; left > 0; left--) {
    const end = source.indexOf('\n', at)
    if (end < 0) return source.length
    at = end + 1
  }
  return at
}
