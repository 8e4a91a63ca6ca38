'use client'
import type { ReactElement, ReactNode } from 'react'
import { assertNever } from '../../protocol/assert.ts'
import type { StreamError } from '../../protocol/errors.ts'
import type { ChatMessage } from '../../protocol/message.ts'
import type { Labels } from '../../react/labels/labels.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { useCommands, type AnswerCommands } from '../commands.ts'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useCountdown } from './countdown.ts'
import { endingOf, type EndAction, type Ending } from './ended.ts'
import { useIsLast, useMessage } from './message-context.ts'

type Run = () => unknown

/** What an action does here; `undefined` where it cannot be done. */
function commandFor(
  action: EndAction,
  message: ChatMessage,
  isLast: boolean,
  commands: AnswerCommands,
): Run | undefined {
  const { continueResponse, regenerate, retry, resumeStream, resume, canResume } = commands
  const again = resumeStream ?? resume
  if (!isLast)
    return action === 'retry' && regenerate
      ? () => regenerate({ messageId: message.id })
      : undefined
  switch (action) {
    case 'continue':
      return continueResponse && (() => continueResponse())
    case 'retry':
      if (retry) return () => retry()
      return regenerate && (() => regenerate({ messageId: message.id }))
    case 'resume':
      return canResume === true ? again && (() => again()) : undefined
    case 'check':
      return again && (() => again())
    default:
      return assertNever(action)
  }
}

function firstPossible(
  actions: readonly EndAction[],
  commandOf: (action: EndAction) => Run | undefined,
): { readonly action: EndAction; readonly run: Run } | undefined {
  for (const action of actions) {
    const run = commandOf(action)
    if (run !== undefined) return { action, run }
  }
  return undefined
}

/** What the server said, for whoever has to mend it. */
function ErrorDetails(props: { readonly error: StreamError; readonly labels: Labels }): ReactNode {
  const { code, status, message } = props.error
  return (
    <details className="sluice-details">
      <summary>{props.labels.status.details}</summary>
      <p dir="auto">
        {message} <code>{status === undefined ? code : `${code} ${status}`}</code>
      </p>
    </details>
  )
}

/** State of {@link StatusBadge}, as `data-*`. */
export type StatusBadgeState = {
  /** Why the answer is not complete. */
  readonly ending: string | undefined
  readonly tone: Ending['tone']
}

/** Props of {@link StatusBadge}. */
export type StatusBadgeProps = PartProps<'div', StatusBadgeState> & {
  /** Default: the message of the `Message.Root` around. */
  readonly message?: ChatMessage | undefined
  /** Where Continue, Retry, Resume and Check go. Default: the thread around; without one there are only words. */
  readonly stream?: AnswerCommands | undefined
}

/**
 * How an answer ended: an icon, words and the one useful action. Nothing for an answer that is complete or runs.
 * The wait of a rate limit is counted down, and Retry waits for it.
 */
export function StatusBadge({
  message: given,
  stream,
  ...props
}: StatusBadgeProps): ReactElement | null {
  const labels = useLabels()
  const message = useMessage(given)
  const commands = useCommands(stream)
  const isLast = useIsLast(message)
  const ending = message.role === 'assistant' ? endingOf(message, labels) : undefined
  const isRateLimit = ending?.error?.code === 'rate-limit'
  const wait = useCountdown(isRateLimit ? ending.error?.retryAfterMs : undefined)
  if (ending === undefined) return null

  const { status } = message
  const offered = firstPossible(ending.actions, (action) =>
    commandFor(action, message, isLast, commands),
  )
  const isWaiting = wait > 0
  const words = isRateLimit
    ? isWaiting
      ? labels.status.rateLimited(labels.duration(wait))
      : labels.errors['rate-limit']
    : ending.words

  return renderPart(
    'div',
    props,
    {
      className: 'sluice-status',
      children: (
        <>
          <span className="sluice-status-words">
            <Icon of={ending.icon} />
            <span>{words}</span>
          </span>
          {offered !== undefined && (
            <button
              type="button"
              className="sluice-link-button"
              aria-disabled={isWaiting || undefined}
              onClick={() => {
                if (!isWaiting) offered.run()
              }}
            >
              {labels.status[offered.action]}
            </button>
          )}
          {ending.error !== undefined && ending.error.message !== '' && (
            <ErrorDetails error={ending.error} labels={labels} />
          )}
        </>
      ),
    },
    { ending: 'reason' in status ? status.reason : undefined, tone: ending.tone },
  )
}
