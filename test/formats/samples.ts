import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  collectMessage,
  isToolPart,
  toolNameOf,
  type ChatMessage,
  type StreamEvent,
  type StreamFormat,
} from 'sluice/core'

/** What a sample's `expected.json` says. */
export interface Expected {
  readonly file: string
  readonly http: { readonly status: number; readonly contentType: string }
  readonly text: string
  readonly reasoning: string
  readonly refusal: string | null
  readonly toolCalls: readonly {
    readonly id: string | null
    readonly name: string
    readonly argumentsText: string
    readonly input?: unknown
    readonly kind?: string
  }[]
  readonly toolResults: readonly { readonly id: string; readonly isError?: boolean }[]
  readonly sources: readonly unknown[]
  readonly finishReason: string | null
  readonly terminal: string
  readonly sentinelSeen: boolean
  readonly usage: {
    readonly inputTokens?: number
    readonly inputTotal?: number
    readonly outputTokens?: number
    readonly reasoningTokens?: number
    readonly cachedInputTokens?: number
  } | null
  readonly error: { readonly message?: string | null } | null
  readonly alsoAcceptable?: readonly string[]
  readonly alsoAcceptableText?: readonly string[]
  readonly alsoAcceptableReasoning?: readonly string[]
  readonly withThinkTagExtraction?: { readonly text: string; readonly reasoning: string }
}

/** One sample: bytes as a vendor sends them, and what they mean. */
export interface Sample {
  readonly vendor: string
  readonly name: string
  readonly bytes: Uint8Array
  readonly format: StreamFormat
  readonly expected: Expected
}

const root = fileURLToPath(new URL('../fixtures/wire/', import.meta.url))

/** Folders whose samples are read by test/transport. */
const ELSEWHERE = ['sse-grammar', 'http-errors']
const OWN_FORMAT = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'gemini-interactions',
  'ollama',
  'ai-sdk-ui',
  'ag-ui',
  'tanstack',
]

/** All vendors of which there are samples. */
export const vendors: readonly string[] = readdirSync(root).filter(
  (name) => !ELSEWHERE.includes(name),
)

/** The samples of one vendor. */
export function samplesOf(vendor: string): Sample[] {
  return readdirSync(root + vendor)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => {
      const expected = JSON.parse(readFileSync(`${root}${vendor}/${name}`, 'utf8')) as Expected
      return {
        vendor,
        name: name.replace('.expected.json', ''),
        bytes: new Uint8Array(readFileSync(root + expected.file)),
        format: formatOf(vendor),
        expected,
      }
    })
}

function formatOf(vendor: string): StreamFormat {
  if (vendor === 'openai-responses-ws') return 'openai-responses'
  return (OWN_FORMAT.includes(vendor) ? vendor : 'openai-chat') as StreamFormat
}

const STATUS: Readonly<Record<string, readonly string[]>> = {
  complete: ['complete/stop', 'complete/other'],
  stop_sequence: ['complete/stop-sequence'],
  tool_calls: ['requires-action/tool-calls'],
  truncated: ['incomplete/length', 'incomplete/context-window'],
  refusal: ['incomplete/refusal'],
  content_filter: ['incomplete/content-filter'],
  paused: ['requires-action/approval', 'incomplete/paused'],
  error: ['incomplete/error'],
  interrupted: ['incomplete/interrupted'],
  aborted: ['incomplete/cancelled'],
}

/** Folds the events and tells everything that is not as the sample expects it. */
export async function problemsOf(
  events: readonly StreamEvent[],
  expected: Expected,
): Promise<string[]> {
  const message = await collectMessage(events)
  return [
    ...shapeProblems(events),
    ...contentProblems(message, expected),
    ...endProblems(message, expected),
  ]
}

/** What holds for every stream, whatever it says. */
export function shapeProblems(events: readonly StreamEvent[]): string[] {
  const problems: string[] = []
  if (events[0]?.type !== 'start') problems.push(`begins with ${events[0]?.type}`)
  events.forEach((event, index) => {
    if (event.seq !== index + 1) problems.push(`seq ${event.seq} at place ${index + 1}`)
    const isEnd = ['done', 'error', 'cancelled', 'interrupted'].includes(event.type)
    if (isEnd !== (index === events.length - 1))
      problems.push(`${event.type} at place ${index + 1} of ${events.length}`)
    if (!JSON.stringify(event).isWellFormed()) problems.push(`half a character in ${event.type}`)
  })
  return problems
}

