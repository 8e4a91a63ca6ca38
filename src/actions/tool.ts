import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What a tool's functions are told beside the input. */
export interface ToolContext {
  /**
   * Names the action, and is the same whenever the same action is meant, in any process: pass it on as the idempotency
   * key of whatever the tool calls.
   */
  readonly key: string
  readonly requestId: string
  readonly toolCallId: string
  /** Headers of the request behind the action: who asks. A continued answer has those of the request that continues it. */
  readonly headers: Headers
  /** Aborts when the answer is stopped, and when the tool's time is over. */
  readonly signal: AbortSignal
}

/** `true`: go on. Else the action is refused; a string says why, to the model and to the person. */
export type Verdict = boolean | string

/**
 * What became of an action whose run did not return. `not-run`: it has not taken effect *and will not*; only then may it
 * be run once more, under the same key.
 */
export type ToolStatus<Output = unknown> =
  | { readonly state: 'succeeded'; readonly output: Output }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'not-run' }
  | { readonly state: 'unknown' }

/**
 * Something that a model may ask for. An action goes through the gates in this order: its arguments are JSON, `input`
 * holds, `facts` holds, `permit` holds, and where `approval` wants it a person has said yes.
 */
export interface Tool<Input = unknown, Output = unknown> {
  /**
   * Schema of the arguments: any Standard Schema (zod, valibot, arktype, …). Its JSON form is told to the model where
   * the library offers one (zod 4.2, arktype 2.2, valibot by `toStandardJsonSchema`).
   */
  readonly input: StandardSchemaV1<unknown, Input>
  /** Told to the model. */
  readonly description?: string | undefined
  /**
   * Does it, here at the server. Absent: the tool runs in the client, which posts the result. To throw means that
   * nothing took effect, unless `queryStatus` knows better; the words of a `SluiceError` are told to the model and the
   * person, those of any other error only to `onError`. What is returned is kept as JSON.
   */
  run?(input: Input, context: ToolContext): Output | Promise<Output>
  /** Checks the arguments against the facts: that the account exists, that the seat is still free. */
  facts?(input: Input, context: ToolContext): Verdict | Promise<Verdict>
  /** Checks that whoever asks may do this. */
  permit?(input: Input, context: ToolContext): Verdict | Promise<Verdict>
  /** Whether a person has to decide first. Default: no. */
  readonly approval?: boolean | AskApproval<Input> | undefined
  /** How long the person may take, in milliseconds. Default: 24 hours. */
  readonly approvalMs?: number | undefined
  /**
   * Asked what became of an action whose run timed out, was stopped, threw, or died with its process. Absent: a run that
   * threw has failed, and of the others nobody knows.
   */
  queryStatus?(input: Input, context: ToolContext): ToolStatus<Output> | Promise<ToolStatus<Output>>
  /** Undoes an action that succeeded. Offered to the person after a Stop; never run by itself. */
  compensate?(output: Output, context: ToolContext): unknown
  /** How long `run` and each check may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined
}

// A method's parameters may vary, so that a tool of any input is a `Tool`.
type AskApproval<Input> = {
  ask(input: Input, context: ToolContext): boolean | Promise<boolean>
}['ask']

/** The tools of a server, by the names that the model uses. */
export type Tools = Readonly<Record<string, Tool>>

/**
 * Defines a tool; there only for its types: `run` and the checks take what the schema gives.
 *
 * @example
 * const tide = tool({
 *   description: 'The tide at a port',
 *   input: z.object({ port: z.string() }),
 *   run: ({ port }, { signal }) => fetchTide(port, signal),
 * })
 */
export function tool<Input, Output = unknown>(
  definition: Tool<Input, Output>,
): Tool<Input, Output> {
  return definition
}

/** How long a run or a check may take unless the tool says otherwise, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 60_000

/** The tool of a name, which comes from a model: never something that every object inherits. */
export function toolNamed(tools: Tools | undefined, name: string): Tool | undefined {
  return tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
}
