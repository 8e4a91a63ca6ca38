import { SluiceError } from '../protocol/errors.ts'
import type { EventBody, StreamEvent } from '../protocol/events.ts'
import type { Model, ModelRequest } from '../protocol/transport.ts'
import { readModelStream } from '../transport/read-model-stream.ts'

/** Calls a model once, and reads what it answers: events of its own, or a vendor's response. */
export async function* callModel(
  model: Model,
  request: ModelRequest,
  io: { readonly signal: AbortSignal; readonly requestId: string },
): AsyncGenerator<EventBody, void> {
  const answer = model(request, io)
  if (answer instanceof Promise) {
    const response = await answer.catch(unreachable)
    const { signal } = io
    const events = readModelStream(response, { format: model.format ?? 'auto', signal })
    for await (const event of events) yield bodyOf(event)
  } else {
    for await (const body of answer) yield bodyOf(body)
  }
}

function unreachable(cause: unknown): never {
  if (cause instanceof SluiceError) throw cause
  throw new SluiceError('gateway', 'The model could not be reached.', { cause })
}

/** Leaves out an envelope that somebody else has given: this process numbers its own stream. */
function bodyOf(event: EventBody | StreamEvent): EventBody {
  if (!('seq' in event)) return event
  const { v: _v, requestId: _requestId, seq: _seq, from: _from, at: _at, ...body } = event
  return body
}
