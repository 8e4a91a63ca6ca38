import type { StreamFailure, WireRecord } from '../protocol/format.ts'
import { isRecord } from '../protocol/json.ts'

/** One record's data, parsed. */
export type Parsed =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  /** `[DONE]`. */
  | { readonly kind: 'sentinel' }
  /** Nothing to read: no data, or JSON that is no object. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' }

const NOTHING: Parsed = { kind: 'nothing' }
const SENTINEL: Parsed = { kind: 'sentinel' }
const MALFORMED: Parsed = { kind: 'malformed' }

/**
 * Parses a record's data. Where a server left out the blank line between records of one line each, the joined text
 * is no JSON while every line is; they come out one by one.
 */
export function parseRecord(
  { data }: Pick<WireRecord, 'data'>,
  each: (parsed: Parsed) => void,
): void {
  const whole = parseOne(data)
  if (whole.kind !== 'malformed' || !data.includes('\n')) return each(whole)
  const lines = data.split('\n').map(parseOne)
  if (lines.some((line) => line.kind === 'malformed')) return each(MALFORMED)
  for (const line of lines) each(line)
}

function parseOne(data: string): Parsed {
  const first = data.charCodeAt(0)
  if (first !== 123) {
    const trimmed = data.trim()
    if (trimmed === '') return NOTHING
    if (trimmed === '[DONE]') return SENTINEL
  }
  try {
    const value = JSON.parse(data) as unknown
    return isRecord(value) ? { kind: 'object', value } : NOTHING
  } catch {
    return MALFORMED
  }
}

/** How a stream ends that sent a record which is not JSON. */
export const MALFORMED_RECORD: StreamFailure = {
  code: 'malformed-record',
  message: 'The model server sent a record that is not valid JSON.',
  retryable: true,
}
