import { describe, expect, test } from 'vitest'
import { coalesce, type EventBody } from 'sluice/core'
import { mergeEvents } from '../../src/protocol/coalesce.ts'
import { numbered, REQUEST } from '../support/events.ts'

const text = (piece: string, part = 't'): EventBody => ({ type: 'text_delta', part, text: piece })

describe('coalesce', () => {
  test('neighbours of one part become one event with their range and the newer time', () => {
    const events = numbered([text('a'), text('b'), text('c')]).map((event, place) => ({
      ...event,
      at: 100 + place,
    }))
    expect(coalesce(events)).toEqual([
      {
        v: 1,
        requestId: REQUEST,
        seq: 3,
        from: 1,
        at: 102,
        type: 'text_delta',
        part: 't',
        text: 'abc',
      },
    ])
    expect(coalesce(coalesce(events))).toEqual(coalesce(events))
  })

  test.each<[string, EventBody, EventBody]>([
    ['two parts', text('a', '1'), text('b', '2')],
    ['two kinds', text('a'), { type: 'reasoning_delta', part: 't', text: 'b' }],
    ['vendor data', text('a'), { ...text('b'), meta: { v: { s: 1 } } } as EventBody],
    [
      'tool arguments',
      { type: 'tool_delta', toolCallId: 'c', argsText: '{' },
      { type: 'tool_delta', toolCallId: 'c', argsText: '}' },
    ],
    ['usage', { type: 'usage', outputTokens: 1 }, { type: 'usage', outputTokens: 2 }],
  ])('%s are never merged', (_, first, second) => {
    const events = numbered([first, second])
    expect(coalesce(events)).toEqual(events)
  })

  test('nothing is merged across a gap, another event, or another request', () => {
    const [a, b, c] = numbered([text('a'), text('b'), text('c')])
    expect(mergeEvents(a!, c!)).toBeUndefined()
    expect(mergeEvents(a!, { ...b!, requestId: 'another' })).toBeUndefined()
    const mixed = numbered([text('a'), { type: 'part_end', part: 't' }, text('b')])
    expect(coalesce(mixed)).toEqual(mixed)
  })

  test('a long answer costs its length', () => {
    const events = numbered(Array.from({ length: 200_000 }, () => text('word ')))
    const begun = performance.now()
    const [only, ...rest] = coalesce(events)
    expect(rest).toEqual([])
    expect(only).toMatchObject({ from: 1, seq: 200_000 })
    expect(performance.now() - begun).toBeLessThan(2000)
  })
})
