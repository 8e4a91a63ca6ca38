import { systemClock, type Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { EventBody, StreamEvent } from '../protocol/events.ts'
import type { Io, Model, Transport } from '../protocol/transport.ts'
import { disturbBody } from './fault-bytes.ts'
import { disturb, LostConnection, type Fault, type FaultType } from './faults.ts'

/**
 * Puts faults between a model, or a transport, and who uses it. A model that answers with a `Response` has them in its
 * bytes; `split-utf8` and `cut-event` are faults of bytes alone.
 *
 * @example
 * injectFaults(httpTransport({ url }), ['duplicate', { type: 'disconnect', after: 5 }])
 */
export function injectFaults<T extends Model | Transport>(
  target: T,
  faults: readonly (FaultType | Fault)[],
  { clock = systemClock }: { readonly clock?: Clock | undefined } = {},
): T {
  const all = faults.map((fault): Fault => (typeof fault === 'string' ? { type: fault } : fault))
  const faulty =
    typeof target === 'function'
      ? faultyModel(target, all, clock)
      : faultyTransport(target, all, clock)
  // It is used as what it was, and has all that the target has.
  return faulty as T
}

const onConnection = (faults: readonly Fault[], number: number): readonly Fault[] =>
  faults.filter(({ connection = 0 }) => connection === number)

function faultyModel(model: Model, faults: readonly Fault[], clock: Clock): Model {
  let calls = 0
  const faulty: Model = (request, io) => {
    const own = onConnection(faults, calls)
    calls += 1
    const answer = model(request, io)
    if (answer instanceof Promise) {
      return answer.then((response) => disturbBody(response, own, { clock, signal: io.signal }))
    }
    needsBytes(own)
    return untilLost(disturb(answer, own, { clock, signal: io.signal, modelError, timedOut }))
  }
  return Object.assign(faulty, model.format && { format: model.format })
}

/** A model of events that is lost just ends; that this is no end is for its reader to know. */
async function* untilLost(events: AsyncIterable<EventBody>): AsyncGenerator<EventBody, void> {
  try {
    yield* events
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error
  }
}

function faultyTransport(transport: Transport, faults: readonly Fault[], clock: Clock): Transport {
  needsBytes(faults)
  let connections = 0
  let restarted = false

  async function* carry(
    events: AsyncIterable<StreamEvent>,
    { signal }: Io,
  ): AsyncGenerator<StreamEvent, void> {
    const own = onConnection(faults, connections)
    connections += 1
    let last: StreamEvent | undefined
    const seen = async function* (): AsyncGenerator<StreamEvent, void> {
      for await (const event of events) yield (last = event)
    }
    const failed = (): StreamEvent => {
      if (last === undefined) throw new LostConnection()
      const { v, requestId, seq } = last
      return { v, requestId, seq, ...modelError() }
    }
    try {
      yield* disturb(seen(), own, { clock, signal, modelError: failed, timedOut })
    } catch (error) {
      restarted ||= error instanceof LostConnection && own.some(({ type }) => type === 'restart')
      throw error
    }
  }

  const whileKnown = <A extends unknown[], R>(call: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      if (restarted) throw new SluiceError('unknown-stream', 'The server has no such stream.')
      return call(...args)
    }
  }

  const { resume, state, cancel, act } = transport
  return {
    start: (request, io) => carry(transport.start(request, io), io),
    ...(resume && {
      resume: whileKnown((requestId, after, io) =>
        carry(resume.call(transport, requestId, after, io), io),
      ),
    }),
    ...(state && { state: whileKnown(state.bind(transport)) }),
    ...(cancel && { cancel: whileKnown(cancel.bind(transport)) }),
    ...(act && { act: whileKnown(act.bind(transport)) }),
  }
}

function modelError(): EventBody & { readonly type: 'error' } {
  const message = 'The model failed on purpose.'
  return { type: 'error', code: 'server', message, retryable: true }
}

function timedOut<E extends EventBody>(event: E): E | undefined {
  if (event.type !== 'tool_result') return undefined
  const { output: _output, ...rest } = event
  return { ...rest, state: 'unknown', error: 'The tool did not answer in time.' } as E
}

function needsBytes(faults: readonly Fault[]): void {
  const fault = faults.find(({ type }) => type === 'split-utf8' || type === 'cut-event')
  if (fault === undefined) return
  throw new SluiceError(
    'invalid-options',
    `${fault.type} is a fault of bytes: inject it into a model that answers with a Response.`,
  )
}
