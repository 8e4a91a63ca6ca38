import { describe, expect, test } from 'vitest'
import {
  collectMessage,
  toChatMessage,
  type ChatMessage,
  type EventBody,
  type StreamEvent,
} from 'sluice/core'
import { emptyFold, fold } from '../../src/protocol/fold.ts'
import { messageOf } from '../../src/protocol/settle.ts'
import { numbered, REQUEST } from '../support/events.ts'

const text = (piece: string): EventBody => ({ type: 'text_delta', part: 't', text: piece })

describe('collectMessage', () => {
  test('folds a whole stream', async () => {
    const events = numbered([
      { type: 'start', messageId: 'm', replayable: false, heartbeatMs: 0 },
      text('Hello'),
      { type: 'done', finishReason: 'stop', rawFinishReason: 'end_turn' },
    ])
    expect(await collectMessage(events)).toEqual({
      id: 'm',
      role: 'assistant',
      parts: [{ type: 'text', text: 'Hello', state: 'done' }],
      status: { type: 'complete', reason: 'stop' },
      requestIds: [REQUEST],
      finishReason: 'stop',
      rawFinishReason: 'end_turn',
      counters: {
        applied: 3,
        duplicates: 0,
        gaps: 0,
        foreign: 0,
        skipped: 0,
        late: 0,
        reconnects: 0,
      },
    })
  })

  test('the end of an iteration is no end', async () => {
    expect((await collectMessage(numbered([text('Hel')]))).status).toMatchObject({
      type: 'incomplete',
      reason: 'interrupted',
      error: { code: 'network' },
    })
    expect((await collectMessage([])).status).toMatchObject({ reason: 'interrupted' })
  })

  test('an error thrown by the iteration is the caller’s', async () => {
    async function* broken(): AsyncGenerator<StreamEvent> {
      yield* numbered([text('Hel')])
      throw new Error('mine')
    }
    await expect(collectMessage(broken())).rejects.toThrow('mine')
  })
})

describe('toChatMessage', () => {
  test('a message of AI SDK’s is filled in, one of ours keeps its identity', () => {
    const given = toChatMessage({ id: '1', role: 'user', parts: [{ type: 'text', text: 'q' }] })
    expect(given).toMatchObject({
      status: { type: 'complete', reason: 'stop' },
      requestIds: [],
      counters: { applied: 0 },
    })
    expect(toChatMessage(given)).toBe(given)
  })

  test('a stored running message loads as interrupted, with its parts settled and its text kept', () => {
    const stored: ChatMessage = {
      ...toChatMessage({ id: '1', role: 'assistant', parts: [] }),
      status: { type: 'running' },
      parts: [
        { type: 'text', text: 'Half', state: 'streaming' },
        { type: 'tool-x', toolCallId: 'c', state: 'input-streaming', argsText: '{"a' },
      ],
    }
    expect(toChatMessage(JSON.parse(JSON.stringify(stored)) as ChatMessage)).toMatchObject({
      status: { type: 'incomplete', reason: 'interrupted', error: { code: 'network' } },
      parts: [
        { type: 'text', text: 'Half', state: 'done' },
        { state: 'output-error', errorText: 'The arguments are incomplete.', rawInput: '{"a' },
      ],
    })
  })
})

test('a text that was cut in the middle of a character ends before it', () => {
  const cut = [text('a\uD83D'), { type: 'cancelled', by: 'user' } as const].reduce(
    fold,
    emptyFold('m', 'r'),
  )
  expect(messageOf(cut).parts).toEqual([{ type: 'text', text: 'a', state: 'done' }])
  const whole = [text('a\uD83D'), text('\uDE00'), { type: 'done', finishReason: 'stop' } as const]
  expect(messageOf(whole.reduce(fold, emptyFold('m', 'r'))).parts).toMatchObject([{ text: 'a😀' }])
})
