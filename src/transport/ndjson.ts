import type { WireRecord } from '../protocol/format.ts'
import { limitsOf, overLimit, type ReadLimits } from './limits.ts'

/** A pushed decoder of JSON text that is not framed as server-sent events. */
export interface JsonDecoder {
  /** Throws {@link SluiceError} `limit-exceeded`; after that only `reset` may be called. */
  push(text: string): void
  /** The body has ended: a last line without its line end is delivered if it is whole JSON. */
  end(): void
  /** Forgets everything, so that another stream can be read. */
  reset(): void
  /** What waits for its end. */
  readonly pending: string
}

/** What a decoder of JSON text reports. */
export interface JsonDecoderOptions {
  onRecord(record: WireRecord): void
  readonly limits?: ReadLimits | undefined
}

/** Makes a decoder of newline-delimited JSON; an empty line is a heartbeat. Work is linear in the text. */
export function createNdjsonDecoder({ onRecord, limits: given }: JsonDecoderOptions): JsonDecoder {
  const limits = limitsOf(given)
  let rest = ''

  function onLine(line: string): void {
    if (line.length > limits.line) throw overLimit('line', limits.line)
    const data = line.trim()
    if (data !== '') onRecord({ data })
  }

  return {
    push(text) {
      let at = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
        const line = rest + text.slice(at, end)
        rest = ''
        at = end + 1
        onLine(line)
      }
      if (at < text.length) rest += text.slice(at)
      if (rest.length > limits.line) throw overLimit('line', limits.line)
    },
    end() {
      const last = rest.trim()
      rest = ''
      if (last !== '' && isJson(last)) onRecord({ data: last })
    },
    reset() {
      rest = ''
    },
    get pending() {
      return rest
    },
  }
}

/**
 * Makes a decoder of JSON documents that nothing separates reliably: one array sent in pieces, pretty-printed
 * objects, or objects one after the other. Each object comes out as soon as its last brace has come.
 */
export function createDocumentDecoder({
  onRecord,
  limits: given,
}: JsonDecoderOptions): JsonDecoder {
  const limits = limitsOf(given)
  let pieces = ''
  let depth = 0
  let inString = false
  let escaped = false

  function reset(): void {
    pieces = ''
    depth = 0
    inString = false
    escaped = false
  }

  return {
    push(text) {
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (inString) {
          if (escaped) escaped = false
          else if (code === BACKSLASH) escaped = true
          else if (code === QUOTE) inString = false
        } else if (code === QUOTE) inString = depth > 0
        else if (code === OPEN) {
          if (depth === 0) from = at
          depth += 1
        } else if (code === CLOSE && depth > 0) {
          depth -= 1
          if (depth === 0) {
            const data = pieces + text.slice(from, at + 1)
            pieces = ''
            onRecord({ data })
          }
        }
      }
      if (depth > 0) pieces += text.slice(from)
      if (pieces.length > limits.event) throw overLimit('record', limits.event)
    },
    end: reset,
    reset,
    get pending() {
      return pieces
    },
  }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/** Whether text is one whole JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
