import type { ErrorCode } from '../protocol/errors.ts'
import type { FinishReason } from '../protocol/events.ts'

/** What a vendor's word for the end means. */
export type Ending =
  | FinishReason
  | 'cancelled'
  | 'interrupted-by-vendor'
  | { readonly error: ErrorCode }

const WORDS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['end', 'stop'],
  ['completed', 'stop'],
  ['success', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'context-window'],
  ['model_context_window_exceeded', 'context-window'],
  ['tool_calls', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['requires_action', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['refusal', 'refusal'],
  ['pause_turn', 'paused'],
  ['compaction', 'paused'],
  ['interrupted', 'interrupted-by-vendor'],
  ['abort', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['error', { error: 'vendor' }],
  ['failed', { error: 'vendor' }],
  ['network_error', { error: 'network' }],
  ['insufficient_system_resource', { error: 'overloaded' }],
])

/** Reads a vendor's word (protocol §3, rule 3). A word nobody knows is `other`: kept, never an error. */
export function endingOf(word: string): Ending {
  return WORDS.get(word.toLowerCase().replaceAll('-', '_')) ?? 'other'
}
