'use client'
import { createContext, use, type Context } from 'react'
import type { ReasoningPart } from '../../protocol/message.ts'

/** A thought as its parts see it. */
export interface ReasoningValue {
  readonly part: ReasoningPart
  readonly isThinking: boolean
  /** How long it was watched, in milliseconds. */
  readonly watched: number | undefined
}

const ReasoningContext = createContext<ReasoningValue | undefined>(undefined)

/** Gives the parts below it their thought. */
export const ReasoningProvider: Context<ReasoningValue | undefined> = ReasoningContext

/** The thought around. */
export function useReasoning(): ReasoningValue {
  const reasoning = use(ReasoningContext)
  if (reasoning === undefined) throw new Error('This part needs a Reasoning.Root around it.')
  return reasoning
}
