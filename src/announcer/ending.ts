import { assertNever } from '../protocol/assert.ts'
import type { MessageStatus } from '../protocol/message.ts'
import type { AnnouncerPhrases, Remaining } from './phrases.ts'

/** How the end of an answer is told. */
export interface Ending {
  readonly text: string
  /** It cannot wait. */
  readonly urgent?: boolean | undefined
  /** What has not been read is dropped: the end is what matters now. */
  readonly clears?: boolean | undefined
  /** What was not read is counted after it. */
  readonly counts?: boolean | undefined
  /** When asking again makes sense, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined
}

const LOST: ReadonlySet<string> = new Set(['network', 'stalled', 'gateway'])

/** The words for a status; undefined while the answer has not ended or where another word tells it. */
export function endingOf(status: MessageStatus, phrases: AnnouncerPhrases): Ending | undefined {
  switch (status.type) {
    case 'running':
    case 'requires-action':
      return undefined
    case 'complete':
      return { text: phrases.complete, counts: true }
    case 'incomplete':
      return incomplete(status, phrases)
    default:
      return assertNever(status)
  }
}

function incomplete(
  status: Extract<MessageStatus, { type: 'incomplete' }>,
  phrases: AnnouncerPhrases,
): Ending {
  const { reason, error } = status
  switch (reason) {
    case 'length':
    case 'context-window':
      return { text: phrases.cutOff, counts: true }
    case 'content-filter':
      return { text: phrases.withheld, clears: true }
    case 'refusal':
      return { text: phrases.declined }
    case 'paused':
      return { text: phrases.paused }
    case 'cancelled':
      return { text: phrases.stopped, clears: true }
    case 'unknown':
      return { text: phrases.unconfirmed }
    case 'interrupted':
      return { text: phrases.connectionLost, urgent: true, clears: true }
    case 'invalid':
      return { text: phrases.failed('invalid-output'), urgent: true, clears: true }
    case 'error': {
      const code = error?.code ?? 'server'
      if (code === 'rate-limit') {
        const ms = error?.retryAfterMs
        const wait = ms === undefined ? undefined : phrases.seconds(Math.ceil(ms / 1000))
        const text = phrases.rateLimited(wait)
        return { text, urgent: true, clears: true, retryAfterMs: ms }
      }
      const text = LOST.has(code) ? phrases.connectionLost : phrases.failed(code)
      return { text, urgent: true, clears: true }
    }
    default:
      return assertNever(reason)
  }
}

/** An ending with the count of what was not read. */
export function withRemaining(
  ending: Ending,
  remaining: Remaining | undefined,
  phrases: AnnouncerPhrases,
): string {
  return ending.counts === true && remaining !== undefined
    ? `${ending.text} ${phrases.remaining(remaining)}`
    : ending.text
}
