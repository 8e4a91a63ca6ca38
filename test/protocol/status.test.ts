import { describe, expect, test } from 'vitest'
import {
  reduce,
  statusOf,
  streamError,
  type EventBody,
  type Fact,
  type FinishReason,
} from 'sluice/core'
import { IDLE, messageIn, type GenerationState } from '../../src/generation/state.ts'
import { numbered, REQUEST } from '../support/events.ts'

const sent: Fact = { type: 'sent', requestId: REQUEST, messageId: 'm' }
const text: EventBody = { type: 'text_delta', part: 't', text: 'Kept.' }
const error = streamError('network', 'Lost.')

function after(
  events: readonly EventBody[],
  facts: readonly Fact[] = [],
  validates = false,
): GenerationState {
  const begun = reduce(IDLE, sent, 0)
  const heard = numbered(events).reduce((state, event) => reduce(state, event, 0, validates), begun)
  return facts.reduce((state, fact) => reduce(state, fact, 0, validates), heard)
}

const approval: EventBody[] = [
  {
    type: 'tool_start',
    part: 'p',
    toolCallId: 'c',
    name: 'pay',
    inputKind: 'json',
    runs: 'server',
  },
  { type: 'tool_complete', toolCallId: 'c', argsText: '{}', args: {} },
  { type: 'tool_approval', toolCallId: 'c', approvalId: 'a' },
]

interface Row {
  readonly end: string
  readonly events?: readonly EventBody[]
  readonly facts?: readonly Fact[]
  readonly type: string
  readonly reason?: string
  readonly hook: string
  readonly error?: string
}

const finished = (
  finishReason: FinishReason,
  type: string,
  hook = 'ready',
  reason: string = finishReason,
): Row => ({
  end: `done: ${finishReason}`,
  events: [text, { type: 'done', finishReason }],
  type,
  reason,
  hook,
})

// Protocol §3, "Status on the message", every row and every way into it.
const rows: readonly Row[] = [
  { end: 'nothing yet', events: [], type: 'running', hook: 'submitted' },
  {
    end: 'start and usage only',
    events: [
      { type: 'start', messageId: 'm', replayable: true, heartbeatMs: 0 },
      { type: 'usage', inputTokens: 3 },
    ],
    type: 'running',
    hook: 'submitted',
  },
  { end: 'some text', events: [text], type: 'running', hook: 'streaming' },
  {
    end: 'some text, stalled',
    events: [text],
    facts: [{ type: 'stalled' }],
    type: 'running',
    hook: 'streaming',
  },
  {
    end: 'some text, lost',
    events: [text],
    facts: [{ type: 'lost' }],
    type: 'running',
    hook: 'streaming',
  },
  finished('stop', 'complete'),
  finished('stop-sequence', 'complete'),
  finished('other', 'complete'),
  finished('tool-calls', 'requires-action'),
  {
    end: 'paused for an approval',
    events: [text, ...approval, { type: 'done', finishReason: 'paused' }],
    type: 'requires-action',
    reason: 'approval',
    hook: 'ready',
  },
  finished('paused', 'incomplete'),
  finished('length', 'incomplete'),
  finished('context-window', 'incomplete'),
  finished('content-filter', 'incomplete'),
  finished('refusal', 'incomplete'),
  { ...finished('interrupted', 'incomplete', 'error'), error: 'network' },
  {
    end: 'cancelled by the server',
    events: [text, { type: 'cancelled', by: 'server' }],
    type: 'incomplete',
    reason: 'cancelled',
    hook: 'ready',
  },
  {
    end: 'stopped by the person',
    events: [text],
    facts: [{ type: 'stopped' }],
    type: 'incomplete',
    reason: 'cancelled',
    hook: 'ready',
  },
  {
    end: 'stopped before the first event',
    events: [],
    facts: [{ type: 'stopped' }],
    type: 'incomplete',
    reason: 'cancelled',
    hook: 'ready',
  },
  {
    end: 'an end mark without a finish record',
    events: [text, { type: 'interrupted', sentinel: true }],
    type: 'incomplete',
    reason: 'unknown',
    hook: 'ready',
  },
  {
    end: 'the body ended',
    events: [text, { type: 'interrupted', sentinel: false }],
    type: 'incomplete',
    reason: 'interrupted',
    hook: 'error',
    error: 'network',
  },
  {
    end: 'the connection was lost for good',
    events: [text],
    facts: [{ type: 'concluded', conclusion: { type: 'interrupted', error } }],
    type: 'incomplete',
    reason: 'interrupted',
    hook: 'error',
    error: 'network',
  },
  {
    end: 'lost, and the state could not be had',
    events: [text],
    facts: [{ type: 'concluded', conclusion: { type: 'unknown', error } }],
    type: 'incomplete',
    reason: 'unknown',
    hook: 'error',
    error: 'network',
  },
  {
    end: 'the request failed',
    events: [],
    facts: [{ type: 'concluded', conclusion: { type: 'failed', error } }],
    type: 'incomplete',
    reason: 'error',
    hook: 'error',
    error: 'network',
  },
  {
    end: 'an error record',
    events: [text, { type: 'error', code: 'overloaded', message: 'Busy.', retryable: true }],
    type: 'incomplete',
    reason: 'error',
    hook: 'error',
    error: 'overloaded',
  },
]

