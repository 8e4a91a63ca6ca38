import { sleep } from '../protocol/clock.ts'
import { isErrorCode, SluiceError, streamError, type StreamError } from '../protocol/errors.ts'
import type { StreamState } from '../protocol/transport.ts'
import { BUDGET_MS, createBackoff, type Backoff, type BackoffOptions } from './backoff.ts'
import type { Fact } from './facts.ts'
import { openLink, type LinkEnd, type LinkKind, type LinkLimits, type LinkOptions } from './link.ts'
import { within } from './within.ts'

/** Limits of a stream's connections. */
export type ConnectionLimits = LinkLimits & BackoffOptions

/** What drives one request from its first connection to its end. */
export interface ConnectionOptions extends LinkOptions {
  readonly limits: ConnectionLimits
}

/**
 * Reads a stream until it has ended, over as many connections as it takes (protocol §9). A POST that starts a generation
 * is never repeated. Resolves once the state is over or the signal aborted; never rejects for a stream's failure.
 */
export async function connect(options: ConnectionOptions, kind: LinkKind): Promise<void> {
  const { clock, signal, state, learn, limits, request } = options
  const backoff = createBackoff(limits)
  let next = kind
  let askedAt = -1
  for (;;) {
    const before = state().sequence.last
    const end = await openLink(options, next)
    if (signal.aborted || end.type === 'over') return
    if (state().sequence.last > before) backoff.progress()
    const conclusion = await concludeAfter(options, next, end)
    if (signal.aborted) return
    if (conclusion !== undefined) return learn(conclusion)
    learn({ type: 'lost' })
    next = state().repair === 'resync' ? 'resync' : 'resume'
    const wait = backoff.next(clock.now())
    if (wait !== undefined) {
      await pause(options, Math.max(wait, retryAfterOf(end) ?? 0), backoff)
    } else {
      const known = await ask(options)
      if (signal.aborted) return
      if (!isKnown(known)) {
        const error = `The connection was lost and could not be made again. The answer may still be running on the server (${request.requestId}).`
        return learn(concluded('unknown', streamError('network', error)))
      }
      // The server has it, and it could not be read twice over: it is given up.
      const isFutile = askedAt === state().sequence.last
      if (isFutile || !known.replayable) return learn({ type: 'told', known })
      askedAt = state().sequence.last
      backoff.progress()
    }
    if (signal.aborted) return
  }
}

/** What the end of a connection means, where it is not to be opened anew. */
async function concludeAfter(
  options: ConnectionOptions,
  kind: LinkKind,
  end: LinkEnd,
): Promise<Fact | undefined> {
  const { transport, state, limits } = options
  if (end.type === 'refused') {
    return concluded(kind === 'start' ? 'failed' : 'interrupted', errorOf(end.error))
  }
  const canResume = transport.resume !== undefined
  if (kind === 'start' && state().sequence.last === 0) {
    // No answer came: the request may have arrived or not, and only the server can tell.
    const known = await ask(options)
    if (!isKnown(known)) return concluded('failed', unreachable(end))
    return known.replayable && canResume ? undefined : { type: 'told', known }
  }
  if (!canResume || (kind === 'start' && !state().replayable)) {
    return concluded('interrupted', lossOf(end))
  }
  // A server that wants to be left alone for longer than tries are made is not tried.
  const wait = retryAfterOf(end) ?? 0
  return wait > (limits.budgetMs ?? BUDGET_MS) ? concluded('interrupted', lossOf(end)) : undefined
}

/** What the server knows of the stream; `gone`: nothing. */
async function ask(options: ConnectionOptions): Promise<StreamState | 'gone' | 'unreachable'> {
  const { transport, request, clock, signal, onBytes } = options
  try {
    const known = await within({ clock, outside: signal }, async (limit) =>
      transport.state?.(request.requestId, { signal: limit, onActivity: onBytes }),
    )
    return known ?? 'unreachable'
  } catch (cause) {
    return cause instanceof SluiceError && cause.code === 'unknown-stream' ? 'gone' : 'unreachable'
  }
}

function isKnown(known: StreamState | 'gone' | 'unreachable'): known is StreamState {
  return typeof known === 'object'
}

/** Waits before the next try; cut short when the page comes back. An offline page waits until it is online. */
async function pause(options: ConnectionOptions, ms: number, backoff: Backoff): Promise<void> {
  const { clock, lifecycle, signal } = options
  const isOffline = !lifecycle.isOnline()
  const begun = clock.now()
  const back = new AbortController()
  const onOutside = (): void => back.abort()
  signal.addEventListener('abort', onOutside)
  const off = lifecycle.onReturn(() => {
    if (lifecycle.isOnline()) back.abort()
  })
  await sleep(clock, isOffline ? Infinity : ms, back.signal)
  off()
  signal.removeEventListener('abort', onOutside)
  if (isOffline) backoff.skip(clock.now() - begun)
}

function concluded(type: 'failed' | 'interrupted' | 'unknown', error: StreamError): Fact {
  return { type: 'concluded', conclusion: { type, error } }
}

function retryAfterOf(end: LinkEnd): number | undefined {
  return end.type === 'lost' && end.cause instanceof SluiceError
    ? end.cause.retryAfterMs
    : undefined
}

function lossOf(end: LinkEnd): StreamError {
  return end.type === 'lost' && end.cause instanceof SluiceError
    ? errorOf(end.cause)
    : streamError('network', 'The connection ended before the answer did.')
}

function unreachable(end: LinkEnd): StreamError {
  if (end.type === 'lost' && end.cause instanceof SluiceError) return errorOf(end.cause)
  if (end.type === 'lost' && end.cause === undefined) {
    // An answer came, and nothing was in it.
    return streamError('empty-response', 'The server sent an empty answer. Try again.')
  }
  const why = end.type === 'lost' && end.cause instanceof Error ? ` (${end.cause.message})` : ''
  return streamError(
    'network',
    `The server could not be reached${why}. Check the connection and try again.`,
  )
}

function errorOf({ code, message, retryAfterMs }: SluiceError): StreamError {
  // A transport throws codes of streams; a code of usage that strays in here is the caller's mistake, told as such.
  return streamError(isErrorCode(code) ? code : 'bad-request', message, { retryAfterMs })
}
