'use client'
import type { ReactElement, ReactNode } from 'react'
import {
  isToolPart,
  toolNameOf,
  type ChatMessage,
  type MessagePart,
  type RefusalPart,
} from '../../protocol/message.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { ApprovalRoot } from '../approval/approval-root.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { ReasoningRoot } from '../reasoning/reasoning-root.tsx'
import { useRendering, type PartPlace, type PartRenderers } from '../rendering.ts'
import { ToolRoot } from '../tool/tool-root.tsx'
import { MessageFile } from './message-file.tsx'
import { MessageText, PlainText } from './message-text.tsx'
import { useMessage } from './message-context.ts'
import { PartBoundary } from './part-boundary.tsx'
import { Waiting } from './waiting.tsx'

const isRefusal = (part: MessagePart): part is RefusalPart => part.type === 'data-refusal'

/** The caller's own drawing of a part; `undefined` leaves it to ours. */
function drawByCaller(part: MessagePart, place: PartPlace, renderers: PartRenderers): ReactNode {
  if (isToolPart(part))
    return (renderers[`tool-${toolNameOf(part)}`] ?? renderers.tool)?.(part, place)
  switch (part.type) {
    case 'text':
      return renderers.text?.(part, place)
    case 'reasoning':
      return renderers.reasoning?.(part, place)
    case 'file':
      return renderers.file?.(part, place)
    case 'source-url':
    case 'source-document':
      return renderers.source?.(part, place)
    case 'step-start':
      return undefined
    default:
      if (isRefusal(part)) return renderers.refusal?.(part, place)
      return (renderers[part.type] ?? renderers.data)?.(part, place)
  }
}

function drawByKit(part: MessagePart, { message }: PartPlace, renderers: PartRenderers): ReactNode {
  if (isToolPart(part))
    return part.state === 'approval-requested' ? (
      <ApprovalRoot part={part} />
    ) : (
      <ToolRoot part={part} />
    )
  switch (part.type) {
    case 'text':
      return message.role === 'user' ? (
        <PlainText text={part.text} />
      ) : (
        <MessageText part={part} isWhole={message.status.type !== 'incomplete'} />
      )
    case 'reasoning':
      return <ReasoningRoot part={part} />
    case 'file':
      return <MessageFile part={part} />
    case 'source-url':
    case 'source-document':
    case 'step-start':
      return null
    default:
      if (isRefusal(part)) return <PlainText text={part.data.text} />
      return renderers.fallback?.(part, { message, index: message.parts.indexOf(part) })
  }
}

function PartView(props: { readonly part: MessagePart; readonly place: PartPlace }): ReactNode {
  const { part, place } = props
  const { renderers = {} } = useRendering()
  return drawByCaller(part, place, renderers) ?? drawByKit(part, place, renderers)
}

function isVisible(part: MessagePart): boolean {
  if (part.type === 'step-start') return false
  if (part.type === 'text' || part.type === 'reasoning') return part.text !== ''
  return true
}

/** Nothing shows that the answer goes on: no text yet, or the last thing seen is a settled step. */
function isWaiting({ role, status, parts }: ChatMessage): boolean {
  if (role !== 'assistant' || status.type !== 'running') return false
  const last = parts.findLast(isVisible)
  if (last === undefined) return true
  if (last.type === 'reasoning') return last.state === 'done'
  return isToolPart(last) && last.state.startsWith('output-')
}

const stateOf = (part: MessagePart): string => ('state' in part ? part.state : '')

/** A key that a part keeps while others are added after it. */
const keyOf = (part: MessagePart, index: number): string =>
  isToolPart(part) ? part.toolCallId : String(index)

/** Props of {@link MessageParts}. */
export type MessagePartsProps = PartProps<'div', { readonly waiting: boolean }> & {
  readonly message?: ChatMessage | undefined
}

/** The parts of a message in order. One that cannot be drawn is a notice, and the others stay. */
export function MessageParts({ message: given, ...props }: MessagePartsProps): ReactElement {
  const labels = useLabels()
  const message = useMessage(given)
  const { onRenderError } = useRendering()
  const waiting = isWaiting(message)
  return renderPart(
    'div',
    props,
    {
      className: 'sluice-parts',
      children: (
        <>
          {message.parts.map((part, index) => (
            <PartBoundary
              key={keyOf(part, index)}
              attempt={stateOf(part)}
              notice={<p className="sluice-notice">{labels.message.partFailed}</p>}
              onError={(error) => onRenderError?.(error, part)}
            >
              <PartView part={part} place={{ message, index }} />
            </PartBoundary>
          ))}
          {waiting && <Waiting />}
        </>
      ),
    },
    { waiting },
  )
}
