import type { Delimiter, MarkdownIt, StateInline } from '../markdown-it.ts'
import { isUncertain } from './autolink.ts'
import { isUnfinishedAngle, isUnfinishedDefinition, isUnfinishedResource } from '../unfinished.ts'

// What the last piece of inline content means while more of it may come (`env.tail`):
//
//  'open'     it grows. Emphasis and code count as closed at its end, marks whose meaning the next character decides are
//             held back, and half a link, image, tag or entity shows its label or nothing.
//  'stopped'  it will not grow, and is no complete document either: the same constructs stay text, as written.
//
// Either way no link, image or tag is made that the whole text might not have: what is unfinished hides what is in it.

/** A scope of emphasis that ends with the content, and the empty tokens kept to close what is open in it. */
interface Scope {
  readonly delimiters: Delimiter[]
  readonly closers: number
}

const isAtEnd = (state: StateInline): boolean => state.posMax === state.src.length

/** Keeps a token for each delimiter that may need closing at the end of this scope. */
function reserveClosers(state: StateInline): number {
  const count = state.delimiters.filter(({ open }) => open).length
  if (state.pending !== '') state.pushPending()
  const first = state.tokens.length
  for (let index = 0; index < count; index++) state.push('text', '', 0)
  return first
}

/** Parses up to `end` as the label of something unfinished: emphasis in it is its own, addresses in it are text. */
function label(state: StateInline, start: number, end: number): void {
  const max = state.posMax
  const open = state.push('unfinished_open', '', 1)
  const { delimiters } = state
  state.pos = start
  state.posMax = end
  state.linkLevel++
  state.md.inline.tokenize(state)
  state.linkLevel--
  state.posMax = max
  open.meta = { scope: { delimiters, closers: reserveClosers(state) } satisfies Scope }
  state.push('unfinished_close', '', -1)
}

/** The rest, uninterpreted: no address is looked for in it. */
function literal(state: StateInline): void {
  state.push('unfinished_text', '', 0).content = state.src.slice(state.pos, state.posMax)
}

/** Takes everything up to the end: nothing is shown of it, or all of it as written. */
function takeRest(state: StateInline, silent: boolean): boolean {
  if (!silent && state.env.tail === 'stopped') literal(state)
  state.pos = state.posMax
  return true
}

function code(state: StateInline, silent: boolean): boolean {
  if (state.env.tail === undefined || !isAtEnd(state)) return false
  if (state.src.charAt(state.pos) !== '`') return false
  const marker = /^`+/.exec(state.src.slice(state.pos, state.pos + 64))?.[0] ?? '`'
  const start = state.pos + marker.length
  for (const { 0: found } of state.src.slice(start).matchAll(/`+/g)) {
    if (found.length === marker.length) return false
  }
  if (silent || state.env.tail === 'stopped') return takeRest(state, silent)
  // A shorter run at the very end may grow into the closing one.
  const tail = /`*$/.exec(state.src.slice(start))?.[0].length ?? 0
  const text = state.src.slice(start, tail < marker.length ? state.src.length - tail : undefined)
  const shown = text.replaceAll('\n', ' ').replace(/^ (?=.*[^ ])/, '')
  if (shown !== '') state.push('code_inline', 'code', 0).content = shown
  state.pos = state.posMax
  return true
}

/** Where the label that opens here ends; -1 if it does not, `undefined` if it holds a link and so is none itself. */
function labelEnd(state: StateInline, start: number, isImage: boolean): number | undefined {
  if (!state.src.includes(']', start)) return -1
  const { parseLinkLabel } = state.md.helpers
  const end = parseLinkLabel(state, start, !isImage)
  if (end >= 0 || isImage) return end
  return parseLinkLabel(state, start, false) < 0 ? -1 : undefined
}

/** Whether the text after a label may still make it a link: there is none yet, or it begins an address or a label. */
function isLabelOpen(state: StateInline, end: number, isImage: boolean): boolean {
  const rest = state.src.slice(end + 1)
  if (rest === '' || isUnfinishedResource(rest)) return true
  return !isImage && state.pos === 0 && isUnfinishedDefinition(rest)
}

/** Shows a link or image that a bar may cut in two as it is written. */
function barred(state: StateInline, silent: boolean, closer: number): boolean {
  const end = Math.max(closer, state.src.slice(closer).search(/[)\]>]/) + closer) + 1
  const limit = Math.min(end, state.src.length - 1)
  if (!isUncertain(state, state.pos, limit)) return false
  if (!silent) state.push('unfinished_text', '', 0).content = state.src.slice(state.pos, limit)
  state.pos = limit
  return true
}

function link(state: StateInline, silent: boolean): boolean {
  if (state.env.tail === undefined || !isAtEnd(state)) return false
  if (state.src.charAt(state.pos) !== '[') return false
  const end = labelEnd(state, state.pos, false)
  if (end !== undefined && end >= 0 && barred(state, silent, end + 1)) return true
  if (end === undefined) return false
  const isStopped = state.env.tail === 'stopped'
  if (end < 0) {
    // Silently it is one bracket, so that the label around it is measured rightly.
    if (silent) state.pos++
    else {
      if (isStopped) state.pending += '['
      label(state, state.pos + 1, state.posMax)
      state.pos = state.posMax
    }
    return true
  }
  if (!isLabelOpen(state, end, false)) return false
  if (silent || isStopped) return takeRest(state, silent)
  if (!(state.pos === 0 && isUnfinishedDefinition(state.src.slice(end + 1))))
    label(state, state.pos + 1, end)
  state.pos = state.posMax
  return true
}

