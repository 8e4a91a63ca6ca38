import { createSseDecoder } from '../../src/transport/sse.ts'

/** Our frame decoder in the shape that a side-by-side benchmark asks for. */
export function createDecoder(onData: (data: string) => void): {
  write(chunk: Uint8Array): void
  end(): void
} {
  const decoder = createSseDecoder({ onRecord: ({ data }) => onData(data) })
  return { write: decoder.push, end: decoder.end }
}
