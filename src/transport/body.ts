import { SluiceError } from '../protocol/errors.ts'
import type { RecordReader, StreamFailure, StreamFormat } from '../protocol/format.ts'
import { vendorError } from '../formats/vendor-error.ts'
import type { ReadLimits } from './limits.ts'
import { createDocumentDecoder, createNdjsonDecoder, isJson, type JsonDecoder } from './ndjson.ts'
import { createSseDecoder } from './sse.ts'
import { createUtf8Decoder } from './utf8.ts'

/** Finds the records of one body, whatever its framing turns out to be, and hands them to a format's reader. */
export interface BodyReader {
  push(chunk: Uint8Array | string): void
  /** The body has ended: tells what turned out to be no stream; the format's reader is then to be ended. */
  end(): void
  /** Nothing has come so far. */
  readonly empty: boolean
}

/** The reader of one framing. */
type FramingReader = Omit<BodyReader, 'empty'>

/** What a body reader reports beside the records. */
export interface BodyOptions {
  readonly framing: StreamFormat['framing']
  readonly limits?: ReadLimits | undefined
  /** The server's `retry:` field, in milliseconds. */
  onRetry?(ms: number): void
}

/**
 * Makes a reader of one body. The framing is told by the first character, since content types are often wrong: `<` is a web
 * page, `{` and `[` are JSON, and anything else is an event stream. Passing a limit ends the stream as `limit-exceeded`.
 */
export function createBodyReader(reader: RecordReader, options: BodyOptions): BodyReader {
  const { framing, limits } = options
  let body: FramingReader | undefined
  let waiting: (Uint8Array | string)[] = []
  let empty = true

  function choose(first: number, isText: boolean): FramingReader {
    if (first === LESS_THAN) return createPageReader(reader)
    if (first === OPEN_BRACE || first === OPEN_BRACKET)
      return createJsonReader(reader, framing, limits, first, isText)
    return createEventReader(reader, options)
  }

  function push(chunk: Uint8Array | string): void {
    if (chunk.length === 0) return
    empty = false
    if (body === undefined) {
      const first = firstCharacter(chunk)
      if (first === undefined) {
        waiting.push(chunk)
        return
      }
      body = choose(first, typeof chunk === 'string')
      for (const earlier of waiting) body.push(earlier)
      waiting = []
    }
    body.push(chunk)
  }

  function over(error: unknown): void {
    if (!(error instanceof SluiceError && error.code === 'limit-exceeded')) throw error
    reader.fail({ code: 'limit-exceeded', message: error.message, retryable: false })
  }

  return {
    push(chunk) {
      try {
        push(chunk)
      } catch (error) {
        over(error)
      }
    },
    end() {
      try {
        body?.end()
      } catch (error) {
        over(error)
      }
    },
    get empty() {
      return empty
    },
  }
}

const LESS_THAN = 60
const OPEN_BRACE = 123
const OPEN_BRACKET = 91

/** The first character that is no white space and no byte order mark. */
function firstCharacter(chunk: Uint8Array | string): number | undefined {
  if (typeof chunk === 'string') return /[^\s\ufeff]/.exec(chunk)?.[0].charCodeAt(0)
  return chunk.find((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
}

function createPageReader(reader: RecordReader): FramingReader {
  return {
    push() {
      reader.fail({
        code: 'not-a-stream',
        message: 'The server answered with a web page instead of a stream.',
        retryable: false,
      })
    },
    end() {},
  }
}

function createEventReader(reader: RecordReader, { limits, onRetry }: BodyOptions): FramingReader {
  let records = 0
  let strays = ''
  // Google's server breaks off an event stream with bare JSON, which the grammar reads as unknown fields.
  const bare = createDocumentDecoder({ limits, onRecord: (record) => reader.read(record) })
  const decoder = createSseDecoder({
    limits,
    ...(onRetry && { onRetry }),
    onRecord(record) {
      records += 1
      reader.read(record)
    },
    onUnknown(line) {
      if (records === 0 && strays.length < 1000) strays += `${line}\n`
      if (bare.pending !== '' || line.trimStart().startsWith('{')) bare.push(`${line}\n`)
    },
  })
  return {
    push: decoder.push,
    end() {
      decoder.end()
      if (records === 0 && strays !== '') reader.fail(notAStream(strays))
    },
  }
}

/** Lines of JSON, text frames, one array in pieces, or one document that is no stream at all. */
function createJsonReader(
  reader: RecordReader,
  framing: StreamFormat['framing'],
  limits: ReadLimits | undefined,
  first: number,
  isText: boolean,
): FramingReader {
  const utf8 = createUtf8Decoder()
  const onRecord = reader.read
  // A single document where an event stream was asked for is an error or a whole answer, so the first one waits.
  const holdsFirst = framing === 'sse' && !isText && first === OPEN_BRACE
  let held: string | undefined
  let seen = 0
  let decoder: JsonDecoder
  const documents = createDocumentDecoder({
    limits,
    onRecord(record) {
      seen += 1
      deliver(record.data)
    },
  })
  const lines = createNdjsonDecoder({
    limits,
    onRecord({ data }) {
      seen += 1
      if (seen === 1 && !isJson(data)) {
        // Pretty-printed: its first line alone is no document.
        seen = 0
        decoder = documents
        documents.push(`${data}\n`)
      } else if (decoder === documents) documents.push(`${data}\n`)
      else deliver(data)
    },
  })
  decoder = first === OPEN_BRACKET ? documents : lines

  function deliver(data: string): void {
    if (holdsFirst && seen === 1) held = data
    else {
      release()
      onRecord({ data })
    }
  }

  function release(): void {
    if (held === undefined) return
    const data = held
    held = undefined
    onRecord({ data })
  }

  function text(chunk: Uint8Array | string): string {
    return typeof chunk === 'string' ? chunk : utf8.decode(chunk)
  }

  return {
    push(chunk) {
      decoder.push(text(chunk))
      // A text frame is whole without a line end.
      if (
        isText &&
        decoder === lines &&
        lines.pending.trimEnd().endsWith('}') &&
        isJson(lines.pending)
      )
        lines.end()
    },
    end() {
      decoder.push(utf8.end())
      const tail = decoder.pending
      decoder.end()
      if (held !== undefined) reader.fail(notAStream(held))
      else if (seen === 0) reader.fail(notAStream(tail))
    },
  }
}

/** A document where a stream was asked for: the server's error, if it tells one. */
function notAStream(body: string): StreamFailure {
  const error = vendorError(body)
  if (error.message === vendorError({}).message)
    return {
      code: 'not-a-stream',
      message: 'The server answered with something else than a stream.',
      retryable: error.retryable,
    }
  return error.code === 'vendor' ? { ...error, code: 'not-a-stream' } : error
}
