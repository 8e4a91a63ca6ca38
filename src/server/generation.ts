import type { Clock } from '../protocol/clock.ts'
import { streamError, SluiceError, type ErrorCode, type StreamError } from '../protocol/errors.ts'
import {
  isTerminal,
  type CancelledEvent,
  type EventBody,
  type StartEvent,
  type StreamEvent,
  type TerminalEvent,
} from '../protocol/events.ts'
import type { Model, ModelRequest } from '../protocol/transport.ts'
import { createSteps } from './steps.ts'
import { createTally, type Tally } from './tally.ts'
import type { Toolbox } from './toolbox.ts'

/** What one generation is made of. */
export interface GenerationOptions {
  readonly model: Model
  readonly request: ModelRequest
  readonly requestId: string
  /** Of the request that asks for the answer. */
  readonly headers: Headers
  readonly start: StartEvent
  readonly toolbox: Toolbox
  readonly clock: Clock
  /** What a model threw; the client is told in general words only. */
  readonly onError: (error: unknown) => void
}

/** One run of a model, as events of the protocol. */
export interface Generation {
  /**
   * The events from `start` to exactly one terminal event. The model is called after `start` has been taken, and asked
   * for its next event only when the one before was taken.
   */
  readonly events: AsyncIterable<StreamEvent>
  /** Stops the model. The terminal event follows once its loop has really ended, and says what happened. */
  stop(by: CancelledEvent['by']): void
  readonly tally: Tally
}

/** Calls a model and gives what it says its envelopes and its end (protocol §3, §5). */
export function createGeneration(options: GenerationOptions): Generation {
  const { requestId, start, clock } = options
  // Of the run alone: a request's signal ends its delivery, never the generation.
  const controller = new AbortController()
  const tally = createTally()
  const steps = createSteps(options)
  let stoppedBy: CancelledEvent['by'] | undefined
  let seq = 0

  const seal = (body: EventBody): StreamEvent => {
    seq += 1
    const event = { v: 1, requestId, seq, at: Math.round(clock.now()), ...body } as const
    tally.add(event)
    return event
  }

  const end = (said: TerminalEvent): TerminalEvent => {
    const actions = steps.actions(tally.actions())
    // A model that is stopped ends in any way it likes; that it was stopped is known from the signal alone.
    const terminal: TerminalEvent =
      stoppedBy === undefined || said.type === 'done'
        ? said
        : {
            type: 'cancelled',
            by: stoppedBy,
            outputTokens:
              (said.type === 'cancelled' ? said.outputTokens : undefined) ?? tally.outputTokens(),
          }
    return actions.length === 0 ? terminal : { ...terminal, actions }
  }

  async function* run(): AsyncGenerator<StreamEvent, void> {
    yield seal(start)
    let said: TerminalEvent = { type: 'interrupted', sentinel: false }
    try {
      if (!controller.signal.aborted) {
        for await (const body of steps.run(controller.signal)) {
          if (isTerminal(body)) {
            said = body
            break
          }
          if (body.type !== 'start') yield seal(body)
          // The stream has begun long since; of the model's own beginning its name is news.
          else if (body.model !== undefined) {
            yield seal({ type: 'metadata', value: { model: body.model } })
          }
        }
      }
    } catch (error) {
      if (!controller.signal.aborted) {
        options.onError(error)
        said = { type: 'error', ...failureOf(error) }
      }
    }
    yield seal(end(said))
  }

  return {
    events: run(),
    stop: (by) => {
      if (controller.signal.aborted) return
      stoppedBy = by
      controller.abort()
    },
    tally,
  }
}

const USAGE_ERRORS: ReadonlySet<string> = new Set([
  'invalid-options',
  'disposed',
  'no-dom',
  'missing-key',
  'busy',
])

/** What may be told of what a model threw: its words may hold keys, paths or addresses. */
function failureOf(error: unknown): StreamError {
  if (error instanceof SluiceError) {
    if (error.code === 'missing-key') return streamError('auth', error.message)
    if (!USAGE_ERRORS.has(error.code)) return streamError(error.code as ErrorCode, error.message)
  }
  return streamError('server', 'The model failed. The server’s log says why.')
}
