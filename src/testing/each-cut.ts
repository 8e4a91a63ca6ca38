/**
 * Runs the same bytes in every way in which a network may cut them: whole, in two pieces at every place, and byte by
 * byte. `run` is given the pieces and a name for them; what it throws is thrown, with that name in front.
 *
 * @example
 * await eachCut('data: {"text":"潮"}\n\n', async (chunks) => expect(await read(chunks)).toBe('潮'))
 */
export async function eachCut(
  bytes: Uint8Array | string,
  run: (chunks: readonly Uint8Array[], name: string) => void | Promise<void>,
): Promise<void> {
  const whole = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  for (const [name, chunks] of cuts(whole)) {
    try {
      await run(chunks, name)
    } catch (error) {
      if (error instanceof Error) error.message = `${name}: ${error.message}`
      throw error
    }
  }
}

function* cuts(bytes: Uint8Array): Generator<readonly [string, readonly Uint8Array[]]> {
  yield ['whole', [bytes]]
  for (let place = 1; place < bytes.length; place += 1) {
    yield [`cut at byte ${place}`, [bytes.subarray(0, place), bytes.subarray(place)]]
  }
  yield ['byte by byte', Array.from(bytes, (_, place) => bytes.subarray(place, place + 1))]
}
