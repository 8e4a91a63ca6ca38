import { isTextDelta } from '../protocol/coalesce.ts'
import {
  isTerminal,
  type StreamEvent,
  type TerminalEvent,
  type ToolAction,
} from '../protocol/events.ts'

/** What a stream's events amount to, apart from the text. */
export interface Tally {
  /** Add an event, in order. */
  add(event: StreamEvent): void
  /**
   * Tokens that the model has generated: the last total it told, plus one for each delta since. Exact for a model that
   * sends a delta a token or tells its usage as it goes; else the best that anybody knows.
   */
  outputTokens(): number
  /** Every tool action, in the order in which the model asked for them. */
  actions(): readonly ToolAction[]
  end(): TerminalEvent | undefined
}

/** Begins to count. Merged events count for all that they stand for. */
export function createTally(): Tally {
  let told = 0
  let since = 0
  let end: TerminalEvent | undefined
  const actions = new Map<string, ToolAction & { readonly ownRun: boolean }>()

  const set = (toolCallId: string, state: ToolAction['state']): void => {
    const action = actions.get(toolCallId)
    if (action !== undefined) actions.set(toolCallId, { ...action, state })
  }

  const add = (event: StreamEvent): void => {
    if (isTerminal(event)) {
      end = event
      const usage = event.type === 'done' ? event.usage?.outputTokens : undefined
      if (usage !== undefined) [told, since] = [usage, 0]
    } else if (isTextDelta(event)) {
      since += event.seq - (event.from ?? event.seq) + 1
    } else if (event.type === 'usage' && event.outputTokens !== undefined) {
      told = event.outputTokens
      since = 0
    } else if (event.type === 'tool_start') {
      const { toolCallId, name, runs } = event
      actions.set(toolCallId, { toolCallId, name, state: 'not-run', ownRun: runs !== 'client' })
    } else if (event.type === 'tool_delta') {
      since += 1
    } else if (event.type === 'tool_complete') {
      // A client's tool is begun by the client, and a server's once its arguments are whole.
      if (actions.get(event.toolCallId)?.ownRun === true && 'args' in event) {
        set(event.toolCallId, 'pending')
      }
    } else if (event.type === 'tool_approval') {
      set(event.toolCallId, 'not-run')
    } else if (event.type === 'tool_result' && event.preliminary !== true) {
      set(event.toolCallId, event.state)
    }
  }

  return {
    add,
    outputTokens: () =>
      end?.type === 'cancelled' && end.outputTokens !== undefined ? end.outputTokens : told + since,
    actions: () =>
      end?.actions ?? [...actions.values()].map(({ ownRun: _ownRun, ...action }) => action),
    end: () => end,
  }
}
