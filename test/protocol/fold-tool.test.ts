import { describe, expect, test } from 'vitest'
import type { EventBody, ToolAction } from 'sluice/core'
import { emptyFold, fold } from '../../src/protocol/fold.ts'
import { answerTool } from '../../src/protocol/answer.ts'
import { messageOf } from '../../src/protocol/settle.ts'

const begin: EventBody = {
  type: 'tool_start',
  part: 'p',
  toolCallId: 'c',
  name: 'weather',
  inputKind: 'json',
  runs: 'server',
}
const piece = (argsText: string): EventBody => ({ type: 'tool_delta', toolCallId: 'c', argsText })
const whole: EventBody = {
  type: 'tool_complete',
  toolCallId: 'c',
  argsText: '{"city":"Oslo"}',
  args: { city: 'Oslo' },
}
const ask: EventBody = { type: 'tool_approval', toolCallId: 'c', approvalId: 'a', expiresAt: 9 }
const result = (
  state: 'succeeded' | 'failed' | 'denied' | 'unknown',
  more: { output?: unknown; error?: string; preliminary?: boolean } = {},
): EventBody => ({ type: 'tool_result', toolCallId: 'c', state, trusted: false, ...more })
const stateAfter = (...events: EventBody[]) => events.reduce(fold, emptyFold('m', 'r'))
const callAfter = (...events: EventBody[]) => stateAfter(...events).draft.parts[0]
const endedAfter = (actions: ToolAction[], ...events: EventBody[]) =>
  messageOf(stateAfter(...events, { type: 'cancelled', by: 'user', actions })).parts[0]

describe('arguments', () => {
  test('grow as raw text and are no input until the stream says that they are whole', () => {
    expect(callAfter(begin, piece('{"ci'), piece('ty":'))).toEqual({
      type: 'tool-weather',
      toolCallId: 'c',
      state: 'input-streaming',
      runs: 'server',
      inputEncoding: 'json',
      argsText: '{"city":',
      rawInput: '{"city":',
    })
    expect(callAfter(begin, piece('{"ci'), whole)).toEqual({
      type: 'tool-weather',
      toolCallId: 'c',
      state: 'input-available',
      runs: 'server',
      argsText: '{"city":"Oslo"}',
      input: { city: 'Oslo' },
    })
  })

  test('that do not parse make a call that can never run', () => {
    const broken: EventBody = { type: 'tool_complete', toolCallId: 'c', argsText: '{"city":' }
    expect(callAfter(begin, broken)).toMatchObject({
      state: 'output-error',
      input: undefined,
      rawInput: '{"city":',
      errorText: 'The arguments are not valid JSON.',
    })
    expect(callAfter(begin, broken, whole)).toMatchObject({ state: 'output-error' })
  })

  test('that still grow at the end are incomplete, whichever end it is', () => {
    for (const end of [
      { type: 'done', finishReason: 'stop' },
      { type: 'interrupted', sentinel: false },
      { type: 'cancelled', by: 'user' },
    ] satisfies EventBody[]) {
      expect(messageOf(stateAfter(begin, piece('{"city":"Os'), end)).parts[0]).toEqual({
        type: 'tool-weather',
        toolCallId: 'c',
        runs: 'server',
        argsText: '{"city":"Os',
        state: 'output-error',
        input: undefined,
        rawInput: '{"city":"Os',
        errorText: 'The arguments are incomplete.',
      })
    }
  })

  test('a call is opened once; a tool that is known by name only keeps its name', () => {
    const again = stateAfter(begin, whole, begin, piece('{}'))
    expect(again.draft.parts).toHaveLength(1)
    expect(again.draft.parts[0]).toMatchObject({ state: 'input-available' })
    expect(again.draft.counters.skipped).toBe(1)
    expect(callAfter({ ...begin, dynamic: true, runs: 'provider' })).toMatchObject({
      type: 'dynamic-tool',
      toolName: 'weather',
      providerExecuted: true,
    })
  })
})

