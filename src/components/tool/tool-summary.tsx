'use client'
import type { ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import type { PartProps } from '../part.ts'
import { stepSummary } from '../step-summary.tsx'
import { useTool } from './tool-context.ts'
import { toolWords } from './tool-words.ts'

/** The line that is always seen: what is being done, or was. */
export function ToolSummary(props: PartProps<'summary'>): ReactElement {
  return stepSummary(toolWords(useTool(), useLabels()), props)
}