function image(state: StateInline, silent: boolean): boolean {
  if (state.env.tail === undefined || !isAtEnd(state)) return false
  if (!state.src.startsWith('![', state.pos)) return false
  const end = labelEnd(state, state.pos + 1, true)
  if (end !== undefined && end >= 0 && barred(state, silent, end + 1)) return true
  if (end !== undefined && end >= 0 && !isLabelOpen(state, end, true)) return false
  if (silent || state.env.tail === 'stopped') return takeRest(state, silent)
  const content = state.src.slice(state.pos + 2, end === undefined || end < 0 ? undefined : end)
  const token = state.push('image', 'img', 0)
  const alt = new state.Token('text', '', 0)
  alt.content = content.replaceAll(/[*_~`[\]!\\]|\(.*$/g, '')
  token.children = [alt]
  state.pos = state.posMax
  return true
}

function angle(state: StateInline, silent: boolean): boolean {
  if (state.env.tail === undefined || !isAtEnd(state)) return false
  if (state.src.charAt(state.pos) !== '<') return false
  if (state.src.includes('>', state.pos) && barred(state, silent, state.pos + 1)) return true
  if (!isUnfinishedAngle(state.src.slice(state.pos))) return false
  return takeRest(state, silent)
}

const unfinishedEntity = /&(?:#(?:x[\da-f]{0,6}|\d{0,7})|[a-z][a-z\d]{0,31})?$/iy

/** Characters at the very end that the next one may give a meaning: `&am`, `\`, `!`, `**`. */
function hold(state: StateInline, silent: boolean): boolean {
  if (state.env.tail !== 'open' || !isAtEnd(state)) return false
  const first = state.src.charAt(state.pos)
  let isHeld = false
  if (first === '&') {
    unfinishedEntity.lastIndex = state.pos
    isHeld = unfinishedEntity.test(state.src)
  } else if (first === '\\' || first === '!') isHeld = state.pos + 1 === state.posMax
  else if (first === '*' || first === '_' || first === '~') {
    let end = state.pos
    while (state.src.charAt(end) === first) end++
    isHeld = end === state.posMax
  }
  return isHeld && takeRest(state, silent)
}

const closable = new Set(['*', '_', '~'].map((mark) => mark.charCodeAt(0)))

/** Whether a mark follows a letter or digit, as in `5*3`: closing it would set more in italics than is likely meant. */
function isInWord({ tokens }: StateInline, { token, marker }: Delimiter): boolean {
  const mark = String.fromCharCode(marker)
  let before = token - 1
  while (tokens[before]?.content === mark) before--
  return tokens[before]?.type === 'text' && /[a-z\d]$/i.test(tokens[before]?.content ?? '')
}

/** Closes what is open at the end of a scope, the innermost first. */
function closeScope(state: StateInline, { delimiters, closers }: Scope): void {
  const open: number[] = []
  for (let index = 0; index < delimiters.length; index++) {
    const delimiter = delimiters[index]
    if (delimiter === undefined) continue
    if (delimiter.end > index) index = delimiter.end
    else if (delimiter.open && closable.has(delimiter.marker)) open.push(index)
  }
  let token = closers
  for (const index of open.toReversed()) {
    const opener = delimiters[index]
    if (opener === undefined || isInWord(state, opener)) continue
    opener.end = delimiters.length
    const opening = state.tokens[opener.token]
    if (opening !== undefined) opening.meta = { unfinished: true }
    delimiters.push({ ...opener, token: token++, end: -1, open: false, close: true })
  }
}

/** The scopes of the content as a whole. */
const roots = new WeakMap<StateInline, Scope>()

function reserve(state: StateInline): void {
  if (state.env.tail !== 'open') return
  roots.set(state, { delimiters: state.delimiters, closers: reserveClosers(state) })
}

function close(state: StateInline): void {
  const root = roots.get(state)
  if (root === undefined) return
  for (const { type, meta } of state.tokens) {
    if (type === 'unfinished_open') closeScope(state, meta?.scope as Scope)
  }
  closeScope(state, root)
}

export function unfinishedRules(md: MarkdownIt): void {
  md.inline.ruler.before('backticks', 'unfinished_code', code)
  md.inline.ruler.before('strikethrough', 'unfinished_end', hold)
  md.inline.ruler.before('link', 'unfinished_link', link)
  md.inline.ruler.before('image', 'unfinished_image', image)
  md.inline.ruler.before('autolink', 'unfinished_angle', angle)
  md.inline.ruler2.before('balance_pairs', 'unfinished_reserve', reserve)
  md.inline.ruler2.after('balance_pairs', 'unfinished_close', close)
}
