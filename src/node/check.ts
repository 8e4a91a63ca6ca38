import { isTextDelta } from '../protocol/coalesce.ts'
import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import { createId } from '../protocol/ids.ts'
import { isRecord, parseJson } from '../protocol/json.ts'
import { readModelStream } from '../transport/read-model-stream.ts'
import { ask, headersOf, type Asking } from './asking.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  /** What was seen and, where it is not well, what to do. */
  readonly detail: string
}

/** An endpoint, as it was found. Times in milliseconds from the request. */
export interface Diagnosis {
  readonly url: string
  readonly format: string
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly headersMs: number
  readonly firstTextMs: number | undefined
  readonly endMs: number
  readonly text: string
}

interface Heard {
  readonly events: readonly StreamEvent[]
  /** How many pieces the body came in. */
  readonly reads: number
  readonly firstTextMs: number | undefined
  readonly endMs: number
}

/** Asks a streaming endpoint for answers, and tells what is wrong with how they come. Rejects if it can't be reached. */
export async function check(asking: Asking): Promise<Diagnosis> {
  const { url, format } = asking
  const requestId = createId()
  const begun = performance.now()
  const response = await ask(asking, requestId)
  const headersMs = performance.now() - begun
  const own = format.name === 'sluice'
  const headers = [statusOf(response), ...headerFindings(response.headers, own)]
  const heard = await listen(response, asking, begun)
  const text = textOf(heard.events)
  const findings = [...headers, arrival(heard), ending(heard)]
  if (own && asking.data === undefined && heard.events.length > 0) {
    findings.push(numbering(heard), ...(await ownFindings(asking, requestId, heard, text)))
  }
  return {
    url,
    format: format.name,
    ok: findings.every(({ ok }) => ok),
    findings,
    headersMs: Math.round(headersMs),
    firstTextMs: heard.firstTextMs && Math.round(heard.firstTextMs),
    endMs: Math.round(heard.endMs),
    text,
  }
}

async function listen(response: Response, { format }: Asking, begun: number): Promise<Heard> {
  let reads = 0
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        reads += 1
        controller.enqueue(chunk)
      },
    }),
  )
  const { status, headers } = response
  const source = new Response(counted ?? null, { status, headers })
  const events: StreamEvent[] = []
  let firstTextMs: number | undefined
  for await (const event of readModelStream(source, { format })) {
    events.push(event)
    if (isTextDelta(event)) firstTextMs ??= performance.now() - begun
  }
  return { events, reads, firstTextMs, endMs: performance.now() - begun }
}

function statusOf({ ok, status }: Response): Finding {
  return { name: 'answers', ok, detail: `HTTP status ${status}` }
}

function headerFindings(headers: Headers, own: boolean): Finding[] {
  const type = headers.get('content-type') ?? 'none'
  const encoding = headers.get('content-encoding') ?? 'identity'
  const findings: Finding[] = [
    {
      name: 'content type',
      ok: /^(text\/event-stream|application\/(x-)?(ndjson|jsonlines|stream\+json))/.test(type),
      detail: `${type}; a stream is text/event-stream or application/x-ndjson`,
    },
    {
      name: 'not compressed',
      ok: encoding === 'identity',
      detail: `content-encoding ${encoding}; a compressor holds pieces back until it has enough`,
    },
  ]
  if (!own) return findings
  const cache = headers.get('cache-control') ?? 'none'
  return [
    ...findings,
    {
      name: 'asks not to be changed',
      ok: cache.includes('no-transform'),
      detail: `cache-control ${cache}; it should say no-cache, no-transform`,
    },
    {
      name: 'asks not to be held back',
      // A proxy that obeys it may also take it away.
      ok: headers.get('x-accel-buffering') !== 'yes',
      detail: `x-accel-buffering ${headers.get('x-accel-buffering') ?? 'taken away on the way'}`,
    },
  ]
}

