'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useTool } from '../tool/tool-context.ts'
import { toolWords } from '../tool/tool-words.ts'
import { useApproval } from './approval-context.ts'

/** What is asked. */
export function ApprovalQuestion(props: PartProps<'p'>): ReactElement {
  const labels = useLabels()
  const part = useTool()
  const { questionId } = useApproval()
  return renderPart(
    'p',
    props,
    { id: questionId, className: 'sluice-approval-question', children: toolWords(part, labels) },
    {},
  )
}
