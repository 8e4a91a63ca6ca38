/** Anything that a stream's bytes, or its text frames, may come from. */
export type StreamSource =
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

/** A chunk, or the end. */
export interface ChunkResult {
  readonly done?: boolean | undefined
  readonly value?: Uint8Array | string | undefined
}

/** One source, read chunk by chunk: the next chunk is asked for only when the last one was used up. */
export interface ChunkReader {
  read(): Promise<ChunkResult>
  /** Gives the source back unread. Never rejects. */
  cancel(reason?: unknown): void
}

/** Opens a source. A response without a body is an empty one. */
export function openChunks(source: StreamSource): ChunkReader {
  if (isResponse(source)) return source.body === null ? EMPTY : openStream(source.body)
  if ('getReader' in source) return openStream(source)
  const iterator = source[Symbol.asyncIterator]()
  return {
    read: () => iterator.next(),
    cancel() {
      // An iterator that throws while it is closed has nothing left to tell: its stream has ended here.
      void Promise.resolve(iterator.return?.()).catch(() => {})
    },
  }
}

/** Tells a response, also one of another realm or of a polyfill. */
export function isResponse(source: object): source is Response {
  return 'status' in source && 'headers' in source && 'body' in source
}

function openStream(stream: ReadableStream<Uint8Array>): ChunkReader {
  const reader = stream.getReader()
  return {
    read: () => reader.read(),
    cancel(reason) {
      void reader.cancel(reason).catch(() => {})
    },
  }
}

const EMPTY: ChunkReader = { read: async () => ({ done: true }), cancel() {} }
