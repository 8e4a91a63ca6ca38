/**
 * `next`, with every part that equals the same part of `previous` replaced by it: plain data that was computed anew
 * keeps the identity of what did not change.
 */
export function share<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next
  if (typeof previous !== 'object' || typeof next !== 'object') return next
  if (previous === null || next === null) return next
  if (Array.isArray(next)) {
    if (!Array.isArray(previous)) return next
    return shareEntries(previous, next) as T
  }
  return Array.isArray(previous) ? next : (shareFields(previous, next) as T)
}

function shareEntries(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  let isSame = previous.length === next.length
  let isShared = false
  const shared = next.map((value, index) => {
    const result = share(previous[index], value)
    if (!Object.is(result, previous[index])) isSame = false
    if (!Object.is(result, value)) isShared = true
    return result
  })
  if (isSame) return previous
  return isShared ? shared : next
}

function shareFields(previous: object, next: object): object {
  const old = previous as Record<string, unknown>
  const result: Record<string, unknown> = {}
  const names = Object.keys(next)
  let isSame = names.length === Object.keys(previous).length
  for (const name of names) {
    const value = share(old[name], (next as Record<string, unknown>)[name])
    result[name] = value
    if (!Object.is(value, old[name]) || !(name in old)) isSame = false
  }
  return isSame ? previous : result
}
