'use client'
import { createContext, use, useMemo, type Context } from 'react'

/**
 * What can be done about an answer. The value of `useChat` and a `ModelStream` both fit; a control whose command is
 * missing is not drawn.
 */
export interface AnswerCommands {
  /** Answers anew in place of the answer with this id. */
  regenerate?(options: { readonly messageId: string }): unknown
  /** Goes on after the last answer, which was cut. */
  continueResponse?(): unknown
  /** Connects again to the last answer's stream, or asks how it ended. */
  resumeStream?(): unknown
  /** A `ModelStream`'s name for `resumeStream`. */
  resume?(): unknown
  /** Does the most that can be done after a failure of the last answer. */
  retry?(): unknown
  /** Whether the rest of the last answer can still be had. */
  readonly canResume?: boolean | undefined
  addToolApprovalResponse?(response: {
    readonly id: string
    readonly approved: boolean
    readonly reason?: string
  }): unknown
}

const none: AnswerCommands = {}
const CommandsContext = createContext<AnswerCommands>(none)

/** Gives the messages below it what can be done about them. */
export const CommandsProvider: Context<AnswerCommands> = CommandsContext

/** The commands given, else those of the thread around. */
export function useCommands(given?: AnswerCommands | undefined): AnswerCommands {
  const around = use(CommandsContext)
  return given ?? around
}

/** The commands of a value that changes with each flush, themselves of stable identity. */
export function useStableCommands(source: AnswerCommands): AnswerCommands {
  const { regenerate, continueResponse, resumeStream, resume, retry } = source
  const { canResume, addToolApprovalResponse } = source
  return useMemo(
    () => ({
      ...(regenerate && { regenerate }),
      ...(continueResponse && { continueResponse }),
      ...(resumeStream && { resumeStream }),
      ...(resume && { resume }),
      ...(retry && { retry }),
      canResume,
      ...(addToolApprovalResponse && { addToolApprovalResponse }),
    }),
    [regenerate, continueResponse, resumeStream, resume, retry, canResume, addToolApprovalResponse],
  )
}
