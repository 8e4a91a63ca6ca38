import { SluiceError, type EventBody, type Model } from 'sluice/core'

/** A model that waits in mid-answer, so that no test depends on how fast a machine is. */
export interface HeldModel extends Model {
  /** Lets this answer and those after it go on. */
  release(): void
}

/** Holds `model` after its first `tokens` pieces of text, until it is released or stopped. */
export function heldModel(model: Model, tokens: number): HeldModel {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  async function* answer(...[request, io]: Parameters<Model>): AsyncGenerator<EventBody, void> {
    const aborted = new Promise<void>((resolve) => {
      io.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const events = model(request, io)
    if (events instanceof Promise) {
      throw new SluiceError('invalid-options', 'A held model needs one that answers with events.')
    }
    let count = 0
    for await (const event of events) {
      yield event
      if (event.type === 'text_delta') count += 1
      if (count === tokens) await Promise.race([released, aborted])
    }
  }
  return Object.assign(answer, { release: () => release() })
}
