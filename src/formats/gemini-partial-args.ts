import { isRecord } from '../protocol/json.ts'
import { string, type Fields } from './fields.ts'

/** Arguments that come as values at JSON paths (Vertex, `partialArgs`). */
export interface PartialArgs {
  readonly value: unknown
  add(piece: Fields): void
}

type Container = Record<string, unknown> | unknown[]

/** An index above it is an attack on memory, not an argument. */
const HIGHEST_INDEX = 9999
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor'])

/** Makes an empty argument object to put values into. */
export function createPartialArgs(): PartialArgs {
  const value: Record<string, unknown> = {}
  let growing: string | undefined

  return {
    value,
    add(piece) {
      const path = string(piece['jsonPath'])
      const steps = stepsOf(path)
      if (steps === undefined) return
      const given = valueOf(piece, steps.at(-1) === '[]')
      const target = reach(value, steps)
      if (target === undefined) return
      const [container, key] = target
      const before: unknown = Reflect.get(container, key)
      // A string may come in several pieces under one path.
      const next =
        growing === path && typeof before === 'string' && typeof given === 'string'
          ? before + given
          : given
      Reflect.set(container, key, next)
      growing = piece['willContinue'] === true ? path : undefined
    },
  }
}

/** `$.a['b'][0]` as its steps; `[]` for an empty list. `undefined` where a step is not allowed. */
function stepsOf(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = []
  for (const [, name, quoted, index] of path.matchAll(/\.([^.[\]]+)|\['([^']*)'\]|\[(\d*)\]/g)) {
    if (index === '') steps.push('[]')
    else if (index !== undefined) steps.push(Number(index))
    else steps.push(name ?? quoted ?? '')
  }
  const isSafe = steps.every((step) =>
    typeof step === 'number' ? step <= HIGHEST_INDEX : !FORBIDDEN.has(step),
  )
  return steps.length > 0 && isSafe ? steps : undefined
}

function valueOf(piece: Fields, isList: boolean): unknown {
  for (const name of ['stringValue', 'numberValue', 'boolValue'])
    if (piece[name] !== undefined) return piece[name]
  if ('nullValue' in piece) return null
  return isList ? [] : {}
}

/** Walks to the container of the last step, making what is missing on the way. */
function reach(
  root: Container,
  steps: readonly (string | number)[],
): [Container, string | number] | undefined {
  const path = steps.at(-1) === '[]' ? steps.slice(0, -1) : steps
  let at: Container = root
  for (const [index, step] of path.entries()) {
    if (step === '[]') return undefined
    const next = path[index + 1]
    if (next === undefined) return [at, step]
    const inner: unknown = Reflect.get(at, step)
    if (isRecord(inner) || Array.isArray(inner)) at = inner as Container
    else {
      const made: Container = typeof next === 'number' ? [] : {}
      Reflect.set(at, step, made)
      at = made
    }
  }
  return undefined
}
