/** The parts of a tool call. @module */
export { ToolRoot as Root, type ToolRootProps as RootProps } from './tool-root.tsx'
export { ToolSummary as Summary } from './tool-summary.tsx'
export { ToolArguments as Arguments, ToolResult as Result } from './tool-fields.tsx'
