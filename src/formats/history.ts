import type {
  ChatMessage,
  ChatMessageInput,
  FilePart,
  ReasoningPart,
  TextPart,
  ToolPart,
} from '../protocol/message.ts'
import { isToolPart, refusalOf, toolNameOf } from '../protocol/message.ts'
import type { ProviderMetadata } from '../protocol/json.ts'

/** A call that has its result: what may be sent to a vendor, who refuses one without the other. */
export interface PairedCall {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly kind: 'json' | 'text'
  readonly input: unknown
  readonly runs: 'client' | 'server' | 'provider'
  readonly result: { readonly ok: boolean; readonly value: unknown }
  readonly meta: ProviderMetadata | undefined
}

/** What one model call said, and the results it was given. */
export interface Step {
  readonly parts: readonly (TextPart | ReasoningPart | FilePart | PairedCall)[]
}

/** One turn of a history that a vendor will accept. */
export type Turn =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly (TextPart | FilePart)[] }
  | { readonly role: 'assistant'; readonly steps: readonly Step[] }

/** Put at the end of an answer that did not end by itself, so that the model does not take it for a whole one. */
export const CUT_MARK = '[This answer was cut off.]'

/**
 * Makes a history that cannot poison the next request: no empty turn, no call without its result, no arguments that
 * do not parse. An incomplete answer is marked as cut, or left out where nothing of it may be shown to a model:
 * blocked by a filter, refused by the application, or empty. Thoughts are kept; each vendor's builder drops those
 * that it could not verify.
 */
export function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  return messages.flatMap((message): Turn[] => {
    if (message.role === 'system') {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return text === '' ? [] : [{ role: 'system', text }]
    }
    if (message.role === 'user') {
      const parts = message.parts.filter(
        (part): part is TextPart | FilePart =>
          (part.type === 'text' && part.text !== '') || part.type === 'file',
      )
      return parts.length === 0 ? [] : [{ role: 'user', parts }]
    }
    const steps = stepsOf(message)
    return steps.length === 0 ? [] : [{ role: 'assistant', steps }]
  })
}

function stepsOf(message: ChatMessage): Step[] {
  if (isUnfit(message)) return []
  const steps: Step['parts'][number][][] = []
  let step: Step['parts'][number][] = []
  const close = (): void => {
    if (step.some((part) => part.type !== 'reasoning')) steps.push(step)
    step = []
  }
  for (const part of message.parts) {
    if (part.type === 'step-start') close()
    else if (isToolPart(part)) {
      const call = pair(part)
      if (call !== undefined) step.push(call)
    } else if (part.type === 'text' || part.type === 'reasoning' || part.type === 'file') {
      if (part.type === 'text' && part.text === '') continue
      // Words after a call's result belong to the next model call, except at the vendor's own tools.
      if (step.some((earlier) => isCall(earlier) && earlier.runs !== 'provider')) close()
      step.push(part)
    }
  }
  close()
  const refusal = refusalOf(message)
  if (steps.length === 0 && refusal !== '') return [{ parts: [{ type: 'text', text: refusal }] }]
  if (isCut(message)) steps.at(-1)?.push({ type: 'text', text: CUT_MARK })
  return steps.map((parts) => ({ parts }))
}

/** Whether nothing of an answer may be shown to a model again. */
export function isUnfit({ status }: Pick<ChatMessageInput, 'status'>): boolean {
  return (
    status?.type === 'incomplete' &&
    (status.reason === 'content-filter' || status.reason === 'invalid')
  )
}

/** Whether an answer did not end by itself. */
export function isCut({ status }: Pick<ChatMessageInput, 'status'>): boolean {
  if (status?.type === 'incomplete')
    return status.reason !== 'refusal' && status.reason !== 'paused'
  return status?.type === 'running'
}

/** Tells a call from the other parts of a step. */
export function isCall(part: Step['parts'][number]): part is PairedCall {
  return part.type === 'call'
}

/** A call with its result, or `undefined` for one that can't be sent. */
export function pair(part: ToolPart): PairedCall | undefined {
  const { state, toolCallId: id, argsText } = part
  const call = {
    type: 'call' as const,
    id,
    name: toolNameOf(part),
    kind:
      typeof part.input === 'string' && part.input === argsText
        ? ('text' as const)
        : ('json' as const),
    input: part.input,
    runs:
      part.runs ?? (part.providerExecuted === true ? ('provider' as const) : ('client' as const)),
    meta: part.callProviderMetadata,
  }
  if (state === 'output-available' && part.preliminary !== true) {
    return { ...call, result: { ok: true, value: part.output } }
  }
  if (part.input === undefined) return undefined
  if (state === 'output-error') return { ...call, result: { ok: false, value: part.errorText } }
  if (state === 'output-denied') {
    return {
      ...call,
      result: { ok: false, value: part.approval.reason ?? 'The person denied this action.' },
    }
  }
  return undefined
}

/** A result as text, for vendors that take nothing else. */
export function resultText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The base64 data of a `data:` URL, or `undefined` for any other. */
export function dataUrl(
  url: string,
): { readonly mediaType: string; readonly data: string } | undefined {
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(url)
  return match === null ? undefined : { mediaType: match[1] ?? '', data: match[2] ?? '' }
}
