import type { EventBody, StreamEvent } from 'sluice/core'

/** The request that made-up streams answer. */
export const REQUEST = 'request-of-the-test-0001'

/** Numbers events on from `first`. */
export function numbered(
  bodies: readonly EventBody[],
  requestId: string = REQUEST,
  first = 1,
): StreamEvent[] {
  return bodies.map((body, place) => ({ v: 1, requestId, seq: first + place, ...body }))
}
