/** A seeded generator of numbers from 0 to 1 (mulberry32): the same seed, the same numbers. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Cuts bytes at the given places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end))
}

/**
 * Cuttings that tell: every single cut of small input, and one byte a chunk; of large input random ones from a seed.
 * `every` thins out the single cuts.
 */
export function* cuttings(
  bytes: Uint8Array,
  { small = 4096, random = 200, every = 1, bytewise = true, seed = 1 } = {},
): Generator<Uint8Array[], void> {
  if (bytes.length <= small) {
    for (let place = 1; place < bytes.length; place += every) yield cutAt(bytes, [place])
    if (bytewise) yield Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
    return
  }
  const next = seeded(seed)
  for (let round = 0; round < random; round++) {
    const count = 1 + Math.floor(next() * 40)
    yield cutAt(
      bytes,
      Array.from({ length: count }, () => Math.floor(next() * bytes.length)),
    )
  }
}

/** Chunks as a source that is read one by one. */
export async function* chunked<T>(chunks: readonly T[]): AsyncGenerator<T, void> {
  yield* chunks
}

/** Chunks as a response body. */
export function bodyOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index]
      index += 1
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}
