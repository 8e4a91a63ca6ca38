import { setTimeout as sleep } from 'node:timers/promises'
import type { EventLog, Page } from 'sluice/server'
import type { StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'

// The Durable Streams protocol over an event log, so that its public conformance suite runs against each of ours. A
// stream is a run, a message an event, a closed stream one that is done. What a run knows nothing of (content types,
// lifetimes, producers) is kept beside it, in one process. Forks are left out.

interface Stream {
  readonly id: string
  readonly contentType: string
  readonly ttl: string | null
  readonly expiresAt: string | null
  readonly isJson: boolean
  usedAt: number
  lastSeq: number
  lastStreamSeq: string
  isClosed: boolean
  closedBy: string
  readonly producers: Map<string, { epoch: number; seq: number }>
  /** One request at a time writes. */
  turn: Promise<unknown>
}

type Fields = Readonly<Record<string, string>>

const common: Fields = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'content-type, if-none-match, stream-seq, stream-closed, stream-ttl',
}
const answer = (status: number, fields: Fields = {}, body?: BodyInit): Response =>
  new Response(body ?? null, { status, headers: { ...common, ...fields } })

const offsetOf = (seq: number): string => String(seq).padStart(16, '0')
const mediaType = (value: string): string => (value.split(';')[0] ?? '').trim().toLowerCase()
const isText = (type: string): boolean => /^text\/|^application\/json$/.test(mediaType(type))
const isWhole = (text: string | null): text is string => text !== null && /^\d+$/.test(text)

