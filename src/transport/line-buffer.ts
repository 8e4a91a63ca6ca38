/** Gathers small chunks until a line is whole: decoding text costs more by the call than by the byte. */
export interface LineBuffer {
  /** Adds a chunk; tells how many of the bytes that wait are whole lines. */
  add(chunk: Uint8Array): number
  /** The first bytes that wait. Valid until the next call. */
  view(size: number): Uint8Array
  drop(size: number): void
  /** Bytes that wait. */
  readonly size: number
}

const LF = 10
const CR = 13

/** Makes an empty buffer. */
export function createLineBuffer(): LineBuffer {
  let buffer = new Uint8Array(1024)
  let size = 0

  return {
    add(chunk) {
      const { length } = chunk
      if (size + length > buffer.length) {
        const grown = new Uint8Array((size + length) * 2)
        grown.set(buffer.subarray(0, size))
        buffer = grown
      }
      const into = buffer
      const from = size
      let whole = 0
      // One pass copies and looks: cheaper for a few bytes than three native calls.
      for (let index = 0; index < length; index++) {
        const byte = chunk[index] as number
        into[from + index] = byte
        if (byte <= CR && (byte === LF || byte === CR)) whole = from + index + 1
      }
      size = from + length
      return whole
    },
    view: (end) => buffer.subarray(0, end),
    drop(count) {
      if (count < size) buffer.copyWithin(0, count, size)
      size -= count
    },
    get size() {
      return size
    },
  }
}
