import type { EventBody, StreamEvent } from './events.ts'

type TextDelta = StreamEvent & { readonly type: 'text_delta' | 'reasoning_delta' | 'refusal_delta' }

/** Whether an event is a piece of text: the only kind that may be merged with a neighbour (protocol §8). */
export function isTextDelta<E extends EventBody>(
  event: E,
): event is E & { readonly type: 'text_delta' | 'reasoning_delta' | 'refusal_delta' } {
  return (
    event.type === 'text_delta' ||
    event.type === 'reasoning_delta' ||
    event.type === 'refusal_delta'
  )
}

/** Merges two neighbours of one part into one event that stands for both; `undefined` where that may not be done. */
export function mergeEvents(first: StreamEvent, second: StreamEvent): StreamEvent | undefined {
  if (!isTextDelta(first) || !isTextDelta(second) || !areNeighbours(first, second)) return undefined
  return merged(first, second, first.text + second.text)
}

/** Merges neighbouring pieces of text. Nothing else is merged, reordered or dropped. */
export function coalesce(events: readonly StreamEvent[]): StreamEvent[] {
  const result: StreamEvent[] = []
  // A run of neighbours is joined once, so that a long answer costs its length and not its square.
  let run: TextDelta[] = []
  const flush = (): void => {
    const [first] = run
    const last = run.at(-1)
    if (first === undefined || last === undefined) return
    result.push(run.length === 1 ? first : merged(first, last, run.map(textOf).join('')))
    run = []
  }
  for (const event of events) {
    const last = run.at(-1)
    const isText = isTextDelta(event)
    if (last !== undefined && !(isText && areNeighbours(last, event))) flush()
    if (isText) run.push(event)
    else result.push(event)
  }
  flush()
  return result
}

function areNeighbours(first: TextDelta, second: TextDelta): boolean {
  return (
    first.type === second.type &&
    first.part === second.part &&
    first.requestId === second.requestId &&
    (second.from ?? second.seq) === first.seq + 1 &&
    first.meta === undefined &&
    second.meta === undefined
  )
}

function merged(first: TextDelta, last: TextDelta, text: string): StreamEvent {
  return { ...last, from: first.from ?? first.seq, text }
}

function textOf(event: TextDelta): string {
  return event.text
}
