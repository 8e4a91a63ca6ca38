import type { WireRecord } from '../protocol/format.ts'
import { createLineBuffer } from './line-buffer.ts'
import { limitsOf, overLimit, type ReadLimits } from './limits.ts'
import { createUtf8Decoder } from './utf8.ts'

/** A pushed decoder of `text/event-stream`. Bytes may be cut anywhere; text may be pushed instead of bytes. */
export interface SseDecoder {
  /** Throws {@link SluiceError} `limit-exceeded`; after that only `reset` may be called. */
  push(chunk: Uint8Array | string): void
  /**
   * The body has ended. An event without its blank line is delivered if its data is a whole JSON object or array,
   * or `[DONE]`, since model servers often leave the blank line out; anything else is dropped, as WHATWG demands.
   */
  end(): void
  /** Forgets everything, so that another stream can be read. */
  reset(): void
  /** What a reconnecting client sends as `Last-Event-ID`. */
  readonly lastEventId: string
}

/** What a decoder reports. */
export interface SseDecoderOptions {
  onRecord(record: WireRecord): void
  /** The server's `retry:` field, in milliseconds. */
  onRetry?(ms: number): void
  /** A line that is no comment and no field of the grammar. */
  onUnknown?(line: string): void
  readonly limits?: ReadLimits | undefined
}

/** Smaller chunks are gathered to whole lines before they are decoded. */
const SMALL = 512
const LF = 10
const COLON = 58
const SPACE = 32
const LOWER_A = 97
const LOWER_D = 100
const LOWER_T = 116

/**
 * Makes a decoder of the event-stream grammar (WHATWG HTML, 9.2.6 "Interpreting an event stream"). Work and memory are
 * linear in the bytes, whatever the cuts.
 */
export function createSseDecoder(options: SseDecoderOptions): SseDecoder {
  const { onRecord, onRetry, onUnknown } = options
  const limits = limitsOf(options.limits)
  let utf8 = createUtf8Decoder()
  const lines = createLineBuffer()
  let atStart = true
  // The unfinished line. Appending builds a rope, flattened once when its line end comes: never quadratic.
  let rest = ''
  let swallowLf = false
  let data: string | undefined
  let event: string | undefined
  let id = ''
  let committed = ''
  // A chunk's records are found first and handed on then: a third cheaper than to change between the two at each.
  let found: WireRecord[] = []

  function decodeLines(size: number): string {
    const text = utf8.decode(lines.view(size))
    lines.drop(size)
    return text
  }

  function dispatch(): void {
    committed = id
    if (data !== undefined) {
      found.push({ data, event, id: id === '' ? undefined : id })
      data = undefined
    }
    event = undefined
  }

  function deliver(): void {
    if (found.length === 0) return
    const records = found
    found = []
    for (const record of records) onRecord(record)
  }

  function addData(value: string): void {
    if (data === undefined) data = value
    else data += '\n' + value
    if (data.length > limits.event) throw overLimit('record', limits.event)
  }

  function field(name: string, value: string, line: string): void {
    if (name === 'data') addData(value)
    else if (name === 'event') event = value === '' ? undefined : value
    else if (name === 'id') {
      if (!value.includes('\0')) id = value
    } else if (name === 'retry') {
      if (/^[0-9]+$/.test(value)) onRetry?.(Number(value))
    } else {
      deliver()
      onUnknown?.(line)
    }
  }

  function onLine(line: string): void {
    if (line.length > limits.line) throw overLimit('line', limits.line)
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    if (colon === -1) return field(line, '', line)
    const from = line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1
    field(line.slice(0, colon), line.slice(from), line)
  }

  /** A whole line that lies inside `text`: the hot path spares `data:` lines the slice of the line. */
  function onSpan(text: string, from: number, to: number): void {
    if (from === to) dispatch()
    else if (isData(text, from)) {
      if (to - from > limits.line) throw overLimit('line', limits.line)
      addData(text.slice(text.charCodeAt(from + 5) === SPACE ? from + 6 : from + 5, to))
    } else onLine(text.slice(from, to))
  }

  /** Takes the lines that `text` ends; what is left begins the next one. */
  function onText(text: string): void {
    if (text === '') return
    let at = swallowLf && text.charCodeAt(0) === LF ? 1 : 0
    swallowLf = false
    let cr = text.indexOf('\r', at)
    let lf = text.indexOf('\n', at)
    while (cr !== -1 || lf !== -1) {
      const endsWithCr = cr !== -1 && (lf === -1 || cr < lf)
      const end = endsWithCr ? cr : lf
      if (rest === '') onSpan(text, at, end)
      else {
        const line = rest + text.slice(at, end)
        rest = ''
        onLine(line)
      }
      at = end + 1
      if (endsWithCr) {
        if (at === text.length) swallowLf = true
        else if (lf === at) at += 1
        cr = text.indexOf('\r', at)
      } else if (text.charCodeAt(at) === LF) {
        // A blank line: what ends nearly every event.
        dispatch()
        at += 1
      }
      if (lf < at && lf !== -1) lf = text.indexOf('\n', at)
    }
    if (at < text.length) {
      rest += at === 0 ? text : text.slice(at)
      if (rest.length > limits.line) throw overLimit('line', limits.line)
    }
    if (rest.length + (data?.length ?? 0) > limits.buffer) throw overLimit('buffer', limits.buffer)
  }

  function onBytes(chunk: Uint8Array): void {
    if (chunk.length > SMALL) {
      if (lines.size > 0) onText(decodeLines(lines.size))
      return onText(utf8.decode(chunk))
    }
    const whole = lines.add(chunk)
    if (whole > 0) onText(decodeLines(whole))
    if (lines.size > limits.line) throw overLimit('line', limits.line)
  }

  function onChunk(chunk: Uint8Array | string): void {
    if (typeof chunk !== 'string') return onBytes(chunk)
    // A byte decoder drops the mark by itself; text that was decoded elsewhere may still have it.
    const marked = atStart && chunk.startsWith('\ufeff')
    if (chunk !== '') atStart = false
    onText(marked ? chunk.slice(1) : chunk)
  }

  function onEnd(): void {
    onText(decodeLines(lines.size))
    onText(utf8.end())
    if (rest !== '') {
      const line = rest
      rest = ''
      onLine(line)
    }
    // `committed` stays: an event that the grammar drops is not to be counted as read.
    if (data !== undefined && isWhole(data))
      found.push({ data, event, id: id === '' ? undefined : id })
    data = undefined
  }

  return {
    push(chunk) {
      try {
        onChunk(chunk)
      } finally {
        deliver()
      }
    },
    end() {
      try {
        onEnd()
      } finally {
        deliver()
      }
    },
    reset() {
      lines.drop(lines.size)
      utf8 = createUtf8Decoder()
      atStart = true
      rest = ''
      swallowLf = false
      data = undefined
      event = undefined
      id = ''
      committed = ''
      found = []
    },
    get lastEventId() {
      return committed
    },
  }
}

/** Whether a line begins with `data:`; by the letter, since a call of a built-in costs more. */
function isData(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === LOWER_D &&
    text.charCodeAt(at + 4) === COLON &&
    text.charCodeAt(at + 1) === LOWER_A &&
    text.charCodeAt(at + 2) === LOWER_T &&
    text.charCodeAt(at + 3) === LOWER_A
  )
}

/** Whether a record that the end of the body cut short can still be trusted. */
function isWhole(data: string): boolean {
  if (data.trim() === '[DONE]') return true
  // A bare number or word may be a piece of a longer one.
  if (!/^\s*[{[]/.test(data)) return false
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}
