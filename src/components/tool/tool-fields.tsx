'use client'
import type { ReactElement, ReactNode } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useTool } from './tool-context.ts'

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

function field(props: PartProps<'section'>, name: string, text: string): ReactElement {
  const children: ReactNode = (
    <>
      <p className="sluice-field-name">{name}</p>
      <pre dir="auto">{text}</pre>
    </>
  )
  return renderPart('section', props, { className: 'sluice-field', children }, {})
}

/** What the tool is, or was, called with; its raw text while that still grows. */
export function ToolArguments(props: PartProps<'section'>): ReactElement | null {
  const labels = useLabels().tool
  const part = useTool()
  const text = part.input === undefined ? part.argsText : asText(part.input)
  return text === undefined || text === '' ? null : field(props, labels.arguments, text)
}

/** What the tool returned, or why it did not. Plain text, never interpreted. */
export function ToolResult(props: PartProps<'section'>): ReactElement | null {
  const labels = useLabels().tool
  const part = useTool()
  if (part.state === 'output-error') return field(props, labels.error, part.errorText)
  if (part.state !== 'output-available') return null
  return field(
    props,
    part.trusted === false ? labels.untrusted : labels.result,
    asText(part.output),
  )
}
