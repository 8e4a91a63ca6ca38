import type { JsonValue } from '../protocol/json.ts'
import { fields, string } from './fields.ts'

type Container = Record<string, JsonValue | undefined> | JsonValue[]

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor'])

/**
 * Applies a JSON Patch (RFC 6902) to a copy. Operations that fit nothing are left out: a display state that lags is
 * better than an answer that breaks. `test` is not checked, for the same reason.
 */
export function applyPatch(value: JsonValue, operations: readonly unknown[]): JsonValue {
  let root = structuredClone(value)
  for (const operation of operations.map(fields)) {
    const path = pathOf(operation['path'])
    const from = pathOf(operation['from'])
    switch (operation['op']) {
      case 'add':
      case 'replace':
        root = put(root, path, operation['value'] as JsonValue, operation['op'] === 'add')
        break
      case 'remove':
        root = put(root, path, undefined, false)
        break
      case 'move':
      case 'copy': {
        const moved = structuredClone(read(root, from))
        if (operation['op'] === 'move') root = put(root, from, undefined, false)
        if (moved !== undefined) root = put(root, path, moved, true)
      }
    }
  }
  return root
}

function pathOf(pointer: unknown): string[] {
  return string(pointer)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(root: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let at = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || FORBIDDEN.has(step)) return undefined
    at = (at as Record<string, JsonValue | undefined>)[step]
  }
  return at
}

function put(
  root: JsonValue,
  path: readonly string[],
  value: JsonValue | undefined,
  inserts: boolean,
): JsonValue {
  const last = path.at(-1)
  if (last === undefined) return value ?? null
  const parent = read(root, path.slice(0, -1))
  if (typeof parent !== 'object' || parent === null || FORBIDDEN.has(last)) return root
  const container: Container = parent
  if (!Array.isArray(container)) {
    if (value === undefined) delete container[last]
    else container[last] = value
    return root
  }
  const index = last === '-' ? container.length : Number(last)
  if (!Number.isInteger(index) || index < 0 || index > container.length) return root
  if (value === undefined) container.splice(index, 1)
  else container.splice(index, inserts ? 0 : 1, value)
  return root
}
