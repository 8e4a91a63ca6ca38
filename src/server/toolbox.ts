import type { ActionLog, ActionRecord } from '../actions/action-log.ts'
import { descriptionsOf } from '../actions/descriptions.ts'
import { toolActions } from '../actions/tool-action.ts'
import { createToolRunner, type ToolRunner } from '../actions/tool-runner.ts'
import { toolNamed, type Tools } from '../actions/tool.ts'
import type { Clock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { ToolAction } from '../protocol/events.ts'
import type { ToolDescription } from '../protocol/transport.ts'

/** The tools of one handler, and all that is needed to run them. */
export interface Toolbox {
  readonly tools: Tools | undefined
  readonly descriptions: readonly ToolDescription[] | undefined
  readonly log: ActionLog
  readonly runner: ToolRunner
  /** Most model calls of one stream. */
  readonly maxSteps: number
}

/** Checks and puts together what the handler was given. */
export function createToolbox(options: {
  readonly tools: Tools | undefined
  readonly log: ActionLog
  readonly maxSteps: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Toolbox {
  const { tools, log, maxSteps } = options
  if (!Number.isInteger(maxSteps) || maxSteps < 1) {
    throw new SluiceError('invalid-options', `maxSteps must be 1 or more, not ${maxSteps}.`)
  }
  const descriptions = tools && descriptionsOf(tools)
  return { tools, descriptions, log, runner: createToolRunner(options), maxSteps }
}

/** What a stream told of its actions, set right by what the action log knows by now. */
export function trueActions(
  told: readonly ToolAction[],
  records: readonly ActionRecord[],
  tools: Tools | undefined,
): readonly ToolAction[] {
  const known = new Map(
    toolActions(records, tools).map((action) => [action.toolCallId, action] as const),
  )
  return told.map((action) => {
    const { toolCallId, name, state } = action
    const isOurs = toolNamed(tools, name)?.run !== undefined
    // What runs here is written down before it begins.
    const unwritten =
      isOurs && state === 'pending' ? { ...action, state: 'not-run' as const } : action
    return known.get(toolCallId) ?? unwritten
  })
}