describe('results', () => {
  test('a success, a preliminary one, a failure, a doubt', () => {
    expect(callAfter(begin, whole, result('succeeded', { output: 7, preliminary: true }))).toEqual({
      type: 'tool-weather',
      toolCallId: 'c',
      runs: 'server',
      argsText: '{"city":"Oslo"}',
      outcome: 'succeeded',
      trusted: false,
      state: 'output-available',
      input: { city: 'Oslo' },
      output: 7,
      preliminary: true,
    })
    expect(
      callAfter(
        begin,
        whole,
        result('succeeded', { output: 7, preliminary: true }),
        result('succeeded', { output: 8 }),
      ),
    ).not.toHaveProperty('preliminary')
    expect(callAfter(begin, whole, result('failed', { error: 'No such city.' }))).toMatchObject({
      state: 'output-error',
      outcome: 'failed',
      errorText: 'No such city.',
    })
    expect(callAfter(begin, whole, result('unknown'))).toMatchObject({
      state: 'output-error',
      outcome: 'unknown',
      errorText: 'It is not known whether this took effect.',
    })
  })

  test('denied by a person, and denied by a gate', () => {
    expect(callAfter(begin, whole, ask, result('denied'))).toMatchObject({
      state: 'output-denied',
      approval: { id: 'a', approved: false },
    })
    expect(
      callAfter(begin, whole, result('denied', { error: 'Not permitted: role.' })),
    ).toMatchObject({ state: 'output-error', outcome: 'denied', errorText: 'Not permitted: role.' })
  })

  test('a gate that denies what a person had allowed is no denial by the person', () => {
    const { draft } = stateAfter(begin, whole, ask)
    const parts = answerTool(draft.parts, { toolCallId: 'c', approvalId: 'a', approved: true })
    const denied = fold(
      { draft: { ...draft, parts }, keys: ['p'], end: undefined },
      result('denied'),
    )
    expect(denied.draft.parts[0]).toMatchObject({
      state: 'output-error',
      outcome: 'denied',
      approval: { id: 'a', approved: true },
    })
  })

  test('an approval is asked for, answered with a reason, and kept on the result', () => {
    const { draft } = stateAfter(begin, whole, ask)
    expect(draft.parts[0]).toMatchObject({
      state: 'approval-requested',
      approval: { id: 'a' },
      expiresAt: 9,
    })
    const allowed = answerTool(draft.parts, {
      toolCallId: 'c',
      approvalId: 'a',
      approved: true,
      reason: 'fine',
    })
    expect(allowed[0]).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'a', approved: true, reason: 'fine' },
    })
    const ran = answerTool(allowed, { toolCallId: 'c', state: 'succeeded', output: 1 })
    expect(ran[0]).toMatchObject({
      state: 'output-available',
      approval: { id: 'a', approved: true, reason: 'fine' },
    })
    const other = answerTool(draft.parts, { toolCallId: 'other', state: 'failed', error: 'x' })
    expect(other[0]).toBe(draft.parts[0])
  })
})

describe('what the end says of an action', () => {
  const action = (state: ToolAction['state']): ToolAction[] => [
    { toolCallId: 'c', name: 'weather', state },
  ]

  test.each([
    ['pending', 'output-error', 'unknown'],
    ['unknown', 'output-error', 'unknown'],
    ['failed', 'output-error', 'failed'],
    ['denied', 'output-error', 'denied'],
    ['succeeded', 'input-available', 'succeeded'],
    ['not-run', 'input-available', undefined],
  ] as const)('%s makes a waiting call %s', (state, shown, outcome) => {
    const part = endedAfter(action(state), begin, whole)
    expect(part).toMatchObject({ state: shown })
    expect((part as { outcome?: string }).outcome).toBe(outcome)
  })

  test('a result that has come stays; a preliminary one does not count as come', () => {
    expect(
      endedAfter(action('unknown'), begin, whole, result('succeeded', { output: 1 })),
    ).toMatchObject({
      state: 'output-available',
      output: 1,
    })
    expect(
      endedAfter(
        action('pending'),
        begin,
        whole,
        result('succeeded', { output: 1, preliminary: true }),
      ),
    ).toMatchObject({ state: 'output-error', outcome: 'unknown' })
    expect(endedAfter(action('denied'), begin, whole, ask, result('denied'))).toMatchObject({
      state: 'output-denied',
    })
  })
})
