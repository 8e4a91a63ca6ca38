import { assertNever } from './assert.ts'
import { streamError, type StreamError } from './errors.ts'
import type { FinishReason, TerminalEvent } from './events.ts'
import type { MessageStatus } from './message.ts'

/** What the client itself concluded of a stream that gave no terminal event. Reopens when the stream is resumed. */
export type Conclusion =
  /** The person stopped it. */
  | { readonly type: 'stopped' }
  /** The source ended, or could not be reached again: the rest is lost. */
  | { readonly type: 'interrupted'; readonly error: StreamError }
  /** The connection was lost and the server's state could not be had: it may still be running. */
  | { readonly type: 'unknown'; readonly error: StreamError }
  /** The request or the connection failed. */
  | { readonly type: 'failed'; readonly error: StreamError }
  /** The generation ended well, but the application's `validate` refused the answer. */
  | { readonly type: 'invalid'; readonly error: StreamError }

/** The message's status for a terminal event (protocol §3, "Status on the message"). */
export function statusOfEnd(end: TerminalEvent, openApproval: boolean): MessageStatus {
  switch (end.type) {
    case 'done':
      return statusOfFinish(end.finishReason, openApproval)
    case 'error': {
      const { code, message, retryable, retryAfterMs, status } = end
      return {
        type: 'incomplete',
        reason: 'error',
        error: streamError(code, message, { retryable, retryAfterMs, status }),
      }
    }
    case 'cancelled':
      return { type: 'incomplete', reason: 'cancelled' }
    case 'interrupted':
      return end.sentinel
        ? { type: 'incomplete', reason: 'unknown' }
        : { type: 'incomplete', reason: 'interrupted', error: connectionEnded() }
    default:
      return assertNever(end)
  }
}

function statusOfFinish(reason: FinishReason, openApproval: boolean): MessageStatus {
  switch (reason) {
    case 'stop':
    case 'stop-sequence':
    case 'other':
      return { type: 'complete', reason }
    case 'tool-calls':
      return { type: 'requires-action', reason }
    case 'paused':
      return openApproval
        ? { type: 'requires-action', reason: 'approval' }
        : { type: 'incomplete', reason: 'paused' }
    case 'interrupted':
      return { type: 'incomplete', reason, error: connectionEnded() }
    case 'length':
    case 'context-window':
    case 'content-filter':
    case 'refusal':
      return { type: 'incomplete', reason }
    default:
      return assertNever(reason)
  }
}

/** The message's status for what the client concluded. */
export function statusOfConclusion(conclusion: Conclusion): MessageStatus {
  switch (conclusion.type) {
    case 'stopped':
      return { type: 'incomplete', reason: 'cancelled' }
    case 'interrupted':
    case 'unknown':
    case 'invalid':
      return { type: 'incomplete', reason: conclusion.type, error: conclusion.error }
    case 'failed':
      return { type: 'incomplete', reason: 'error', error: conclusion.error }
    default:
      return assertNever(conclusion)
  }
}

function connectionEnded(): StreamError {
  return streamError('network', 'The connection ended before the answer did.')
}