function arrival({ events, reads, firstTextMs, endMs }: Heard): Finding {
  const pieces = events.filter(isTextDelta).length
  const name = 'arrives piece by piece'
  if (firstTextMs === undefined) return { name, ok: false, detail: 'no text came at all' }
  const share = Math.round((firstTextMs / endMs) * 100)
  const seen = `${pieces} pieces of text in ${reads} reads, the first after ${share} % of the time`
  if (pieces < 3) return { name, ok: true, detail: `${seen}; too short to tell` }
  const isHeld = reads < 3 || (share > 50 && endMs > 500)
  return {
    name,
    ok: !isHeld,
    detail: isHeld
      ? `${seen}. Something on the way holds the stream back: turn off its buffering and compression (nginx: proxy_buffering off)`
      : seen,
  }
}

function ending({ events }: Heard): Finding {
  const name = 'ends as it should'
  const end = events.at(-1)
  if (end === undefined || !isTerminal(end)) return { name, ok: false, detail: 'no event came' }
  switch (end.type) {
    case 'done':
      return { name, ok: true, detail: `done, ${end.finishReason}` }
    case 'cancelled':
      return { name, ok: false, detail: `cancelled by ${end.by}` }
    case 'error':
      return { name, ok: false, detail: `${end.code}: ${end.message}` }
    case 'interrupted': {
      const seen = end.sentinel ? 'an end mark came, but no finish reason' : 'the body just ended'
      return {
        name,
        ok: false,
        detail: `${seen}; nobody can tell such an answer from one that was cut off. Is the format right?`,
      }
    }
  }
}

function numbering({ events }: Heard): Finding {
  let last = 0
  const isWhole = events.every(({ seq, from = seq }) => {
    const follows = from === last + 1
    last = seq
    return follows
  })
  const isBegun = events[0]?.type === 'start'
  return {
    name: 'numbers its events',
    ok: isWhole && isBegun,
    detail:
      isWhole && isBegun
        ? `1 to ${last}, each once`
        : 'events are missing, repeated or out of order',
  }
}

/** What only our own protocol promises: state, replay, Stop. */
async function ownFindings(
  asking: Asking,
  requestId: string,
  heard: Heard,
  text: string,
): Promise<Finding[]> {
  const call = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`${asking.url.replace(/\/+$/, '')}/${path}`, { method, headers: headersOf(asking) })

  const known = parseJson(await (await call(requestId)).text())
  const state = isRecord(known) ? String(known['state']) : 'nothing'
  const findings: Finding[] = [
    {
      name: 'knows its state',
      ok: state === 'completed',
      detail: `told ${state} of an answer that is done`,
    },
  ]

  const start = heard.events[0]
  if (start?.type === 'start' && start.replayable) {
    const replayed = await listen(
      await call(`${requestId}/events?after=0`),
      asking,
      performance.now(),
    )
    const isSame = textOf(replayed.events) === text
    const last = heard.events.at(-1)?.seq ?? 0
    const { status } = await call(`${requestId}/events?after=${last}`)
    findings.push(
      {
        name: 'replays',
        ok: isSame,
        detail: isSame ? 'the same text again' : 'another text than the first time',
      },
      {
        name: 'has nothing left after the end',
        ok: status === 204,
        detail: `HTTP status ${status}; 204 keeps an EventSource from asking for ever`,
      },
    )
  }
  return [...findings, await stopping(asking, call)]
}

async function stopping(
  asking: Asking,
  call: (path: string, method: string) => Promise<Response>,
): Promise<Finding> {
  const requestId = createId()
  const response = await ask(asking, requestId)
  for await (const event of readModelStream(response, { format: asking.format })) {
    if (isTextDelta(event)) break
  }
  const begun = performance.now()
  const outcome = parseJson(await (await call(requestId, 'DELETE')).text())
  const took = Math.round(performance.now() - begun)
  const state = isRecord(outcome) ? String(outcome['state']) : 'nothing'
  const told = isRecord(outcome) ? outcome['outputTokens'] : undefined
  const tokens = typeof told === 'number' ? String(told) : 'unknown'
  return {
    name: 'stops',
    ok: state === 'cancelled' || state === 'completed',
    detail: `${state} after ${took} ms, tokens generated: ${tokens}`,
  }
}

function textOf(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')
}
