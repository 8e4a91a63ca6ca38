import type { ActionLog } from '../actions/action-log.ts'
import { memoryActionLog } from '../actions/memory-action-log.ts'
import type { Tools } from '../actions/tool.ts'
import { assertNever } from '../protocol/assert.ts'
import { systemClock, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { Model, StreamState } from '../protocol/transport.ts'
import { act } from './act.ts'
import { corsHeaders, type CorsOptions } from './cors.ts'
import type { EventLog } from './event-log.ts'
import { bodyOf, encodingFor } from './framing.ts'
import { loggedRuns } from './logged-runs.ts'
import { passThroughRuns } from './pass-through-runs.ts'
import { badRequestId, readCall, readJsonObject, type Body } from './read-body.ts'
import { empty, json, refuse, streamHeaders } from './respond.ts'
import { cursorOf, routeOf, type Route } from './route.ts'
import { unknownStream, type Opened, type Refusal, type Runs } from './runs.ts'
import { createToolbox, trueActions } from './toolbox.ts'

/** What somebody is about to do with a stream; given to {@link StreamHandlerOptions.authorize}. */
export interface Access {
  readonly action: 'start' | 'read' | 'state' | 'cancel' | 'act'
  readonly requestId: string
}

/** Bounds of a handler. */
export interface HandlerLimits {
  /** Most bytes of a request's body. Default: 4 MiB. */
  readonly bodyBytes?: number | undefined
  /** Most streams that live in their connection at a time; a log has its own bound. Default: 10,000. */
  readonly runs?: number | undefined
}

/** Options of {@link createStreamHandler}. */
export interface StreamHandlerOptions {
  /** The model that answers. */
  readonly model: Model
  /** The path of the handler. Default: `/api/chat`. */
  readonly base?: string | undefined
  /**
   * Where streams are kept, so that they outlive a connection: `memoryEventLog()` and its kin. Default: none; then a
   * stream lives in its connection, the reader's pace is the model's, and a closed connection stops it.
   */
  readonly log?: EventLog | undefined
  /**
   * What the model may ask for, by name. Absent: the model's calls are the client's own affair; it runs them and posts
   * their results.
   */
  readonly tools?: Tools | undefined
  /** Where actions are kept, so that none runs twice. Default: `memoryActionLog()`, for one process. */
  readonly actions?: ActionLog | undefined
  /**
   * Most model calls of one stream. One that still wants to go on after them ends as `done`, `paused`, with
   * `max-steps` as its raw reason, and can be continued. Default: 8.
   */
  readonly maxSteps?: number | undefined
  /**
   * Whether a run goes on to its end without any reader; else it is stopped after `graceMs`. Default: only where other
   * processes share the log, whose readers this one can't see.
   */
  readonly detach?: boolean | undefined
  /** How long a run in a log goes on without any reader, in milliseconds. Default: 30,000. */
  readonly graceMs?: number | undefined
  /**
   * How long the process that writes a run may be silent, in milliseconds, before another one ends the run as
   * interrupted. Of use with a log that processes share; longer than any pause the runtime makes. Default: 15,000.
   */
  readonly leaseMs?: number | undefined
  /**
   * Asked at every call, with the stream's id. `false` answers 404, so that ids can't be probed; a `Response` is sent
   * as it is. To go on from an earlier stream is to act on it, and asked for too. Default: everybody may do everything
   * with the ids that they know.
   */
  readonly authorize?:
    | ((request: Request, access: Access) => boolean | Response | Promise<boolean | Response>)
    | undefined
  /** Which other origins may call. Default: none. */
  readonly cors?: CorsOptions | undefined
  readonly limits?: HandlerLimits | undefined
  /** Sees every event of every run once, in order. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined
  /** Is told what a model, a tool, a log or `authorize` threw; clients are not. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly clock?: Clock | undefined
}

/** Answers requests of the protocol's HTTP form (protocol §5). Never rejects. */
export type StreamHandler = (
  request: Request,
  context?: { readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined },
) => Promise<Response>

const HEARTBEAT_MS = 5_000
const CANCEL_WAIT_MS = 5_000

/**
 * Makes the server half: web-standard `Request → Response`, for any runtime that has them.
 *
 * @example
 * const handler = createStreamHandler({ model: scriptedModel({ text: 'Hello' }), log: memoryEventLog() })
 */
export function createStreamHandler(options: StreamHandlerOptions): StreamHandler {
  const { model, log, authorize, cors, limits, clock = systemClock } = options
  if (typeof model !== 'function') {
    throw new SluiceError(
      'invalid-options',
      'createStreamHandler needs a model: { model: scriptedModel({ … }) }.',
    )
  }
  const base = (options.base ?? '/api/chat').replace(/\/+$/, '')
  const bodyBytes = limits?.bodyBytes ?? 4 * 1024 * 1024
  const onError = options.onError ?? ((error: unknown) => console.error(error))
  const toolbox = createToolbox({
    tools: options.tools,
    log: options.actions ?? memoryActionLog({ clock }),
    maxSteps: options.maxSteps ?? 8,
    clock,
    onError,
  })
  const shared = {
    model,
    toolbox,
    clock,
    heartbeatMs: HEARTBEAT_MS,
    cancelWaitMs: CANCEL_WAIT_MS,
    onEvent: options.onEvent ?? (() => {}),
    onError,
  }
  const passThrough = passThroughRuns({ ...shared, maxRuns: limits?.runs ?? 10_000 })
  const detach = options.detach ?? log?.pollMs !== undefined
  const graceMs = detach ? Infinity : (options.graceMs ?? 30_000)
  const { leaseMs = 15_000 } = options
  const kept: Runs =
    log === undefined ? passThrough : loggedRuns({ ...shared, log, graceMs, leaseMs })

  type Context = Parameters<StreamHandler>[1]

  const deliver = async (
    request: Request,
    requestId: string,
    context: Context,
    open: (signal: AbortSignal) => Promise<Opened>,
  ): Promise<Response> => {
    const delivery = new AbortController()
    const leave = (): void => delivery.abort()
    const opened = await open(delivery.signal)
    if (opened.type === 'refused') return refuse(opened.refusal)
    if (opened.type === 'nothing-left') return empty(204)
    if (opened.ended !== undefined) context?.waitUntil?.(opened.ended)
    request.signal.addEventListener('abort', leave)
    // This also keeps the request, and with it its signal, from being collected while it matters.
    delivery.signal.addEventListener('abort', () =>
      request.signal.removeEventListener('abort', leave),
    )
    if (request.signal.aborted) leave()
    const encoding = encodingFor(request.headers.get('accept'))
    return new Response(bodyOf(opened.batches, encoding, delivery), {
      headers: streamHeaders(requestId, encoding.contentType),
    })
  }

  /** `undefined`: go on. */
  const check = async (request: Request, access: Access): Promise<Response | undefined> => {
    const verdict = authorize === undefined || (await authorize(request, access))
    if (verdict === true) return undefined
    return verdict === false ? refuse(unknownStream) : verdict
  }

  /** Reads a body that only a caller who was asked by the browser, or is no browser, can have sent. */
  const readPosted = async (request: Request): Promise<Body> => {
    // A form or a plain text can be posted from any page without the browser's asking first.
    const isJson = request.headers.get('content-type')?.startsWith('application/json') === true
    return isJson ? readJsonObject(request, bodyBytes) : { type: 'refused', refusal: notJson }
  }

  const start = async (request: Request, context: Context): Promise<Response> => {
    const body = await readPosted(request)
    if (body.type === 'refused') return refuse(body.refusal)
    const read = await readCall(body.value, request.headers)
    if (read.type === 'refused') return refuse(read.refusal)
    const { requestId } = read.call
    const { continues } = read.call.request
    const runs = read.resumable ? kept : passThrough
    const refusal =
      (await check(request, { action: 'start', requestId })) ??
      (continues === undefined
        ? undefined
        : await check(request, { action: 'act', requestId: continues }))
    return (
      refusal ?? deliver(request, requestId, context, (signal) => runs.start(read.call, signal))
    )
  }

  /** A tool may say what it did after its stream has ended, and a person may have undone it. */
  const withActions = async (requestId: string, state: StreamState): Promise<StreamState> => {
    if (state.actions.length === 0) return state
    const records = await toolbox.log.read(requestId)
    return { ...state, actions: trueActions(state.actions, records, toolbox.tools) }
  }

  const serve = async (
    request: Request,
    url: URL,
    route: Extract<Route, { readonly requestId: string }>,
    context: Context,
  ): Promise<Response> => {
    const { type: action, requestId } = route
    const refusal = await check(request, { action, requestId })
    if (refusal !== undefined) return refusal
    switch (route.type) {
      case 'read': {
        const after = cursorOf(request, url, requestId)
        if (after === undefined) return refuse(unknownStream)
        return deliver(request, requestId, context, (signal) =>
          kept.follow(requestId, after, signal),
        )
      }
      case 'state': {
        const state = await kept.state(requestId)
        return state === undefined
          ? refuse(unknownStream)
          : json(await withActions(requestId, state))
      }
      case 'cancel': {
        const state = await kept.cancel(requestId, request.signal)
        return state === undefined
          ? refuse(unknownStream)
          : json(await withActions(requestId, state), state.state === 'running' ? 202 : 200)
      }
      case 'act': {
        const body = await readPosted(request)
        if (body.type === 'refused') return refuse(body.refusal)
        const { toolCallId } = route
        const { headers } = request
        return act({ requestId, toolCallId, body: body.value, headers }, toolbox, clock)
      }
      default:
        return assertNever(route)
    }
  }

  const answer = (request: Request, context: Context): Promise<Response> | Response => {
    const url = new URL(request.url)
    const route = routeOf(request.method, url.pathname, base)
    switch (route.type) {
      case 'start':
        return start(request, context)
      case 'preflight':
        return empty(204)
      case 'bad-id':
        return refuse(badRequestId)
      case 'bad-method':
        return refuse({ ...badMethod, headers: { allow: route.allow } })
      case 'elsewhere':
        return refuse({
          ...nothingHere,
          message: `Nothing is served here; this handler is at ${base}.`,
        })
      default:
        return serve(request, url, route, context)
    }
  }

  return async (request, context) => {
    let response: Response
    try {
      response = await answer(request, context)
    } catch (error) {
      onError(error)
      response = refuse(failed)
    }
    return cors === undefined ? response : withHeaders(response, corsHeaders(request, cors))
  }
}

/** A copy, since the headers of a response may be immutable. */
function withHeaders(response: Response, more: Readonly<Record<string, string>>): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}

const notJson: Refusal = {
  status: 415,
  code: 'bad-request',
  message: 'Send JSON, with content-type: application/json.',
}

const badMethod: Refusal = {
  status: 405,
  code: 'bad-request',
  message: 'This path does not take that method; the Allow header says which it takes.',
}

const nothingHere: Refusal = { status: 404, code: 'not-found', message: '' }

const failed: Refusal = {
  status: 500,
  code: 'server',
  message: 'The server failed. Its own log says why; try again.',
}
