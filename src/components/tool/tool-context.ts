'use client'
import { createContext, use, type Context } from 'react'
import type { DynamicToolPart, NamedToolPart } from '../../protocol/message.ts'

/** A call of a tool of either sort. */
export type AnyToolPart = NamedToolPart | DynamicToolPart

const ToolContext = createContext<AnyToolPart | undefined>(undefined)

/** Gives the parts below it their tool call. */
export const ToolProvider: Context<AnyToolPart | undefined> = ToolContext

/** The tool call around. */
export function useTool(): AnyToolPart {
  const part = use(ToolContext)
  if (part === undefined)
    throw new Error('This part needs a Tool.Root or an Approval.Root around it.')
  return part
}
