/** Every way in which a stream, a request or a call of this package can fail: one closed list (protocol §2). */
export const ERROR_CODES = [
  'network',
  'gateway',
  'auth',
  'permission',
  'not-found',
  'bad-request',
  'context-length',
  'too-large',
  'conflict',
  'rate-limit',
  'quota',
  'overloaded',
  'timeout',
  'server',
  'content-filter',
  'vendor',
  'empty-response',
  'not-a-stream',
  'malformed-record',
  'invalid-tool-arguments',
  'invalid-output',
  'unsupported-version',
  'unknown-stream',
  'replay-expired',
  'stalled',
  'limit-exceeded',
  'bad-request-id',
] as const

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Whether a word is a code that a stream may fail with. */
export function isErrorCode(word: unknown): word is ErrorCode {
  return (ERROR_CODES as readonly unknown[]).includes(word)
}

/** A stream's failure as data: stored on the message, survives JSON. */
export interface StreamError {
  code: ErrorCode
  /** What happened, in words that may be shown. Never HTML, never a key. */
  message: string
  /** Whether asking again with the same input may succeed. */
  retryable: boolean
  /** How long to wait before asking again, in milliseconds, where the server said so. */
  retryAfterMs?: number
  /** The HTTP status, or the status that an in-stream error stands for. */
  status?: number
}

/**
 * Codes that are never put on a message: a mistake in calling code, thrown at once, and `storage`, told where something could
 * not be kept or read.
 */
export type UsageErrorCode =
  | 'invalid-options'
  | 'disposed'
  | 'no-dom'
  | 'missing-key'
  | 'busy'
  | 'storage'

/**
 * The one error class. `code` tells what failed, `message` what happened and what to do.
 * Thrown for a programmer's mistake; a stream's failure is {@link StreamError} data instead.
 */
export class SluiceError extends Error {
  readonly code: ErrorCode | UsageErrorCode
  /** How long to wait before asking again, in milliseconds, where the server said so. */
  readonly retryAfterMs: number | undefined
  constructor(
    code: ErrorCode | UsageErrorCode,
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number | undefined },
  ) {
    super(message, options)
    this.name = 'SluiceError'
    this.code = code
    this.retryAfterMs = options?.retryAfterMs
  }
}

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'network',
  'gateway',
  'rate-limit',
  'overloaded',
  'timeout',
  'server',
  'stalled',
  'empty-response',
  'conflict',
])

/** Builds a {@link StreamError}; `retryable` follows from the code unless given. */
export function streamError(
  code: ErrorCode,
  message: string,
  more?: {
    retryable?: boolean | undefined
    retryAfterMs?: number | undefined
    status?: number | undefined
  },
): StreamError {
  return {
    code,
    message,
    retryable: more?.retryable ?? RETRYABLE.has(code),
    ...(more?.retryAfterMs !== undefined && { retryAfterMs: more.retryAfterMs }),
    ...(more?.status !== undefined && { status: more.status }),
  }
}

/** Whether a failure is an answer, such as `unknown-stream`, and not a loss after which the same may be asked again. */
export function isDecision(cause: unknown): cause is SluiceError {
  return cause instanceof SluiceError && !(isErrorCode(cause.code) && RETRYABLE.has(cause.code))
}
