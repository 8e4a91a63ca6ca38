import type { Clock } from '../protocol/clock.ts'
import { isDecision, SluiceError } from '../protocol/errors.ts'
import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import type { Io, StreamRequest, Transport } from '../protocol/transport.ts'
import type { Fact } from './facts.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { GenerationState } from './state.ts'
import { watch } from './watchdog.ts'

/** Limits of one connection, in milliseconds. */
export interface LinkLimits {
  /**
   * Silence after which a connection without a promised heartbeat is given up; with one it is 2.5 heartbeats.
   * `Infinity`: never. Default 300,000.
   */
  readonly deadMs?: number | undefined
  /** Time without content after which the answer is told as stalled. `Infinity`: never. Default 10,000. */
  readonly stallMs?: number | undefined
  /** How long an event may be missing before the connection is made anew. Default 2,000. */
  readonly gapMs?: number | undefined
}

/** What one connection needs. */
export interface LinkOptions {
  readonly transport: Transport
  readonly request: StreamRequest
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly limits: LinkLimits
  /** Ends the connection from outside. */
  readonly signal: AbortSignal
  state(): GenerationState
  deliver(event: StreamEvent): void
  learn(fact: Fact): void
  onBytes(bytes: number): void
  /** Waits while more has arrived than is drawn; `undefined` where there is room. */
  pressure(): Promise<void> | undefined
}

/** What a connection asks for: a new answer, what follows the last event, or everything. */
export type LinkKind = 'start' | 'resume' | 'resync'

/** How one connection ended. `refused`: the server's own decision, not a loss. */
export type LinkEnd =
  | { readonly type: 'over' }
  | { readonly type: 'lost'; readonly cause?: unknown }
  | { readonly type: 'refused'; readonly error: SluiceError }

/** Heartbeats that may be missed, and half of one. */
const HEARTBEATS = 2.5

/**
 * Opens one connection and reads it to its end. It is given up when it is silent for too long, when an event stays
 * missing, and when the page was frozen: such a reader never delivers again and gives no error.
 */
export function openLink(options: LinkOptions, kind: LinkKind): Promise<LinkEnd> {
  const { transport, request, clock, limits, lifecycle, state, learn } = options
  const link = new AbortController()
  const deadMs = (): number => {
    const { heartbeatMs } = state()
    return heartbeatMs > 0 ? heartbeatMs * HEARTBEATS : (limits.deadMs ?? 300_000)
  }
  const watchdog = watch({
    clock,
    deadMs: deadMs(),
    stallMs: limits.stallMs ?? 10_000,
    onDead: () =>
      link.abort(
        new SluiceError('stalled', 'Nothing came any more, so the connection was closed.'),
      ),
    onStall: () => learn({ type: 'stalled' }),
  })
  const io: Io = {
    signal: link.signal,
    onActivity(bytes) {
      if (link.signal.aborted) return
      watchdog.bytes()
      options.onBytes(bytes)
      learn({ type: 'opened' })
    },
  }
  const before = state().sequence.last
  let aside: StreamEvent[] | undefined = kind === 'resync' ? [] : undefined
  let gapTimer: unknown

  const take = (event: StreamEvent): 'over' | 'lost' | undefined => {
    watchdog.content()
    if (aside === undefined) {
      options.deliver(event)
    } else {
      aside.push(event)
      if (event.seq < before && !isTerminal(event)) return undefined
      const events = aside
      aside = undefined
      learn({ type: 'resynced', events })
    }
    if (event.type === 'start') watchdog.expect(deadMs())
    const { repair, fold, conclusion } = state()
    if (fold.end !== undefined || conclusion !== undefined) return 'over'
    if (repair === 'reconnect' || repair === 'resync') return 'lost'
    if (repair === 'wait') {
      gapTimer ??= clock.setTimeout(onMissed, limits.gapMs ?? 2000)
    } else if (gapTimer !== undefined) {
      clock.clearTimeout(gapTimer)
      gapTimer = undefined
    }
    return undefined
  }
  const onMissed = (): void => {
    learn({ type: 'missed' })
    link.abort()
  }

  return new Promise((resolve) => {
    const offReturn = lifecycle.onReturn((cause) => {
      // Without a replay the frozen reader is all there is: its silence is left to the watchdog.
      if (cause === 'frozen' && (kind !== 'start' || state().replayable)) link.abort()
      else watchdog.check()
    })
    const onOutside = (): void => link.abort()
    const end = (how: LinkEnd): void => {
      watchdog.stop()
      clock.clearTimeout(gapTimer)
      offReturn()
      options.signal.removeEventListener('abort', onOutside)
      link.signal.removeEventListener('abort', onAbort)
      link.abort()
      resolve(how)
    }
    // Not awaiting the reader: a frozen one never settles. What it might still bring is not taken any more.
    const onAbort = (): void => end({ type: 'lost', cause: link.signal.reason })

    const read = async (): Promise<void> => {
      try {
        const after = kind === 'resync' ? 0 : before
        const events =
          kind === 'start'
            ? transport.start(request, io)
            : transport.resume?.(request.requestId, after, io)
        for await (const event of events ?? []) {
          if (link.signal.aborted) return
          const type = take(event)
          // Before the iterator is closed: that may take its time, or never settle.
          if (type !== undefined) return end({ type })
          const wait = options.pressure()
          if (wait !== undefined) await wait
          if (link.signal.aborted) return
        }
        end({ type: 'lost' })
      } catch (cause) {
        end(isDecision(cause) ? { type: 'refused', error: cause } : { type: 'lost', cause })
      }
    }
    options.signal.addEventListener('abort', onOutside)
    link.signal.addEventListener('abort', onAbort)
    if (options.signal.aborted) link.abort()
    else void read()
  })
}
