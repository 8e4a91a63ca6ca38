import type { ActionEnd } from '../actions/action-log.ts'
import type { ToolResultEvent } from '../protocol/events.ts'

/** How an action ended, as an event. */
export function resultEvent(toolCallId: string, end: ActionEnd): ToolResultEvent {
  const result = { type: 'tool_result', toolCallId, trusted: false } as const
  switch (end.state) {
    case 'succeeded':
      return { ...result, state: end.state, output: end.output }
    case 'failed':
    case 'unknown':
      return { ...result, state: end.state, error: end.error }
    case 'denied':
      return {
        ...result,
        state: end.state,
        error: end.error,
        ...(end.gate !== undefined && { gate: end.gate }),
      }
    case 'withdrawn':
      return { ...result, state: 'denied', error: 'It was stopped before it began.' }
  }
}

/** Gives the values in the order in which they come. */
export async function* asCompleted<T>(work: readonly Promise<T>[]): AsyncGenerator<T, void> {
  const open = new Map(work.map((each, place) => [place, each.then((value) => ({ place, value }))]))
  while (open.size > 0) {
    const { place, value } = await Promise.race(open.values())
    open.delete(place)
    yield value
  }
}
