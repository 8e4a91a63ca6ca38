import { isRecord } from '../protocol/json.ts'

/** A JSON object read with care. */
export type Fields = Readonly<Record<string, unknown>>

/** The value, where it is an object, else an empty one. */
export function fields(value: unknown): Fields {
  return isRecord(value) ? value : NONE
}

const NONE: Fields = Object.freeze({})

/** The value, where it is a string, else an empty one. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value, where it is an array, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** The value, where it is a finite number that is not negative. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
