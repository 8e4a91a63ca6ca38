'use client'
import { memo, type NamedExoticComponent, type ReactElement } from 'react'
import { renderPart, type PartProps } from '../part.ts'
import { ToolProvider, type AnyToolPart } from './tool-context.ts'
import { ToolArguments, ToolResult } from './tool-fields.tsx'
import { ToolSummary } from './tool-summary.tsx'
import { isToolRunning } from './tool-words.ts'

/** State of {@link ToolRoot}, as `data-*`. */
export type ToolRootState = {
  readonly part: 'tool'
  readonly state: AnyToolPart['state']
  readonly running: boolean
}

/** Props of {@link ToolRoot}. */
export type ToolRootProps = PartProps<'details', ToolRootState> & {
  readonly part: AnyToolPart
}

/** A call of a tool: one quiet line that opens. */
export const ToolRoot: NamedExoticComponent<ToolRootProps> = memo(function ToolRoot({
  part,
  ...props
}: ToolRootProps): ReactElement {
  return (
    <ToolProvider value={part}>
      {renderPart(
        'details',
        props,
        {
          className: 'sluice-step',
          children: (
            <>
              <ToolSummary />
              <div className="sluice-step-body">
                <ToolArguments />
                <ToolResult />
              </div>
            </>
          ),
        },
        { part: 'tool', state: part.state, running: isToolRunning(part) },
      )}
    </ToolProvider>
  )
})
