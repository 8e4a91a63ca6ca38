import type { ToolGate } from '../protocol/events.ts'
import { attempt, type Bounds } from './attempt.ts'
import { DEFAULT_TIMEOUT_MS, type Tool, type ToolContext, type Verdict } from './tool.ts'

/** A call that wants to pass. */
export interface GatedCall {
  readonly tool: Tool | undefined
  /** Absent: they are not JSON. */
  readonly args?: unknown
  /** Whether a person has said yes already. */
  readonly approved: boolean
}

/** What the gates say. `input`: the arguments as the schema gives them. */
export type Passage =
  | { readonly type: 'passed'; readonly input: unknown }
  | { readonly type: 'ask'; readonly input: unknown }
  | { readonly type: 'refused'; readonly gate: ToolGate; readonly error: string }

/** What the gates need. `onError`: is told what a check threw; the model and the person are not. */
export interface GateOptions extends Omit<Bounds, 'timeoutMs'> {
  readonly context: Omit<ToolContext, 'signal'>
  readonly onError: (error: unknown) => void
}

/**
 * Leads a call through all gates, in order: tool, parse, schema, facts, permission, approval (protocol §6). A check that
 * throws or takes too long refuses.
 */
export async function passGates(call: GatedCall, options: GateOptions): Promise<Passage> {
  const { tool, args, approved } = call
  if (tool === undefined) return refused('tool', 'There is no such tool.')
  if (args === undefined) return refused('parse', 'The arguments are not whole, or not JSON.')
  const { onError, clock, signal, context } = options
  const bounds = { clock, signal, timeoutMs: tool.timeoutMs ?? DEFAULT_TIMEOUT_MS }

  async function check<T>(work: (context: ToolContext) => T | Promise<T>): Promise<T | undefined> {
    const done = await attempt((own) => work({ ...context, signal: own }), bounds)
    if (done.type === 'returned') return done.value
    if (done.type === 'threw') onError(done.error)
    else if (done.by === 'timeout') onError(new Error(`A check of ${context.key} took too long.`))
    return undefined
  }

  const schema = tool.input['~standard']
  const read = await check(() => schema.validate(args))
  if (read === undefined) return refused('schema', 'The arguments could not be checked.')
  if (read.issues !== undefined) return refused('schema', read.issues.map(wordsFor).join('; '))
  const input = read.value

  const verdict = async (
    gate: 'facts' | 'permission',
    ask: (context: ToolContext) => Verdict | Promise<Verdict>,
  ): Promise<Passage | undefined> => {
    const said = await check(ask)
    if (said === true) return undefined
    return refused(gate, typeof said === 'string' && said !== '' ? said : UNSAID[gate])
  }
  const refusal =
    (tool.facts && (await verdict('facts', (own) => tool.facts?.(input, own) ?? true))) ??
    (tool.permit && (await verdict('permission', (own) => tool.permit?.(input, own) ?? true)))
  if (refusal !== undefined) return refusal

  const { approval = false } = tool
  const asks = typeof approval === 'boolean' ? approval : await check((own) => approval(input, own))
  if (asks === undefined) {
    return refused('approval', 'It could not be decided whether a person must approve this.')
  }
  return { type: asks && !approved ? 'ask' : 'passed', input }
}

const UNSAID = {
  facts: 'The arguments do not agree with the facts.',
  permission: 'This is not permitted.',
} as const

const CHECKS: Readonly<Record<ToolGate, string>> = {
  tool: 'the list of tools',
  parse: 'the parser',
  schema: 'the schema',
  facts: 'the check of the facts',
  permission: 'the check of permission',
  approval: 'the approval',
}

function refused(gate: ToolGate, why: string): Passage {
  return { type: 'refused', gate, error: `Refused by ${CHECKS[gate]}: ${why}` }
}

function wordsFor({
  message,
  path,
}: {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}): string {
  if (path === undefined || path.length === 0) return message
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return `${keys.join('.')}: ${message}`
}