function contentProblems(message: ChatMessage, expected: Expected): string[] {
  const problems: string[] = []
  const said = (type: string): string =>
    message.parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  const check = (what: string, got: unknown, ...wanted: readonly unknown[]): void => {
    const text = JSON.stringify(got)
    if (!wanted.some((one) => JSON.stringify(one) === text))
      problems.push(`${what}: ${text}, expected ${JSON.stringify(wanted[0])}`)
  }
  check('text', said('text'), expected.text, ...(expected.alsoAcceptableText ?? []))
  check(
    'reasoning',
    said('reasoning'),
    expected.reasoning,
    ...(expected.alsoAcceptableReasoning ?? []),
  )
  const refusals = message.parts.flatMap((part) => (part.type === 'data-refusal' ? [part] : []))
  check(
    'refusal',
    refusals.length === 0
      ? null
      : refusals.map((part) => (part.data as { text: string }).text).join(''),
    expected.refusal,
  )
  const sources = message.parts.filter(
    (part) => part.type === 'source-url' || part.type === 'source-document',
  )
  check('sources', sources.length, expected.sources.length)
  // Tools that ran at the vendor are shown, and are no calls for the client.
  const calls = message.parts.filter(isToolPart).filter((part) => part.runs !== 'provider')
  check(
    'tools',
    calls.map(toolNameOf),
    expected.toolCalls.map(({ name }) => name),
  )
  for (const [index, wanted] of expected.toolCalls.entries()) {
    const call = calls[index]
    if (call === undefined) continue
    check('arguments', call.argsText ?? '', wanted.argumentsText)
    check('input', wanted.kind === 'custom' ? null : (call.input ?? null), wanted.input ?? null)
    if (wanted.id !== null && wanted.id !== '*') check('id', call.toolCallId, wanted.id)
    if (call.toolCallId === '') problems.push('a call without an id')
  }
  for (const { id, isError } of expected.toolResults) {
    const result = calls.find((call) => call.toolCallId === id)
    check('result', result?.state, isError === true ? 'output-error' : 'output-available')
  }
  return problems
}

function endProblems(message: ChatMessage, expected: Expected): string[] {
  const problems: string[] = []
  const { status } = message
  const got = status.type === 'running' ? 'running' : `${status.type}/${status.reason}`
  const isUnknown =
    expected.terminal === 'interrupted' && expected.sentinelSeen && expected.finishReason === null
  const wanted = isUnknown
    ? ['incomplete/unknown']
    : [expected.terminal, ...(expected.alsoAcceptable ?? [])].flatMap(
        (terminal) => STATUS[terminal] ?? [],
      )
  if (!wanted.includes(got)) problems.push(`status ${got}, expected ${wanted.join(' or ')}`)
  if (got.startsWith('complete') || got.startsWith('requires')) {
    const word = message.rawFinishReason ?? null
    if (word !== expected.finishReason)
      problems.push(`the vendor's word ${word}, expected ${expected.finishReason}`)
  }
  const error = status.type === 'incomplete' ? status.error : undefined
  const told = expected.error?.message
  if (got === 'incomplete/error' && told != null && error?.message !== told) {
    problems.push(`message ${error?.message}, expected ${told}`)
  }
  if (expected.usage !== null) {
    const { inputTokens, inputTotal, outputTokens, reasoningTokens, cachedInputTokens } =
      expected.usage
    const totals = {
      inputTokens: inputTotal ?? inputTokens,
      outputTokens,
      reasoningTokens,
      cachedInputTokens,
    }
    for (const name of [
      'inputTokens',
      'outputTokens',
      'reasoningTokens',
      'cachedInputTokens',
    ] as const) {
      const total = totals[name]
      if (total !== undefined && message.usage?.[name] !== total) {
        problems.push(`${name} ${message.usage?.[name]}, expected ${total}`)
      }
    }
  }
  return problems
}

/** Events as text, ids that were made up named by their place, so that two readings can be compared. */
export function comparable(events: readonly StreamEvent[]): string {
  const names = new Map<string, string>()
  return JSON.stringify(events).replaceAll(/call_[A-Za-z0-9_-]{22}/g, (id) => {
    const name = names.get(id) ?? `made-${names.size}`
    names.set(id, name)
    return name
  })
}
