import type { MarkdownIt, StateInline } from '../markdown-it.ts'

// Bare addresses as GitHub Flavored Markdown defines them (§6.9 and its reference implementation, cmark-gfm), with one
// addition: full-width punctuation ends one, since Chinese and Japanese put no space there.

const url = /https?:\/\/|www\./y
const fullWidth = '\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65'
const run = new RegExp(`[^\\s<${fullWidth}]*`, 'uy')
const host = /[-_.\p{L}\p{M}\p{N}]*/uy
const entity = /&[a-z\d]+;$/i

/** What may stand before `www.`: the start of a line, white space, or one of these. */
const beforeWww = /[\s*_~(]/

const isWordBefore = (text: string, at: number): boolean => /[a-z]/i.test(text.charAt(at - 1))

/** Whether the host has a valid form; `www.` addresses need a dot after it too. */
function hostLength(text: string, needsDot: boolean): number {
  host.lastIndex = 0
  const name = host.exec(text)?.[0] ?? ''
  const parts = name.split('.')
  if (name.replace(/\.+$/, '') === '' || (needsDot && parts.length < 2)) return 0
  return parts.slice(-2).some((part) => part.includes('_')) ? 0 : name.length
}

/** Leaves the punctuation that ends a sentence, and unmatched closing parentheses, outside of an address. */
export function trimAddress(text: string): string {
  let end = text.length
  let surplus = 0
  for (const character of text) {
    if (character === '(') surplus--
    else if (character === ')') surplus++
  }
  for (; end > 0; end--) {
    const character = text.charAt(end - 1)
    if (character === ')') {
      if (surplus <= 0) break
      surplus--
    } else if (character === ';') {
      const reference = entity.exec(text.slice(0, end))
      if (reference !== null) end -= reference[0].length - 1
    } else if (!/[?!.,:*_~'"]/.test(character)) break
  }
  return text.slice(0, end)
}

interface Address {
  readonly text: string
  readonly href: string
  /** Everything up to the next white space: while it grows, the address may too. */
  readonly run: string
}

function addressAt(source: string, at: number, max: number): Address | undefined {
  url.lastIndex = at
  const scheme = url.exec(source)?.[0]
  if (scheme === undefined) return undefined
  const isWww = scheme === 'www.'
  if (isWww ? at > 0 && !beforeWww.test(source.charAt(at - 1)) : isWordBefore(source, at))
    return undefined
  run.lastIndex = at
  const whole = run.exec(source.slice(0, max))?.[0] ?? ''
  if (hostLength(isWww ? whole : whole.slice(scheme.length), isWww) === 0) return undefined
  const text = trimAddress(whole)
  if (text.length <= scheme.length) return undefined
  return { text, href: isWww ? `http://${text}` : text, run: whole }
}

/** Before where a last line begins that may be the head of a table: its delimiter row may have begun below it. */
function headStart(source: string): number {
  const last = source.lastIndexOf('\n')
  return /[^\s|:-]/.test(source.slice(last + 1)) ? last : source.lastIndexOf('\n', last - 1)
}

/**
 * Whether what is written from `start` to `end` may still turn out otherwise: it touches the end of unfinished text, or
 * holds a bar in a last line that may become the head of a table, and then be cut there.
 */
export function isUncertain(state: StateInline, start: number, end: number): boolean {
  if (state.env.tail === undefined) return false
  if (end >= state.src.length) return true
  return start > headStart(state.src) && state.src.slice(start, end).includes('|')
}

function autolink(state: StateInline, silent: boolean): boolean {
  // Silently the extent of a label is measured: an address in one ends with it.
  if (silent) return false
  const first = state.src.charAt(state.pos)
  if (first !== 'h' && first !== 'w') return false
  const address = addressAt(state.src, state.pos, state.posMax)
  if (address === undefined) return false
  const end = state.pos + address.run.length
  if (isUncertain(state, state.pos, end)) {
    state.push('unfinished_text', '', 0).content = address.run
    state.pos = end
    return true
  }
  if (state.linkLevel > 0) {
    state.pending += address.text
    state.pos += address.text.length
    return true
  }
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', state.md.normalizeLink(address.href)]]
  open.markup = 'autolink'
  state.push('text', '', 0).content = address.text
  state.push('link_close', 'a', -1)
  state.pos += address.text.length
  return true
}

/** Ends a run of plain text where an address or a construct may begin. */
const special = /[\n!#$%&*+\-:<=>@[\\\]^_`{}~]|(?<![a-z])https?:\/\/|(?<![^\s*_~(])www\./gi

function plainText(state: StateInline, silent: boolean): boolean {
  special.lastIndex = state.pos
  const end = Math.min(special.exec(state.src)?.index ?? state.posMax, state.posMax)
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

export function autolinkRules(md: MarkdownIt): void {
  md.inline.ruler.at('text', plainText)
  md.inline.ruler.before('text', 'address', autolink)
}

const mail = /(?<![\w.+-])[\w.+-]+@(?:[\w-]+\.)+[\w-]*[a-z\d](?![\w-])/gi

/** A piece of text: plain, or with the address that it links to. */
export type TextPiece = string | { readonly text: string; readonly href: string }

/** Finds e-mail addresses in text that is not in a link; `isOpen` if it is unfinished, `isEnd` if it is the end of it. */
export function splitMail(value: string, isOpen: boolean, isEnd: boolean): readonly TextPiece[] {
  if (!value.includes('@')) return [value]
  const pieces: TextPiece[] = []
  let from = 0
  for (const { 0: found, index } of value.matchAll(mail)) {
    // An underscore before it may be a mark.
    if (isOpen && found.startsWith('_')) continue
    if (isEnd && !/\s/.test(value.slice(index + found.length))) break
    if (index > from) pieces.push(value.slice(from, index))
    pieces.push({ text: found, href: `mailto:${found}` })
    from = index + found.length
  }
  if (from < value.length) pieces.push(value.slice(from))
  return pieces
}
