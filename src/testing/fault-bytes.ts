import type { Clock } from '../protocol/clock.ts'
import { disturb, type Fault } from './faults.ts'

/** Puts faults into a response's body: records are blocks of SSE, or lines of NDJSON. */
export function disturbBody(
  response: Response,
  faults: readonly Fault[],
  io: { readonly clock: Clock; readonly signal: AbortSignal },
): Response {
  if (response.body === null || !response.ok) return response
  const isLines = response.headers.get('content-type')?.includes('ndjson') === true
  const end = isLines ? '\n' : '\n\n'
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const failure = JSON.stringify({
    type: 'error',
    error: { type: 'server_error', message: 'The model failed on purpose.' },
  })
  const records = disturb(recordsOf(response.body, end), faults, {
    ...io,
    modelError: () => encode(isLines ? `${failure}\n` : `event: error\ndata: ${failure}\n\n`),
    // What a tool's result looks like is the vendor's own affair.
    timedOut: () => undefined,
  })
  const cutters = faults.flatMap(({ type }) =>
    type === 'split-utf8' ? [splitCharacters] : type === 'cut-event' ? [halve] : [],
  )
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const record of records) {
      yield* cutters.reduce((chunks, cut) => chunks.flatMap(cut), [record])
    }
  }
  return new Response(streamOf(pieces()), { status: response.status, headers: response.headers })
}

async function* recordsOf(
  body: ReadableStream<Uint8Array>,
  end: string,
): AsyncGenerator<Uint8Array, void> {
  const [first = 0, second] = new TextEncoder().encode(end)
  let rest = new Uint8Array()
  for await (const chunk of body) {
    rest = Uint8Array.from([...rest, ...chunk])
    for (let place = 0; place < rest.length; place += 1) {
      const length = second === undefined ? 1 : 2
      const isEnd = rest[place] === first && (second === undefined || rest[place + 1] === second)
      if (!isEnd) continue
      yield rest.subarray(0, place + length)
      rest = rest.subarray(place + length)
      place = -1
    }
  }
  if (rest.length > 0) yield rest
}

function splitCharacters(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let begin = 0
  // A byte of the form 10xxxxxx goes on with a character.
  for (let place = 1; place < bytes.length; place += 1) {
    const goesOn = ((bytes[place] ?? 0) & 0xc0) === 0x80
    const begins = ((bytes[place - 1] ?? 0) & 0xc0) === 0xc0
    if (!goesOn || !begins) continue
    pieces.push(bytes.subarray(begin, place))
    begin = place
  }
  return [...pieces, bytes.subarray(begin)]
}

function halve(bytes: Uint8Array): Uint8Array[] {
  const middle = bytes.length >> 1
  return middle === 0 ? [bytes] : [bytes.subarray(0, middle), bytes.subarray(middle)]
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return()
    },
  })
}
