'use client'
import { createContext, use, type Context } from 'react'

/** A composer as its parts see it. */
export interface ComposerValue {
  readonly text: string
  readonly setText: (text: string) => void
  /** An answer is on its way, and the button stops it. */
  readonly isBusy: boolean
  readonly canSend: boolean
  /** Sends what was written, where that is possible. */
  readonly submit: () => void
  readonly stop: () => void
}

const ComposerContext = createContext<ComposerValue | undefined>(undefined)

/** Gives the parts below it their composer. */
export const ComposerProvider: Context<ComposerValue | undefined> = ComposerContext

/** The composer around. */
export function useComposer(): ComposerValue {
  const composer = use(ComposerContext)
  if (composer === undefined) throw new Error('This part needs a Composer.Root around it.')
  return composer
}
