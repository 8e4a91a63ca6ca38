'use client'
import { createContext, use, type ReactNode } from 'react'
import { en } from './en.ts'
import type { Labels } from './labels.ts'

const LabelsContext = createContext<Labels>(en)

/** Gives every part below it the strings of one language. */
export function LabelsProvider(props: {
  readonly labels: Labels
  readonly children?: ReactNode
}): ReactNode {
  return <LabelsContext value={props.labels}>{props.children}</LabelsContext>
}

/** The strings of the nearest {@link LabelsProvider}; English without one. */
export function useLabels(): Labels {
  return use(LabelsContext)
}
