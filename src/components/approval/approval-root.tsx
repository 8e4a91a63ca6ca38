'use client'
import { memo, useId, useMemo, type NamedExoticComponent, type ReactElement } from 'react'
import { renderPart, type PartProps } from '../part.ts'
import { ToolArguments } from '../tool/tool-fields.tsx'
import { ToolProvider, type AnyToolPart } from '../tool/tool-context.ts'
import { ApprovalAllow, ApprovalDeny } from './approval-buttons.tsx'
import { ApprovalProvider } from './approval-context.ts'
import { ApprovalQuestion } from './approval-question.tsx'

/** A tool call that waits for a person. */
export type AskingToolPart = Extract<AnyToolPart, { state: 'approval-requested' }>

/** Props of {@link ApprovalRoot}. */
export type ApprovalRootProps = PartProps<'div'> & {
  readonly part: AskingToolPart
}

/** Asks a person whether a tool may run. The only part that asks for attention. */
export const ApprovalRoot: NamedExoticComponent<ApprovalRootProps> = memo(function ApprovalRoot({
  part,
  ...props
}: ApprovalRootProps): ReactElement {
  const questionId = useId()
  const approvalId = part.approval.id
  const approval = useMemo(() => ({ approvalId, questionId }), [approvalId, questionId])
  return (
    <ToolProvider value={part}>
      <ApprovalProvider value={approval}>
        {renderPart(
          'div',
          props,
          {
            role: 'group',
            'aria-labelledby': questionId,
            className: 'sluice-approval',
            children: (
              <>
                <ApprovalQuestion />
                <ToolArguments />
                <div className="sluice-approval-actions">
                  <ApprovalAllow />
                  <ApprovalDeny />
                </div>
              </>
            ),
          },
          {},
        )}
      </ApprovalProvider>
    </ToolProvider>
  )
})
