import type { ToolAction, ToolOutcome } from '../protocol/events.ts'
import type { ActionRecord } from './action-log.ts'
import { toolNamed, type Tools } from './tool.ts'

/** The actions of a stream as a client is told of them, in order, with the compensations that are offered or done. */
export function toolActions(
  records: readonly ActionRecord[],
  tools: Tools | undefined,
): ToolAction[] {
  return records.flatMap((record) => {
    if (record.kind === 'compensate') return []
    const { toolCallId, name } = record
    const state = shown(record)
    const undone = records.find(
      (other) => other.kind === 'compensate' && other.toolCallId === toolCallId,
    )
    const compensation = undone && shown(undone)
    const isDone = compensation === 'pending' || compensation === 'succeeded'
    const isOffered =
      state === 'succeeded' && toolNamed(tools, name)?.compensate !== undefined && !isDone
    const action: ToolAction = {
      toolCallId,
      name,
      state,
      ...(isOffered && { compensable: true }),
      ...(compensation !== undefined && compensation !== 'not-run' && { compensation }),
    }
    return [action]
  })
}

function shown({ state }: ActionRecord): ToolOutcome | 'pending' | 'not-run' {
  return state === 'waiting' || state === 'withdrawn' ? 'not-run' : state
}