describe('protocol §3: every end', () => {
  test.each(rows)('$end → $type/$reason, hook $hook', (row) => {
    const state = after(row.events ?? [], row.facts)
    const message = messageIn(state)
    expect(message?.status.type).toBe(row.type)
    expect((message?.status as { reason?: string } | undefined)?.reason).toBe(row.reason)
    expect(statusOf(state).status).toBe(row.hook)
    expect(statusOf(state).error?.code).toBe(row.error)
    // No text is ever thrown away, whichever way a stream ended.
    const said = row.events?.includes(text) === true
    expect(message?.parts.some((part) => part.type === 'text' && part.text === 'Kept.')).toBe(said)
  })

  test('an error keeps how long to wait, its status, and whether to ask again', () => {
    const busy: EventBody = {
      type: 'error',
      code: 'rate-limit',
      message: 'Slow down.',
      retryable: true,
      retryAfterMs: 7000,
      status: 429,
    }
    expect(statusOf(after([busy])).error).toEqual({
      code: 'rate-limit',
      message: 'Slow down.',
      retryable: true,
      retryAfterMs: 7000,
      status: 429,
    })
  })

  test('done, but refused by the application → incomplete/invalid, hook error', () => {
    const done: EventBody[] = [text, { type: 'done', finishReason: 'stop' }]
    const checking = after(done, [], true)
    expect(statusOf(checking).status).toBe('streaming')
    expect(messageIn(checking)?.status).toEqual({ type: 'running' })
    const passed = reduce(checking, { type: 'validated' }, 0, true)
    expect(messageIn(passed)?.status).toEqual({ type: 'complete', reason: 'stop' })
    expect(statusOf(passed).status).toBe('ready')
    const refused = reduce(checking, { type: 'validated', problem: 'Wrong sum.' }, 0, true)
    expect(messageIn(refused)?.status).toMatchObject({
      type: 'incomplete',
      reason: 'invalid',
      error: { code: 'invalid-output', message: 'Wrong sum.' },
    })
    expect(statusOf(refused).status).toBe('error')
  })

  test('only what would be complete is validated', () => {
    for (const finishReason of ['length', 'refusal', 'tool-calls', 'paused'] as const) {
      expect(after([text, { type: 'done', finishReason }], [], true).validation).toBe('none')
    }
  })
})

describe('what the client concluded reopens, what the stream said does not', () => {
  test.each(['interrupted', 'unknown', 'failed'] as const)('%s reopens', (type) => {
    const ended = after([text], [{ type: 'concluded', conclusion: { type, error } }])
    const reopened = reduce(ended, { type: 'lost' }, 0)
    expect(statusOf(reopened)).toMatchObject({ status: 'streaming', connection: 'reconnecting' })
    const [end] = numbered([{ type: 'done', finishReason: 'stop' }], REQUEST, 2)
    expect(messageIn(reduce(reopened, end!, 0))?.status).toEqual({
      type: 'complete',
      reason: 'stop',
    })
  })

  test.each<EventBody>([
    { type: 'done', finishReason: 'length' },
    { type: 'interrupted', sentinel: false },
    { type: 'cancelled', by: 'user' },
  ])('$type is final', (end) => {
    const ended = after([text, end])
    expect(reduce(ended, { type: 'lost' }, 0)).toBe(ended)
    expect(reduce(ended, { type: 'stopped' }, 0)).toBe(ended)
    const later: Fact = { type: 'concluded', conclusion: { type: 'unknown', error } }
    expect(reduce(ended, later, 0)).toBe(ended)
    const [second] = numbered([{ type: 'done', finishReason: 'stop' }], REQUEST, 3)
    expect(messageIn(reduce(ended, second!, 0))?.status).toEqual(messageIn(ended)?.status)
  })
})
