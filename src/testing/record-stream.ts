import { sleep, systemClock, type Clock } from '../protocol/clock.ts'
import { isRecord, parseJson } from '../protocol/json.ts'
import { SluiceError } from '../protocol/errors.ts'

/** A response as it came: what was in it, and when. Survives JSON. */
export interface Recording {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Each read of the body: milliseconds since the headers, and the bytes in base64. */
  readonly chunks: readonly { readonly at: number; readonly bytes: string }[]
  /** How the body ended. `lost`: it broke off. */
  readonly end: 'closed' | 'lost'
}

/** Headers that are about a person or a connection, not about the stream. */
const PRIVATE = /^(set-cookie|authorization|proxy-.*|connection|keep-alive|transfer-encoding)$/

/**
 * Reads a response to its end and keeps every chunk with its time. Never rejects: a body that breaks off is recorded as
 * one.
 */
export async function recordStream(
  response: Response,
  { clock = systemClock }: { readonly clock?: Clock | undefined } = {},
): Promise<Recording> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !PRIVATE.test(name)))
  const begun = clock.now()
  const chunks: { at: number; bytes: string }[] = []
  const reader = response.body?.getReader()
  let end: Recording['end'] = 'closed'
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      chunks.push({ at: Math.round(clock.now() - begun), bytes: toBase64(value) })
    }
  } catch {
    end = 'lost'
  }
  return { status: response.status, headers, chunks, end }
}

/**
 * Plays a recording: the same bytes, cut at the same places, at the same pace. `speed`: 2 is twice as fast, `Infinity`
 * without any wait.
 *
 * @example
 * const model: Model = async () => replayStream(recording)
 */
export function replayStream(
  { status, headers, chunks, end }: Recording,
  options: { readonly speed?: number | undefined; readonly clock?: Clock | undefined } = {},
): Response {
  const { speed = 1, clock = systemClock } = options
  const begun = clock.now()
  const gone = new AbortController()
  let next = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next]
      next += 1
      if (chunk !== undefined) {
        await sleep(clock, begun + chunk.at / speed - clock.now(), gone.signal)
        if (!gone.signal.aborted) controller.enqueue(fromBase64(chunk.bytes))
      } else if (end === 'closed') {
        controller.close()
      } else {
        controller.error(new TypeError('The recorded connection was lost here.'))
      }
    },
    cancel: () => gone.abort(),
  })
  return new Response(status === 204 ? null : body, { status, headers })
}

/** Reads a recording from JSON text. Throws {@link SluiceError} `invalid-options` where it is none. */
export function parseRecording(text: string): Recording {
  const value = parseJson(text)
  const isRecording =
    isRecord(value) &&
    typeof value['status'] === 'number' &&
    isRecord(value['headers']) &&
    Array.isArray(value['chunks']) &&
    (value['end'] === 'closed' || value['end'] === 'lost')
  if (isRecording) return value as unknown as Recording
  throw new SluiceError(
    'invalid-options',
    'This is no recording of a stream: make one with sluice record.',
  )
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
