'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { useCommands } from '../commands.ts'
import { renderPart, type PartProps } from '../part.ts'
import { useApproval } from './approval-context.ts'

type ButtonProps = PartProps<'button', { readonly kind: 'primary' | 'plain' }>

/** A button that answers; nothing where there is no thread to answer to. */
function useAnswer(props: ButtonProps, approved: boolean, words: string): ReactElement | null {
  const { approvalId } = useApproval()
  const { addToolApprovalResponse: respond } = useCommands()
  if (respond === undefined) return null
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-button',
      onClick: () => void respond({ id: approvalId, approved }),
      children: words,
    },
    { kind: approved ? 'primary' : 'plain' },
  )
}

/** Lets the tool run. */
export function ApprovalAllow(props: ButtonProps): ReactElement | null {
  return useAnswer(props, true, useLabels().tool.approve)
}

/** Keeps the tool from running. */
export function ApprovalDeny(props: ButtonProps): ReactElement | null {
  return useAnswer(props, false, useLabels().tool.deny)
}
