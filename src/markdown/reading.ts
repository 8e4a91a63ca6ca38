import { removeHidden, showBidiControls } from '../safety/hidden-characters.ts'
import type { Block, Inline } from './block.ts'
import { readInline } from './inline.ts'
import type { ResolvedLimits } from './limits.ts'
import type { Env, Token } from './markdown-it.ts'
import type { ParsedBlocks, Parser } from './parser.ts'
import type { FootnoteEnv } from './rules/footnote.ts'
import { createBlockReader, type Definition } from './read.ts'
import type { OpenContent, Tail } from './tail.ts'

type BlockReader = ReturnType<typeof createBlockReader>

/** What all blocks of a document share while they are read: definitions, counts, and inline content read before. */
export interface Reading {
  /** Reads blocks for good: what they define and count is kept. Gives the labels they missed. */
  commit<T>(
    read: (reader: BlockReader) => T,
    open?: OpenContent,
  ): { value: T; labels: ReadonlySet<string> }
  /** Reads again what was committed: nothing is counted twice. */
  revise<T>(read: (reader: BlockReader) => T, open?: OpenContent): T
  /** Reads blocks that may still change. */
  peek<T>(
    read: (reader: BlockReader) => T,
    open?: OpenContent,
  ): { value: T; notes: readonly Definition[] }
  define(label: string, reference: ParsedBlocks['references'][string]): void
  isDefined(label: string): boolean
  visibleCode(text: string): string
  /** Forgets the numbers of footnotes, to give them anew. */
  renumber(): void
  readonly notes: ReadonlyMap<string, readonly Block[]>
  readonly numbers: ReadonlyMap<string, number>
  /** Hidden characters removed from what was read. */
  readonly hidden: number
}

interface Counts {
  links: number
  hidden: number
}

interface Known {
  readonly children: readonly Inline[]
  readonly counts: Counts
  readonly labels: readonly string[]
}

export function createReading(parser: Parser, limits: ResolvedLimits): Reading {
  const references: Record<string, ParsedBlocks['references'][string]> = Object.create(null)
  const notes = new Map<string, readonly Block[]>()
  const numbers = new Map<string, number>()
  const kept: Counts = { links: 0, hidden: 0 }
  let tentative: Counts = { links: 0, hidden: 0 }

  let counts = kept
  let labels = new Set<string>()
  let open: OpenContent | undefined
  let found: Definition[] = []
  let tailNumbers = numbers
  // Inline content by its source: that of the last look at the tail, and what this look has used so far.
  let known = new Map<string, Known>()
  let used = known

  // The rules ask for a label; what is not there yet may come.
  const asked = new Proxy(references, {
    get(target, label: string) {
      if (!(label in target)) labels.add(label)
      return target[label]
    },
  })
  const hasFootnote = (label: string): boolean => {
    labels.add(`^${label}`)
    return notes.has(label)
  }

  const footnoteNumber = (label: string): number => {
    const number = tailNumbers.get(label) ?? tailNumbers.size + 1
    tailNumbers.set(label, number)
    return number
  }

  const parse = (content: string, tail?: Tail, isTentative = false): readonly Inline[] => {
    const env: Env & FootnoteEnv = { references: asked, hasFootnote, tail }
    return readInline(parser.inline(content, env), {
      isOpen: tail !== undefined,
      isTentative,
      takeLink: () => {
        if (isTentative || counts.links >= limits.links) return false
        counts.links++
        return true
      },
      footnoteNumber,
      countHidden: (removed) => {
        counts.hidden += removed
      },
    })
  }

  const readContent = (token: Token): readonly Inline[] => {
    const { content } = token
    if (content === '') return []
    const isTentative = open?.tentative.has(token) === true
    const isOpen = open?.open.has(token) === true
    if (isOpen || isTentative) return parse(content, isOpen ? open?.tail : undefined, isTentative)
    const before = used.get(content) ?? known.get(content)
    if (before !== undefined && counts.links + before.counts.links <= limits.links) {
      counts.links += before.counts.links
      counts.hidden += before.counts.hidden
      for (const label of before.labels) labels.add(label)
      used.set(content, before)
      return before.children
    }
    const outer = labels
    labels = new Set()
    const start = { ...counts }
    const children = parse(content)
    const spent = { links: counts.links - start.links, hidden: counts.hidden - start.hidden }
    // A footnote's number depends on what came before it.
    if (!content.includes('[^')) used.set(content, { children, counts: spent, labels: [...labels] })
    for (const label of labels) outer.add(label)
    labels = outer
    return children
  }

  const visible = (text: string): string => {
    const revealed = removeHidden(text)
    counts.hidden += revealed.removed
    return revealed.text
  }
  const visibleCode = (text: string): string => showBidiControls(visible(text))

  const reader = createBlockReader({
    limits,
    readContent,
    visible: visibleCode,
    define: (definition) => found.push(definition),
  })

  return {
    commit(read, content) {
      counts = kept
      labels = new Set()
      open = content
      found = []
      used = known
      tailNumbers = numbers
      const value = read(reader)
      for (const { label, blocks } of found) if (!notes.has(label)) notes.set(label, blocks)
      return { value, labels }
    },
    revise(read, content) {
      counts = { links: 0, hidden: 0 }
      open = content
      found = []
      used = known
      const value = read(reader)
      counts = kept
      return value
    },
    peek(read, content) {
      tentative = { ...kept }
      counts = tentative
      labels = new Set()
      open = content
      found = []
      tailNumbers = new Map(numbers)
      used = new Map()
      const value = read(reader)
      known = used
      counts = kept
      return { value, notes: found }
    },
    define(label, reference) {
      if (label in references) return
      references[label] = reference
      known = new Map()
    },
    isDefined: (label) => (label.startsWith('^') ? notes.has(label.slice(1)) : label in references),
    visibleCode,
    renumber() {
      numbers.clear()
      known = new Map()
    },
    notes,
    numbers,
    get hidden() {
      return Math.max(kept.hidden, tentative.hidden)
    },
  }
}
