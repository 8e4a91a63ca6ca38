import type { TerminalEvent, Usage } from '../protocol/events.ts'

const FIELDS = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedInputTokens'] as const

/** The tokens of several model calls together; a field that nobody has told stays untold. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {}
  for (const field of FIELDS) {
    if (a[field] !== undefined || b[field] !== undefined)
      sum[field] = (a[field] ?? 0) + (b[field] ?? 0)
  }
  return sum
}

/** The totals that a report tells, by themselves. */
export function usageIn(report: Usage): Usage {
  return addUsage({}, report)
}

/** The end of one model call as the end of a stream that had others `before`. */
export function endWith(before: Usage, end: TerminalEvent): TerminalEvent {
  if (Object.keys(before).length === 0) return end
  if (end.type === 'done') return { ...end, usage: addUsage(before, end.usage ?? {}) }
  if (end.type !== 'cancelled' || end.outputTokens === undefined) return end
  return { ...end, outputTokens: end.outputTokens + (before.outputTokens ?? 0) }
}
