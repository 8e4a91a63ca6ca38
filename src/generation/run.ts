import type { Clock } from '../protocol/clock.ts'
import { streamError, type ErrorCode } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { ChatMessage } from '../protocol/message.ts'
import type { StopOutcome, StreamRequest, Transport } from '../protocol/transport.ts'
import { connect, type ConnectionLimits } from './connection.ts'
import type { Fact } from './facts.ts'
import { deferred, report } from './guarded.ts'
import type { Lifecycle } from './lifecycle.ts'
import { reduce } from './reduce.ts'
import { isEnded, messageIn, type GenerationState } from './state.ts'
import { askToStop, type StopAnswer } from './stop.ts'
import type { Validity } from './stream-types.ts'

/** What a run needs. */
export interface RunOptions {
  readonly request: StreamRequest
  readonly transport: Transport
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly limits: ConnectionLimits
  /** What there is before the first step. */
  readonly state: GenerationState
  /** The application's look at a whole answer, where it wants one: asked for anew at each use. */
  validate(): ((message: ChatMessage) => Validity | Promise<Validity>) | undefined
  /** The state has changed. */
  onStep(run: Run, before: GenerationState, input: StreamEvent | Fact): void
  /** The stream is over, and all that can be known of it is known. Once for each `open`. */
  onOver(run: Run, message: ChatMessage): void
  onBytes(bytes: number): void
  pressure(run: Run): Promise<void> | undefined
}

/** One request and its answer, over as many connections as it takes. The only place where its state changes. */
export interface Run {
  readonly request: StreamRequest
  readonly state: GenerationState
  /** The server may know of the request: only then a new try needs a new id. */
  readonly hasArrived: boolean
  /** The stream was cut, and what follows can be asked for. */
  readonly canResume: boolean
  /** Resolves when the stream is over; never rejects. */
  readonly over: Promise<ChatMessage>
  learn(fact: Fact): void
  /** Begins to read; after a conclusion of the client's own, reads on. */
  open(kind: 'start' | 'resume'): void
  /** Gives the connection back, not the generation. */
  park(): void
  readonly isParked: boolean
  stop(): Promise<StopOutcome>
  /** Ends it here without a word to the application. */
  leave(): void
}

/** Creates a run, which does nothing before `open`. */
export function createRun(options: RunOptions): Run {
  const { request, transport, clock, limits } = options
  let { state } = options
  let over = deferred<ChatMessage>()
  let connection = new AbortController()
  let stopping: Promise<StopOutcome> | undefined
  let validating: Promise<void> | undefined
  let isOver = false
  let isParked = false

  function step(input: StreamEvent | Fact): void {
    const before = state
    state = reduce(before, input, clock.now(), options.validate() !== undefined)
    if (state !== before) options.onStep(run, before, input)
  }

  async function read(kind: 'start' | 'resume'): Promise<void> {
    await connect(
      {
        transport,
        request,
        clock,
        limits,
        lifecycle: options.lifecycle,
        signal: connection.signal,
        state: () => state,
        deliver: step,
        learn: step,
        onBytes: options.onBytes,
        pressure: () => options.pressure(run),
      },
      kind,
    )
    await finish()
  }

  async function finish(): Promise<void> {
    if (state.validation === 'pending') await (validating ??= validate())
    // A connection that was given back ends nothing; a Stop ends it once its answer is known.
    if (isOver || !isEnded(state) || state.stop === 'requested') return
    isOver = true
    const message = messageIn(state) as ChatMessage
    over.resolve(message)
    options.onOver(run, message)
  }

  async function validate(): Promise<void> {
    const message = messageIn({ ...state, conclusion: undefined, validation: 'passed' })
    let verdict: Validity | undefined
    try {
      verdict = message && (await options.validate()?.(message))
    } catch (cause) {
      report(cause)
      verdict = 'The answer could not be checked.'
    }
    step({ type: 'validated', ...(typeof verdict === 'string' && { problem: verdict }) })
  }

  async function stop(): Promise<StopOutcome> {
    const { outcome, tail } = await stopAnswer()
    step({ type: 'stop_answered', outcome, tail })
    void finish()
    return outcome
  }

  async function stopAnswer(): Promise<StopAnswer> {
    const { end } = state.fold
    // The whole answer is here and waits to be validated: there is nothing to be stopped any more.
    if (end !== undefined) return { outcome: outcomeOf(state), tail: [] }
    const { last } = state.sequence
    return askToStop({ transport, requestId: request.requestId, after: last, clock, limits })
  }

  const run: Run = {
    request,
    get state() {
      return state
    },
    get hasArrived() {
      return state.sequence.last > 0 || state.conclusion?.type !== 'failed'
    },
    get canResume() {
      const { conclusion } = state
      if (conclusion?.type === 'unknown') return transport.resume !== undefined
      if (conclusion?.type !== 'interrupted') return false
      return transport.resume !== undefined && !GONE.has(conclusion.error.code)
    },
    get over() {
      return over.promise
    },
    learn: step,
    open(kind) {
      if (isOver) {
        over = deferred()
        isOver = false
      }
      if (kind === 'resume') step({ type: 'lost' })
      isParked = false
      connection = new AbortController()
      void read(kind)
    },
    park() {
      isParked = true
      connection.abort()
    },
    get isParked() {
      return isParked
    },
    stop() {
      if (stopping !== undefined) return stopping
      // One that was asked in a page that is gone has no answer yet.
      if (isEnded(state) && state.stop !== 'requested') return Promise.resolve(outcomeOf(state))
      // The own connection goes first: six open HTTP/1.1 streams would block the call that stops one of them.
      connection.abort()
      step({ type: 'stopped' })
      stopping = stop()
      return stopping
    },
    leave() {
      if (isOver) return
      isOver = true
      const error = streamError('network', 'The page let go of this answer before it ended.')
      step({ type: 'concluded', conclusion: { type: 'interrupted', error } })
      connection.abort()
      over.resolve(messageIn(state) as ChatMessage)
    },
  }
  return run
}

/** The server has said that the rest can't be had any more. */
const GONE: ReadonlySet<ErrorCode> = new Set(['unknown-stream', 'replay-expired'])

/** What is known without asking. */
function outcomeOf({ fold: { end } }: GenerationState): StopOutcome {
  const actions = end?.actions ?? []
  if (end?.type === 'done') return { state: 'completed', actions }
  return { state: end?.type === 'cancelled' ? 'cancelled' : 'unknown', actions }
}
