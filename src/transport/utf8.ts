/** Bytes to text across any cut; bad sequences become U+FFFD, one leading byte order mark is dropped. */
export interface Utf8Decoder {
  decode(bytes: Uint8Array): string
  /** Text of a character that was cut by the end: U+FFFD, or nothing. */
  end(): string
}

/** Makes a decoder for one stream (WHATWG Encoding, "UTF-8 decode"). */
export function createUtf8Decoder(): Utf8Decoder {
  const decoder = new TextDecoder()
  const more = { stream: true }
  return {
    decode: (bytes) => decoder.decode(bytes, more),
    end: () => decoder.decode(),
  }
}
