'use client'
import {
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleStop,
  EyeOff,
  Hourglass,
  Scissors,
  ShieldAlert,
  TriangleAlert,
  Unplug,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { assertNever } from '../../protocol/assert.ts'
import type { ErrorCode, StreamError } from '../../protocol/errors.ts'
import { refusalOf, textOf, type ChatMessage } from '../../protocol/message.ts'
import type { Labels } from '../../react/labels/labels.ts'

/** The one useful thing to do about an answer that is not complete. */
export type EndAction = 'continue' | 'retry' | 'resume' | 'check'

/** How an answer ended, in words. */
export interface Ending {
  readonly icon: LucideIcon
  readonly words: string
  /** By what matters most; `resume` falls back to `retry` where there is nothing to resume. */
  readonly actions: readonly EndAction[]
  readonly tone: 'quiet' | 'warning' | 'danger'
  readonly error?: StreamError | undefined
}

/** Asking again with the same input cannot help. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
  'context-length',
  'too-large',
  'bad-request',
  'content-filter',
  'limit-exceeded',
  'unsupported-version',
  'bad-request-id',
])

function describeError(error: StreamError | undefined, labels: Labels): Ending {
  if (error === undefined)
    return { icon: TriangleAlert, words: labels.errors.server, actions: ['retry'], tone: 'danger' }
  const actions: readonly EndAction[] = hopeless.has(error.code) ? [] : ['retry']
  if (error.code === 'rate-limit' && error.retryAfterMs !== undefined)
    return {
      icon: Hourglass,
      words: labels.status.rateLimited(labels.duration(error.retryAfterMs)),
      actions,
      tone: 'warning',
      error,
    }
  return { icon: TriangleAlert, words: labels.errors[error.code], actions, tone: 'danger', error }
}

/** How an answer ended; `undefined` for one that is complete, still runs, or asks by itself for what it needs. */
export function endingOf(message: ChatMessage, labels: Labels): Ending | undefined {
  const { status } = message
  const words = labels.status
  switch (status.type) {
    case 'running':
    case 'complete':
      return undefined
    case 'requires-action':
      return status.reason === 'approval'
        ? undefined
        : { icon: Wrench, words: words.toolCalls, actions: [], tone: 'quiet' }
    case 'incomplete':
      break
    default:
      return assertNever(status)
  }
  const { reason, error } = status
  const isEmpty = textOf(message) === '' && refusalOf(message) === ''
  // There is nothing to go on from where nothing was said.
  const onward: readonly EndAction[] = isEmpty ? ['retry'] : ['continue']
  switch (reason) {
    case 'cancelled':
      return { icon: CircleStop, words: words.cancelled, actions: onward, tone: 'quiet' }
    case 'length':
      return { icon: Scissors, words: words.length, actions: onward, tone: 'quiet' }
    case 'context-window':
      return { icon: Scissors, words: words.contextWindow, actions: [], tone: 'quiet' }
    case 'content-filter':
      return { icon: EyeOff, words: words.contentFilter, actions: [], tone: 'quiet' }
    case 'refusal':
      return { icon: CircleSlash, words: words.refusal, actions: [], tone: 'quiet' }
    case 'paused':
      return { icon: CirclePause, words: words.paused, actions: onward, tone: 'quiet' }
    case 'unknown':
      return {
        icon: CircleQuestionMark,
        words: words.unknown,
        actions: ['check'],
        tone: 'quiet',
        error,
      }
    case 'interrupted':
      // The server has said that the rest is gone: there is nothing to be resumed.
      if (error?.code === 'replay-expired' || error?.code === 'unknown-stream')
        return {
          icon: Unplug,
          words: labels.errors[error.code],
          actions: ['retry'],
          tone: 'warning',
          error,
        }
      return {
        icon: Unplug,
        words: isEmpty ? words.interruptedEmpty : words.interrupted,
        actions: ['resume', 'retry'],
        tone: 'warning',
        error,
      }
    case 'invalid':
      return {
        icon: ShieldAlert,
        words: words.invalid,
        actions: ['retry'],
        tone: 'warning',
        error,
      }
    case 'error':
      return describeError(error, labels)
    default:
      return assertNever(reason)
  }
}
