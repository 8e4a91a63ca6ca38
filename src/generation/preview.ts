/** Reads JSON text that still grows, each character once. */
export interface PreviewParser {
  /** What has come since the last call. */
  push(text: string): void
  /**
   * The value as far as it is known, `undefined` before it begins: strings grow, numbers and words come whole, a
   * property comes with the beginning of its value. A new object for each call; what is complete in it keeps its identity.
   */
  value(): unknown
}

type Container = unknown[] | Record<string, unknown>

/** An array or object that is not closed yet, and the key of the value that grows in it. */
interface Level {
  readonly container: Container
  key: string
}

/** Deeper nesting than any tool asks for is not followed. */
const MAX_DEPTH = 100
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
const HEX = /^\\u[\da-f]{4}$/i
const SPACE = /\s/
const LITERAL = /[-+.\w]/

/**
 * Makes a parser for a preview: at once, incremental, never throws. What is no JSON ends the preview where it begins. A lone
 * half of a surrogate pair and a cut escape are held back until they are whole.
 */
export function createPreviewParser(): PreviewParser {
  const levels: Level[] = []
  let root: unknown
  let reading: 'value' | 'key' | 'colon' | 'after' | 'string' | 'literal' | 'end' = 'value'
  // The string or word that is being read: what of it is whole, and what is held back.
  let token = ''
  let half = ''
  let escape = ''
  let isKey = false

  const put = (value: unknown): void => {
    const level = levels.at(-1)
    if (level === undefined) root = value
    else if (Array.isArray(level.container)) level.container.push(value)
    else setProperty(level.container, level.key, value)
  }
  const after = (): void => {
    reading = levels.length === 0 ? 'end' : 'after'
  }
  const open = (container: Container): void => {
    if (levels.length === MAX_DEPTH) {
      reading = 'end'
      return
    }
    levels.push({ container, key: '' })
    reading = Array.isArray(container) ? 'value' : 'key'
  }
  const close = (): void => {
    const level = levels.pop()
    put(level?.container)
    after()
  }
  const openString = (asKey: boolean): void => {
    token = half = escape = ''
    isKey = asKey
    reading = 'string'
  }
  const addText = (units: string): void => {
    const text = half + units
    const last = text.charCodeAt(text.length - 1)
    half = isHighSurrogate(last) ? text.slice(-1) : ''
    token += (half === '' ? text : text.slice(0, -1)).toWellFormed()
  }
  const closeString = (): void => {
    if (half !== '') token += '\uFFFD'
    const level = levels.at(-1)
    if (isKey && level !== undefined) {
      level.key = token
      reading = 'colon'
      return
    }
    put(token)
    after()
  }

  /** Reads on in a string; gives back where it stopped. */
  const readString = (text: string, from: number): number => {
    let at = from
    while (at < text.length && reading === 'string') {
      const unit = text[at] as string
      if (escape !== '') {
        escape += unit
        at++
        if (escape[1] !== 'u') addText(ESCAPES[unit] ?? unit)
        else if (escape.length < 6) continue
        else if (HEX.test(escape)) addText(String.fromCharCode(Number(`0x${escape.slice(2)}`)))
        else reading = 'end'
        escape = ''
      } else if (unit === '\\') {
        escape = unit
        at++
      } else if (unit === '"') {
        closeString()
        return at + 1
      } else {
        const begin = at
        while (at < text.length && text[at] !== '"' && text[at] !== '\\') at++
        addText(text.slice(begin, at))
      }
    }
    return at
  }

  const readLiteral = (text: string, from: number): number => {
    let at = from
    while (at < text.length && LITERAL.test(text[at] as string)) at++
    token += text.slice(from, at)
    if (at < text.length) {
      const value = Object.hasOwn(WORDS, token) ? WORDS[token] : Number(token)
      if (Number.isNaN(value)) reading = 'end'
      else {
        put(value)
        after()
      }
    }
    return at
  }

  /** Reads one character that is no part of a string or word; gives back where to go on. */
  const readMark = (text: string, at: number): number => {
    const unit = text[at] as string
    if (SPACE.test(unit)) return at + 1
    const inArray = Array.isArray(levels.at(-1)?.container)
    if (unit === (inArray ? ']' : '}') && levels.length > 0 && reading !== 'colon') close()
    else if (reading === 'after' && unit === ',') reading = inArray ? 'value' : 'key'
    else if (reading === 'colon' && unit === ':') reading = 'value'
    else if (reading === 'key' && unit === '"') openString(true)
    else if (reading !== 'value') reading = 'end'
    else if (unit === '"') openString(false)
    else if (unit === '{') open({})
    else if (unit === '[') open([])
    else if (LITERAL.test(unit)) {
      token = ''
      reading = 'literal'
      return at
    } else reading = 'end'
    return at + 1
  }

  return {
    push(text) {
      let at = 0
      while (at < text.length && reading !== 'end') {
        if (reading === 'string') at = readString(text, at)
        else if (reading === 'literal') at = readLiteral(text, at)
        else at = readMark(text, at)
      }
    },
    value() {
      const isGrowing = reading === 'string' && !isKey
      let inner: unknown = isGrowing ? token : undefined
      for (let depth = levels.length - 1; depth >= 0; depth--) {
        const { container, key } = levels[depth] as Level
        inner = Array.isArray(container)
          ? grownArray(container, inner)
          : grown(container, key, inner)
      }
      return levels.length === 0 && !isGrowing ? root : inner
    },
  }
}

function grownArray(container: readonly unknown[], inner: unknown): unknown[] {
  return inner === undefined ? [...container] : [...container, inner]
}

function grown(
  container: Readonly<Record<string, unknown>>,
  key: string,
  inner: unknown,
): Record<string, unknown> {
  const copy = { ...container }
  if (inner !== undefined) setProperty(copy, key, inner)
  return copy
}

function setProperty(container: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(container, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff
}
