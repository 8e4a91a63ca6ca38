'use client'
import { createContext, use, type Context } from 'react'

/** A question as its parts see it. */
export interface ApprovalValue {
  readonly approvalId: string
  /** Id of the element that asks. */
  readonly questionId: string
}

const ApprovalContext = createContext<ApprovalValue | undefined>(undefined)

/** Gives the parts below it their question. */
export const ApprovalProvider: Context<ApprovalValue | undefined> = ApprovalContext

/** The question around. */
export function useApproval(): ApprovalValue {
  const approval = use(ApprovalContext)
  if (approval === undefined) throw new Error('This part needs an Approval.Root around it.')
  return approval
}
