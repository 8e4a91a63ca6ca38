'use client'
import type { HighlighterCore } from 'shiki/core'
import { late } from './late.ts'
import { grammarOf } from './languages.ts'

/** A run of a line in one colour. */
export interface Token {
  readonly text: string
  /** A class of `sluice/styles.css`; absent in the colour of the text. */
  readonly className?: string | undefined
}

/** Tokenises lines in order, each with the grammar state that the line before it left. */
export interface Tokenizer {
  /** The next line; `undefined` if `isLate` said so before it was done, and it is to be asked for again. */
  next(line: string, isLate: () => boolean): readonly Token[] | undefined
}

/** Makes tokenizers of one language. */
export type StartTokenizer = () => Tokenizer

// What a scope is drawn as. A colour of the theme is the index of its class.
const scopesByClass: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ['comment', ['comment', 'punctuation.definition.comment']],
  ['keyword', ['keyword', 'storage', 'variable.language', 'entity.name.tag']],
  ['string', ['string', 'constant.other.symbol', 'markup.inserted']],
  ['number', ['constant.numeric', 'constant.language', 'support.constant']],
  ['function', ['entity.name.function', 'support.function', 'markup.heading']],
  ['type', ['entity.name.type', 'entity.name.class', 'support.type', 'support.class']],
  [
    'property',
    ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key'],
  ],
  ['deleted', ['markup.deleted', 'invalid']],
]

const colour = (index: number): string =>
  `#0000${index.toString(16).padStart(2, '0').toUpperCase()}`
const classByColour = new Map(
  scopesByClass.map(([name], index) => [colour(index + 1), `sluice-code-${name}`]),
)
const theme = {
  name: 'sluice',
  type: 'light' as const,
  settings: [
    { settings: { foreground: colour(0), background: '#FFFFFF' } },
    ...scopesByClass.map(([, scopes], index) => ({
      scope: [...scopes],
      settings: { foreground: colour(index + 1) },
    })),
  ],
}

/** A line longer than this, in UTF-16 units, is left plain: grammars are not made for minified code. */
const maxLineLength = 2000
/** What one line may take when all of its patterns are ready. After a second try, lest the machine was busy, it is left plain. */
const maxLineMs = 40
const maxTries = 2

/** Asked by the engine, for the line that is being tokenised. */
let isLateNow = (): boolean => false

let loading: Promise<HighlighterCore> | undefined
const starts = new Map<string, Promise<StartTokenizer>>()

async function createHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createPacedEngine }] = await Promise.all([
    import('shiki/core'),
    import('./paced-engine.ts'),
  ])
  return createHighlighterCore({
    engine: createPacedEngine(() => isLateNow()),
    themes: [theme],
    langs: [],
  })
}

/** Loads the highlighter once and each grammar once; what failed to load is tried again when it is next asked for. */
export function loadTokenizer(language: string): Promise<StartTokenizer> {
  const known = starts.get(language)
  if (known !== undefined) return known
  const start = load(language)
  starts.set(language, start)
  start.catch(() => starts.delete(language))
  return start
}

async function load(language: string): Promise<StartTokenizer> {
  loading ??= createHighlighter()
  const highlighter = await loading.catch((error: unknown) => {
    loading = undefined
    throw error
  })
  await highlighter.loadLanguage(grammarOf(language))
  const { colorMap } = highlighter.setTheme(theme.name)
  const grammar = highlighter.getLanguage(language)
  const classOf = (metadata: number): string | undefined =>
    classByColour.get(colorMap[(metadata & 0xff8000) >>> 15] ?? '')
  return () => {
    let state: Parameters<typeof grammar.tokenizeLine2>[1] = null
    let tries = 0
    return {
      next(line, isLate) {
        if (line.length > maxLineLength) return plain(line)
        const { result, isNew } = attempt(isLate, () =>
          grammar.tokenizeLine2(line, state, maxLineMs),
        )
        if (result === undefined) return undefined
        if (result.stoppedEarly) {
          if (!isNew) tries += 1
          if (tries < maxTries) return undefined
        }
        tries = 0
        // Half a line's state would colour all that follows.
        if (result.stoppedEarly) return plain(line)
        state = result.ruleStack
        return tokensOf(line, result.tokens, classOf)
      },
    }
  }
}

const plain = (text: string): readonly Token[] => [{ text }]

/**
 * Runs the engine until it is late. Each time it gets a step further, whatever the clock says.
 *
 * @returns What `run` gave, if it came to its end, and whether it met patterns that are new: they take their time once.
 */
function attempt<T>(
  isLate: () => boolean,
  run: () => T,
): { readonly result: T | undefined; readonly isNew: boolean } {
  let isNew = false
  isLateNow = () => {
    const isFirst = !isNew
    isNew = true
    return !isFirst && isLate()
  }
  try {
    return { result: run(), isNew }
  } catch (error) {
    if (error !== late) throw error
    return { result: undefined, isNew }
  }
}

/** Pairs of where a token starts and what it is, as tokens; neighbours of one class, and spaces, are one. */
function tokensOf(
  line: string,
  pairs: Uint32Array,
  classOf: (metadata: number) => string | undefined,
): readonly Token[] {
  const tokens: { text: string; className: string | undefined }[] = []
  for (let at = 0; at < pairs.length; at += 2) {
    const text = line.slice(pairs[at], pairs[at + 2])
    const last = tokens.at(-1)
    // Space has no colour of its own.
    const className = text.trim() === '' ? last?.className : classOf(pairs[at + 1] ?? 0)
    if (last !== undefined && last.className === className) last.text += text
    else tokens.push({ text, className })
  }
  return tokens
}
