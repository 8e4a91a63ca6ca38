/** Any value that survives `JSON.stringify` and `JSON.parse`. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | JsonValue[]
  | { [key: string]: JsonValue | undefined }

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue | undefined }

/** Vendor data kept unread, by vendor name (`{ anthropic: { signature } }`); AI SDK's `ProviderMetadata`. */
export type ProviderMetadata = { [vendor: string]: JsonObject }

/** Reads JSON text; `undefined` where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Narrows an unknown value to an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deep merge of JSON objects; keys that could reach a prototype are left out. */
export function mergeJson(before: unknown, value: unknown): JsonObject {
  const result: JsonObject = isRecord(before) ? { ...(before as JsonObject) } : {}
  if (!isRecord(value)) return result
  for (const [key, next] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue
    result[key] = isRecord(next) ? mergeJson(result[key], next) : (next as JsonValue)
  }
  return result
}
