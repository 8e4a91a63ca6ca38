/** Marks a `switch` as exhaustive: a missing case is a type error, and an impossible value fails loudly. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