/** Makes the handler. */
export function durableStreams(
  log: EventLog,
  { longPollMs }: { readonly longPollMs: number },
): (request: Request) => Promise<Response> {
  const streams = new Map<string, Stream>()

  const find = (path: string): Stream | undefined => {
    const stream = streams.get(path)
    if (stream === undefined) return undefined
    const { ttl, expiresAt, usedAt } = stream
    const isOver =
      (ttl !== null && Date.now() >= usedAt + Number(ttl) * 1_000) ||
      (expiresAt !== null && Date.now() >= Date.parse(expiresAt))
    if (isOver) streams.delete(path)
    return isOver ? undefined : stream
  }

  const write = async (
    stream: Stream,
    text: string | undefined,
    closes: boolean,
  ): Promise<void> => {
    const { id, lastSeq } = stream
    const events: StreamEvent[] = []
    const next = (): { v: 1; requestId: string; seq: number } => ({
      v: 1,
      requestId: id,
      seq: lastSeq + events.length + 1,
    })
    if (text !== undefined)
      events.push({ ...next(), type: 'data', part: 'd', name: 'm', value: text })
    if (closes) events.push({ ...next(), type: 'done', finishReason: 'stop' })
    if (events.length === 0) return
    const appended = await log.append(id, 1, events)
    if (appended !== 'ok') throw new Error(`Not appended: ${appended}.`)
    stream.lastSeq += events.length
    stream.isClosed ||= closes
  }

  /** What a body says, as it is kept; `false`: it can't be said. */
  const textOf = (
    bytes: Buffer,
    isJson: boolean,
    mayBeEmpty: boolean,
  ): string | undefined | false => {
    if (bytes.length === 0) return undefined
    if (!isJson) return bytes.toString('base64')
    try {
      const value: unknown = JSON.parse(bytes.toString())
      const items: unknown[] = Array.isArray(value) ? value : [value]
      if (items.length === 0) return mayBeEmpty ? undefined : false
      return items.map((item) => JSON.stringify(item)).join(',')
    } catch {
      return false
    }
  }

  const headOf = (stream: Stream): Fields => ({
    'content-type': stream.contentType,
    'stream-next-offset': offsetOf(stream.lastSeq),
    ...(stream.isClosed && { 'stream-closed': 'true' }),
    ...(stream.ttl !== null && { 'stream-ttl': stream.ttl }),
    ...(stream.expiresAt !== null && { 'stream-expires-at': stream.expiresAt }),
  })

  const put = async (request: Request, path: string): Promise<Response> => {
    const { headers } = request
    const contentType = headers.get('content-type') ?? 'application/octet-stream'
    const ttl = headers.get('stream-ttl')
    const expiresAt = headers.get('stream-expires-at')
    const closes = headers.get('stream-closed') === 'true'
    if (ttl !== null && !/^(?:0|[1-9]\d*)$/.test(ttl)) return answer(400)
    if (expiresAt !== null && (ttl !== null || Number.isNaN(Date.parse(expiresAt))))
      return answer(400)
    const known = find(path)
    if (known !== undefined) {
      const isSame =
        mediaType(known.contentType) === mediaType(contentType) &&
        known.ttl === ttl &&
        known.expiresAt === expiresAt &&
        known.isClosed === closes
      return answer(isSame ? 200 : 409, headOf(known))
    }
    const isJson = mediaType(contentType) === 'application/json'
    const text = textOf(Buffer.from(await request.arrayBuffer()), isJson, true)
    if (text === false) return answer(400)
    const stream: Stream = {
      id: createId(),
      contentType,
      ttl,
      expiresAt,
      isJson,
      usedAt: Date.now(),
      lastSeq: 0,
      lastStreamSeq: '',
      isClosed: false,
      closedBy: '',
      producers: new Map(),
      turn: Promise.resolve(),
    }
    await log.create(stream.id, { fingerprint: path, leaseMs: 3_600_000 })
    await write(stream, text, closes)
    streams.set(path, stream)
    return answer(201, { ...headOf(stream), location: request.url })
  }

  const post = async (request: Request, stream: Stream): Promise<Response> => {
    const { headers } = request
    const closes = headers.get('stream-closed') === 'true'
    const bytes = Buffer.from(await request.arrayBuffer())
    const isCloseOnly = closes && bytes.length === 0
    const named = ['producer-id', 'producer-epoch', 'producer-seq'].map((name) => headers.get(name))
    const [producerId, epochText, seqText] = named as [string | null, string | null, string | null]
    const isProduced = named.some((value) => value !== null)
    if (isProduced && (!producerId || !isWhole(epochText) || !isWhole(seqText))) return answer(400)
    if (bytes.length === 0 && !closes) return answer(400)
    const contentType = headers.get('content-type')
    if (!isCloseOnly) {
      if (contentType === null) return answer(400)
      if (stream.isClosed && !isProduced) return answer(409, headOf(stream))
      if (mediaType(contentType) !== mediaType(stream.contentType)) return answer(409)
    }
    const text = textOf(bytes, stream.isJson, false)
    if (text === false) return answer(400)
    const streamSeq = headers.get('stream-seq')
    const isLate = streamSeq !== null && streamSeq <= stream.lastStreamSeq

    let produced: Fields = {}
    if (isProduced && producerId !== null) {
      const [epoch, seq] = [Number(epochText), Number(seqText)]
      const state = stream.producers.get(producerId)
      if (state !== undefined && epoch < state.epoch) {
        return answer(403, { 'producer-epoch': String(state.epoch) })
      }
      if (state !== undefined && epoch === state.epoch && seq <= state.seq) {
        const told = { 'producer-epoch': String(state.epoch), 'producer-seq': String(state.seq) }
        return answer(204, { ...headOf(stream), ...told })
      }
      if (stream.isClosed) return answer(409, headOf(stream))
      if (state !== undefined && epoch > state.epoch && seq !== 0) return answer(400)
      const expected = state !== undefined && epoch === state.epoch ? state.seq + 1 : 0
      if (seq !== expected) {
        const told = {
          'producer-expected-seq': String(expected),
          'producer-received-seq': String(seq),
        }
        return answer(409, told)
      }
      if (isLate) return answer(409)
      stream.producers.set(producerId, { epoch, seq })
      produced = { 'producer-epoch': String(epoch), 'producer-seq': String(seq) }
    }
    if (stream.isClosed)
      return isCloseOnly ? answer(204, headOf(stream)) : answer(409, headOf(stream))
    if (isLate) return answer(409)
    await write(stream, text, closes)
    if (streamSeq !== null) stream.lastStreamSeq = streamSeq
    stream.usedAt = Date.now()
    return answer(isProduced && !isCloseOnly ? 200 : 204, { ...headOf(stream), ...produced })
  }

  /** The messages of a page, as one body. */
  const bodyOf = (stream: Stream, page: Page): Buffer<ArrayBuffer> => {
    const texts = page.events.flatMap((event) =>
      event.type === 'data' ? [String(event.value)] : [],
    )
    if (stream.isJson) return Buffer.from(`[${texts.join(',')}]`)
    return Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')))
  }
  const hasData = ({ events }: Page): boolean => events.some(({ type }) => type === 'data')

  /** Resolves at a hint, or after `ms`. */
  const change = async (
    stream: Stream,
    ms: number,
    signal: AbortSignal,
    look: () => Promise<boolean>,
  ): Promise<void> => {
    const watching = new AbortController()
    const hinted = new Promise<void>((resolve) => {
      void log
        .watch(stream.id, () => resolve(), watching.signal)
        .then(async () => {
          if (await look()) resolve()
        })
    })
    const either = AbortSignal.any([signal, watching.signal])
    await Promise.race([hinted, sleep(ms, undefined, { signal: either }).catch(() => {})])
    watching.abort()
  }

  const cursorAfter = (given: string | null): string => {
    const now = Math.floor(Date.now() / 20_000)
    return String(given !== null && Number(given) >= now ? Number(given) + 1 : now)
  }

  const sse = (stream: Stream, from: number, cursor: string, signal: AbortSignal): Response => {
    const encoder = new TextEncoder()
    let after = from
    let isFirst = true
    let isOver = false
    const isPlain = isText(stream.contentType)
    const next = async (): Promise<string> => {
      for (;;) {
        const page = (await log.read(stream.id, after, 64 * 1024)) as Page
        after = page.events.at(-1)?.seq ?? after
        const isDone = page.state !== 'running' && after === page.lastSeq
        if (page.events.length > 0 || isFirst || isDone) {
          isFirst = false
          isOver = isDone
          const payload = bodyOf(stream, page).toString(isPlain ? 'utf8' : 'base64')
          const lines = payload.split(/\r\n|\n|\r/).map((line) => `data:${line}\n`)
          const control = {
            streamNextOffset: offsetOf(after),
            ...(isDone ? { streamClosed: true } : { streamCursor: cursor }),
            ...(after === page.lastSeq && { upToDate: true }),
          }
          return [
            ...(hasData(page) ? ['event: data\n', ...lines, '\n'] : []),
            `event: control\ndata:${JSON.stringify(control)}\n\n`,
          ].join('')
        }
        if (signal.aborted) return ''
        await change(stream, 1_000, signal, async () => {
          const seen = await log.read(stream.id, after, 0)
          return seen !== undefined && seen.lastSeq > after
        })
      }
    }
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (isOver || signal.aborted) controller.close()
        else controller.enqueue(encoder.encode(await next()))
      },
    })
    const encoding: Fields = isPlain ? {} : { 'stream-sse-data-encoding': 'base64' }
    const fields = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...encoding }
    return answer(200, fields, body)
  }

  const get = async (request: Request, url: URL, stream: Stream): Promise<Response> => {
    const offsets = url.searchParams.getAll('offset')
    const [offset = '-1'] = offsets
    const live = url.searchParams.get('live')
    if (offsets.length > 1 || !/^(?:-1|now|\d{16})$/.test(offset)) return answer(400)
    if (live !== null && offsets.length === 0) return answer(400)
    stream.usedAt = Date.now()
    const isNow = offset === 'now'
    const after = isNow ? stream.lastSeq : Math.max(0, Number(offset))
    const cursor = cursorAfter(url.searchParams.get('cursor'))
    if (live === 'sse') return sse(stream, after, cursor, request.signal)

    let page = (await log.read(stream.id, after)) as Page
    if (live === 'long-poll') {
      const look = async (): Promise<boolean> => {
        page = (await log.read(stream.id, after)) as Page
        return page.events.length > 0 || page.state !== 'running'
      }
      if (!(await look())) {
        await change(stream, longPollMs, request.signal, look)
        await look()
      }
    }
    const isClosed = page.state !== 'running'
    const end = page.events.at(-1)?.seq ?? after
    const etag = `"${stream.id}:${after}:${end}${isClosed ? ':closed' : ''}"`
    const fields: Fields = {
      'content-type': stream.contentType,
      'stream-next-offset': offsetOf(end),
      'stream-up-to-date': 'true',
      'cache-control': isNow ? 'no-store' : 'no-cache',
      ...(isClosed && { 'stream-closed': 'true' }),
      ...(live === null ? !isNow && { etag } : { 'stream-cursor': cursor }),
    }
    if (live === 'long-poll' && !hasData(page)) return answer(204, fields)
    if (live === null && request.headers.get('if-none-match') === etag) return answer(304, { etag })
    return answer(200, fields, bodyOf(stream, page))
  }

  return async (request) => {
    const url = new URL(request.url)
    const { method } = request
    if (method === 'OPTIONS') return answer(204)
    if (method === 'PUT') return put(request, url.pathname)
    const stream = find(url.pathname)
    if (stream === undefined) return answer(404)
    switch (method) {
      case 'HEAD':
        return answer(200, { ...headOf(stream), 'cache-control': 'no-store' })
      case 'GET':
        return get(request, url, stream)
      case 'POST': {
        const done = stream.turn.then(() => post(request, stream))
        stream.turn = done.catch(() => {})
        return done
      }
      case 'DELETE':
        streams.delete(url.pathname)
        return answer(204)
      default:
        return answer(405)
    }
  }
}
