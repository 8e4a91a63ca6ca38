import type { EventBody, FinishReason } from 'sluice/core'
import { textSteps, type ScriptStep } from './scripted-stream.ts'

/** The time of a model's reading before it writes, in milliseconds. */
const firstToken = 500

const soon = (event: EventBody): ScriptStep => ({ after: 120, event })

export const question = 'How does a canal lock lift a boat without a pump?'

export const prose = `A lock never lifts a boat. It lets the river do it.

## A room with two doors

Picture a stone chamber set into a slope, with a pair of gates at either end. Above it the canal lies high; below it lies low. The gates meet in a shallow V that points upstream, so the weight of the water presses them shut.

1. The boat comes in from below, and the lower gates close behind it.
2. The keeper winds up the *paddles*, small sluices low in the upper gates.
3. Water runs down into the chamber. It rises, and the boat rises with it.

When chamber and canal stand level, nothing presses on the upper gates any more: they swing open at the push of a shoulder.`

export const half: string = prose.slice(0, prose.indexOf('The gates meet') + 42)

const opening: ScriptStep = { after: firstToken, event: { type: 'usage', inputTokens: 24 } }

const done = (finishReason: FinishReason): ScriptStep => soon({ type: 'done', finishReason })

/** A whole answer. */
export const complete: readonly ScriptStep[] = [opening, ...textSteps(prose), done('stop')]

/** A model that reads and reads. */
export const silent: readonly ScriptStep[] = [
  { after: 3_600_000, event: { type: 'done', finishReason: 'stop' } },
]

export const truncated: readonly ScriptStep[] = [opening, ...textSteps(half), done('length')]

export const interrupted: readonly ScriptStep[] = [
  opening,
  ...textSteps(half),
  soon({ type: 'interrupted', sentinel: false }),
]

export const unknown: readonly ScriptStep[] = [
  opening,
  ...textSteps(half),
  soon({ type: 'interrupted', sentinel: true }),
]

export const refused: readonly ScriptStep[] = [
  opening,
  ...textSteps('I can’t help with opening gates that belong to someone else.').map(
    ({ after, event }): ScriptStep => ({
      after,
      event: event.type === 'text_delta' ? { ...event, type: 'refusal_delta' } : event,
    }),
  ),
  done('refusal'),
]

export const filtered: readonly ScriptStep[] = [
  opening,
  ...textSteps('The gates can be forced with'),
  done('content-filter'),
]

export const failed: readonly ScriptStep[] = [
  opening,
  soon({
    type: 'error',
    code: 'overloaded',
    message: 'Overloaded: no capacity in this region.',
    retryable: true,
    status: 529,
  }),
]

export const rateLimited: readonly ScriptStep[] = [
  opening,
  soon({
    type: 'error',
    code: 'rate-limit',
    message: 'Limit of 20 requests a minute reached.',
    retryable: true,
    retryAfterMs: 20_000,
    status: 429,
  }),
]

const call = { part: 'call', toolCallId: 'call-1' } as const
const argsText = '{"station":"Avonmouth"}'

/** Thinks, looks something up, answers. */
export const withTool: readonly ScriptStep[] = [
  opening,
  ...textSteps('The reader wants the tide now, so a gauge has to be read.').map(
    ({ after, event }): ScriptStep => ({
      after,
      event:
        event.type === 'text_delta'
          ? { ...event, type: 'reasoning_delta', part: 'thought' }
          : event,
    }),
  ),
  soon({ type: 'part_end', part: 'thought' }),
  soon({ type: 'tool_start', ...call, name: 'tide_gauge', inputKind: 'json', runs: 'server' }),
  soon({ type: 'tool_delta', toolCallId: call.toolCallId, argsText: argsText.slice(0, 12) }),
  soon({ type: 'tool_delta', toolCallId: call.toolCallId, argsText: argsText.slice(12) }),
  soon({
    type: 'tool_complete',
    toolCallId: call.toolCallId,
    argsText,
    args: { station: 'Avonmouth' },
  }),
  {
    after: 900,
    event: {
      type: 'tool_result',
      toolCallId: call.toolCallId,
      state: 'succeeded',
      output: { level: 7.9, unit: 'm', trend: 'rising' },
      trusted: false,
    },
  },
  ...textSteps('At Avonmouth the tide stands at **7.9 m** and is rising.'),
  done('stop'),
]

/** Asks before it acts. */
export const asking: readonly ScriptStep[] = [
  opening,
  ...textSteps('I can open it. Please confirm.'),
  soon({ type: 'tool_start', ...call, name: 'open_sluice', inputKind: 'json', runs: 'server' }),
  soon({
    type: 'tool_complete',
    toolCallId: call.toolCallId,
    argsText: '{"gate":"north","percent":20}',
    args: { gate: 'north', percent: 20 },
  }),
  soon({ type: 'tool_approval', toolCallId: call.toolCallId, approvalId: 'approval-1' }),
  done('paused'),
]
