import type { Usage } from '../protocol/events.ts'
import type { JsonObject, ProviderMetadata } from '../protocol/json.ts'

/** Leaves out the totals that the vendor did not tell. */
export function usageOf(usage: { readonly [K in keyof Usage]-?: number | undefined }): Usage {
  const known: Usage = {}
  for (const key of [
    'inputTokens',
    'outputTokens',
    'reasoningTokens',
    'cachedInputTokens',
  ] as const) {
    const value = usage[key]
    if (value !== undefined) known[key] = value
  }
  return known
}

/** A vendor's data, kept unread for the next request. */
export function vendorMeta(vendor: string, value: JsonObject): ProviderMetadata {
  return { [vendor]: value }
}

/** Whether two reports tell the same totals. */
export function sameUsage(a: Usage, b: Usage): boolean {
  return (
    a.inputTokens === b.inputTokens &&
    a.outputTokens === b.outputTokens &&
    a.reasoningTokens === b.reasoningTokens &&
    a.cachedInputTokens === b.cachedInputTokens
  )
}
