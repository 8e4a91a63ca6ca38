import { sleep, type Clock } from '../protocol/clock.ts'
import { isDecision } from '../protocol/errors.ts'
import { isTerminal, type StreamEvent } from '../protocol/events.ts'
import type { Io, StopOutcome, Transport } from '../protocol/transport.ts'
import { createBackoff, type BackoffOptions } from './backoff.ts'
import { within } from './within.ts'

/** What became of a stream that was stopped. */
export interface StopAnswer {
  readonly outcome: StopOutcome
  /** What the model had said after `after`, where it was done before the Stop came. */
  readonly tail?: readonly StreamEvent[] | undefined
}

/** Asks the server to stop, until it says what really happened (protocol §5, "Stop"). Never rejects. */
export async function askToStop(options: {
  readonly transport: Transport
  readonly requestId: string
  /** The last seq applied. */
  readonly after: number
  readonly clock: Clock
  readonly limits: BackoffOptions
}): Promise<StopAnswer> {
  const { transport, requestId, after, clock, limits } = options
  const unknown: StopAnswer = { outcome: { state: 'unknown', actions: [] } }
  const backoff = createBackoff(limits)
  for (;;) {
    const wait = backoff.next(clock.now())
    if (wait === undefined) return unknown
    await sleep(clock, wait)
    try {
      const answer = await within({ clock }, (signal) =>
        stop(transport, requestId, after, { signal, onActivity: () => {} }),
      )
      return answer ?? unknown
    } catch (cause) {
      if (isDecision(cause)) return unknown
    }
  }
}

async function stop(
  transport: Transport,
  requestId: string,
  after: number,
  io: Io,
): Promise<StopAnswer | undefined> {
  const outcome = await transport.cancel?.(requestId, io)
  if (outcome === undefined) return undefined
  if (outcome.state !== 'completed' || transport.resume === undefined) return { outcome }
  const tail: StreamEvent[] = []
  for await (const event of transport.resume(requestId, after, io)) {
    tail.push(event)
    if (isTerminal(event)) break
  }
  return { outcome, tail }
}
