'use client'
import { useMemo, type Ref } from 'react'
import { mergeRefs } from './part.ts'

/** One ref for two, of stable identity: React calls a ref anew whenever its identity changes. */
export function useMergedRef<T>(a: Ref<T> | undefined, b: Ref<T> | undefined): Ref<T> | undefined {
  return useMemo(() => mergeRefs(a, b), [a, b])
}
