import { SluiceError } from '../protocol/errors.ts'

/** How much one stream may make its reader hold, in UTF-16 units. Beyond it the stream ends as `limit-exceeded`. */
export interface ReadLimits {
  /** Longest line. An image frame takes megabytes on one line. Default: 16 Mi. */
  readonly line?: number | undefined
  /** Longest record: the data lines of one SSE event, or one JSON document. Default: 16 Mi. */
  readonly event?: number | undefined
  /** All that waits for the rest of a record. Default: 24 Mi. */
  readonly buffer?: number | undefined
}

/** {@link ReadLimits} with every default filled in. */
export type Limits = { readonly [K in keyof ReadLimits]-?: number }

const MEBI = 1024 * 1024

/** Fills in the defaults. */
export function limitsOf(limits: ReadLimits | undefined): Limits {
  return {
    line: limits?.line ?? 16 * MEBI,
    event: limits?.event ?? 16 * MEBI,
    buffer: limits?.buffer ?? 24 * MEBI,
  }
}

/** What a decoder throws when a limit is passed; it must be reset before it is used again. */
export function overLimit(what: string, limit: number): SluiceError {
  return new SluiceError(
    'limit-exceeded',
    `The stream sent a ${what} longer than ${limit} characters.`,
  )
}
