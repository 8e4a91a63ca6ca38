import { toolNamed, type Tools } from '../actions/tool.ts'
import type { ToolCall } from '../actions/tool-runner.ts'
import type { EventBody, Usage } from '../protocol/events.ts'
import { addUsage, usageIn } from './usage.ts'

/** What one model call has asked for, and what it has used. */
export interface Step {
  /** Takes what the model says; gives it as the stream says it. */
  add(body: EventBody): EventBody
  /** The calls that somebody has to see to before the model can go on, in their order. */
  open(): readonly ToolCall[]
  /** The tokens used so far, those before it included. */
  usage(): Usage
}

interface Call {
  readonly call: ToolCall
  readonly part: string
  readonly isOurs: boolean
  readonly isSettled: boolean
}

/** Begins a model call in a stream that has used tokens before. */
export function createStep(requestId: string, tools: Tools | undefined, before: Usage): Step {
  const calls = new Map<string, Call>()
  const parts = new Set<string>()
  let usage: Usage = {}

  const change = (id: string, to: (call: Call) => Call): void => {
    const call = calls.get(id)
    if (call !== undefined) calls.set(id, to(call))
  }

  const start = (body: EventBody & { type: 'tool_start' }): EventBody => {
    const { toolCallId, name, part } = body
    const isOurs = tools === undefined ? body.runs === 'client' : body.runs !== 'provider'
    const tool = toolNamed(tools, name)
    const isClients = tools === undefined || (tool !== undefined && tool.run === undefined)
    const runs = isOurs ? (isClients ? 'client' : 'server') : body.runs
    calls.set(toolCallId, {
      call: { requestId, toolCallId, name, runs },
      part,
      isOurs,
      isSettled: false,
    })
    return runs === body.runs ? body : { ...body, runs }
  }

  const withdraw = (from: string): void => {
    const order = [...parts]
    const gone = new Set(order.slice(order.indexOf(from)))
    if (!parts.has(from)) return
    for (const part of gone) parts.delete(part)
    for (const [id, { part }] of calls) if (gone.has(part)) calls.delete(id)
  }

  return {
    add(body) {
      if (body.type === 'reset') {
        withdraw(body.part)
        return body
      }
      if ('part' in body) parts.add(body.part)
      switch (body.type) {
        case 'tool_start':
          return start(body)
        case 'tool_complete':
          change(body.toolCallId, (known) => ({
            ...known,
            call: { ...known.call, args: body.args },
          }))
          return body
        case 'tool_approval': {
          const { approvalId: id, expiresAt } = body
          change(body.toolCallId, (known) => ({
            ...known,
            call: { ...known.call, approval: { id, expiresAt } },
          }))
          return body
        }
        case 'tool_result':
          if (body.preliminary !== true) {
            change(body.toolCallId, (known) => ({ ...known, isSettled: true }))
          }
          return body
        case 'usage':
          usage = { ...usage, ...usageIn(body) }
          return { type: 'usage', ...addUsage(before, usage) }
        case 'done':
          usage = { ...usage, ...usageIn(body.usage ?? {}) }
          return body
        default:
          return body
      }
    },
    open: () =>
      [...calls.values()].flatMap(({ call, isOurs, isSettled }) => {
        if (isSettled) return []
        if (call.approval !== undefined) return [call]
        if (!isOurs) return []
        // Arguments that are not whole are refused by name; without tools there is nobody to do so.
        return tools === undefined && call.args === undefined ? [] : [call]
      }),
    usage: () => addUsage(before, usage),
  }
}
