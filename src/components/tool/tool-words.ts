'use client'
import { assertNever } from '../../protocol/assert.ts'
import { toolNameOf } from '../../protocol/message.ts'
import type { Labels } from '../../react/labels/labels.ts'
import type { AnyToolPart } from './tool-context.ts'

/** `look_up-tide` → `look up tide`, for people. */
const readable = (name: string): string => name.replaceAll(/[_-]+/g, ' ')

/** Verb and object: what is being done, or was. */
export function toolWords(part: AnyToolPart, { tool }: Labels): string {
  const name = part.title ?? readable(toolNameOf(part))
  switch (part.state) {
    case 'input-streaming':
      return tool.preparing(name)
    case 'input-available':
      return tool.running(name)
    case 'approval-requested':
      return tool.asks(name)
    case 'approval-responded':
      return tool.answered(name)
    case 'output-available':
      return part.preliminary === true ? tool.running(name) : tool.used(name)
    case 'output-error':
      if (part.outcome === 'unknown') return tool.outcomeUnknown(name)
      return part.outcome === undefined && part.input === undefined
        ? tool.incomplete(name)
        : tool.failed(name)
    case 'output-denied':
      return tool.denied(name)
    default:
      return assertNever(part)
  }
}

/** Whether something is still to come. */
export const isToolRunning = (part: AnyToolPart): boolean =>
  part.state === 'input-streaming' ||
  part.state === 'input-available' ||
  part.state === 'approval-responded' ||
  (part.state === 'output-available' && part.preliminary === true)
