import { describe, expect, test } from 'vitest'
import type { ChatMessage, EventBody } from 'sluice/core'
import { continueFold, emptyFold, fold, type Fold } from '../../src/protocol/fold.ts'
import { messageOf } from '../../src/protocol/settle.ts'

const after = (events: readonly EventBody[], from: Fold = emptyFold('m', 'r')): Fold =>
  events.reduce(fold, from)
const partsOf = (...events: EventBody[]): ChatMessage['parts'] => after(events).draft.parts
/** An event as a newer or broken server may send it. */
const wire = (event: object): EventBody => event as EventBody

const text = (piece: string, part = 't'): EventBody => ({ type: 'text_delta', part, text: piece })
const done: EventBody = { type: 'done', finishReason: 'stop' }

describe('text', () => {
  test('parts stand in the order of their first appearance, and grow by key', () => {
    expect(
      partsOf(
        text('One', 'a'),
        { type: 'reasoning_delta', part: 'b', text: 'Hm' },
        text(' two', 'a'),
        { type: 'refusal_delta', part: 'c', text: 'I can' },
        { type: 'reasoning_delta', part: 'b', text: 'm.' },
        { type: 'refusal_delta', part: 'c', text: 'not.' },
      ),
    ).toEqual([
      { type: 'text', text: 'One two', state: 'streaming' },
      { type: 'reasoning', text: 'Hmm.', state: 'streaming' },
      { type: 'data-refusal', data: { text: 'I cannot.' } },
    ])
  })

  test('a key of another kind opens a part: thought and refusal never become answer text', () => {
    expect(
      partsOf(
        { type: 'reasoning_delta', part: 'x', text: 'secret' },
        text('said', 'x'),
        { type: 'refusal_delta', part: 'x', text: 'no' },
        text('!', 'x'),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'secret', state: 'streaming' },
      { type: 'text', text: 'said', state: 'streaming' },
      { type: 'data-refusal', data: { text: 'no' } },
      { type: 'text', text: '!', state: 'streaming' },
    ])
  })

  test('the end of a part ends that part alone', () => {
    const [one, two] = partsOf(text('a', '1'), text('b', '2'), { type: 'part_end', part: '1' })
    expect(one).toMatchObject({ state: 'done' })
    expect(two).toMatchObject({ state: 'streaming' })
  })

  test('vendor data is kept unread and merged', () => {
    const [part] = partsOf(
      { type: 'reasoning_delta', part: 'r', text: 'a', meta: { anthropic: { type: 'thinking' } } },
      { type: 'part_end', part: 'r', meta: { anthropic: { signature: 'sig' } } },
    )
    expect(part).toMatchObject({
      providerMetadata: { anthropic: { type: 'thinking', signature: 'sig' } },
    })
  })
})

describe('everything but text', () => {
  test('sources: a page, a document, a range', () => {
    const range = { part: 't', start: 0, end: 3 }
    expect(
      partsOf(
        { type: 'source', part: 's1', sourceId: '1', url: 'https://a.example', title: 'A', range },
        { type: 'source', part: 's2', sourceId: '2', filename: 'b.pdf' },
      ),
    ).toEqual([
      { type: 'source-url', sourceId: '1', url: 'https://a.example', title: 'A', range },
      {
        type: 'source-document',
        sourceId: '2',
        mediaType: 'text/plain',
        title: 'b.pdf',
        filename: 'b.pdf',
      },
    ])
  })

  test('a file in base64 becomes a data URL', () => {
    expect(
      partsOf(
        { type: 'file', part: 'f', mediaType: 'image/png', data: 'AAAA' },
        { type: 'file', part: 'g', mediaType: 'image/png', url: '/g.png', filename: 'g.png' },
      ),
    ).toEqual([
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
      { type: 'file', mediaType: 'image/png', url: '/g.png', filename: 'g.png' },
    ])
  })

  test('a component is one part, replaced under its key', () => {
    const line = (props: { n: number }): EventBody => ({
      type: 'component',
      part: 'c',
      componentId: 'card-1',
      name: 'Card',
      props,
    })
    expect(partsOf(line({ n: 1 }), line({ n: 2 }))).toEqual([
      { type: 'data-component', id: 'card-1', data: { name: 'Card', props: { n: 2 } } },
    ])
  })

  test('data of the same name and id replaces, in its place; transient data is not stored', () => {
    const state = after([
      { type: 'data', part: 'd1', name: 'progress', id: 'p', value: 1 },
      text('x'),
      { type: 'data', part: 'd2', name: 'progress', id: 'p', value: 2 },
      { type: 'data', part: 'd3', name: 'progress', id: 'q', value: 3 },
      { type: 'data', part: 'd4', name: 'other', id: 'p', value: 4 },
      { type: 'data', part: 'd5', name: 'flash', value: 5, transient: true },
    ])
    expect(state.draft.parts).toEqual([
      { type: 'data-progress', id: 'p', data: 2 },
      { type: 'text', text: 'x', state: 'streaming' },
      { type: 'data-progress', id: 'q', data: 3 },
      { type: 'data-other', id: 'p', data: 4 },
    ])
    expect(state.draft.counters.applied).toBe(6)
  })

  test('a part of one kind never replaces one of another', () => {
    expect(
      partsOf(text('kept', 'k'), { type: 'data', part: 'k', name: 'n', value: 1 }).map(
        (part) => part.type,
      ),
    ).toEqual(['text', 'data-n'])
  })

  test.each(['refusal', 'component'])(
    'the name data-%s is ours and is not taken from data',
    (name) => {
      const state = after([{ type: 'data', part: 'd', name, value: null }])
      expect(state.draft.parts).toEqual([])
      expect(state.draft.counters.skipped).toBe(1)
    },
  )

  test('metadata is merged deeply, and never reaches a prototype', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":1},"a":{"constructor":{"polluted":1},"__proto__":{"polluted":1},"y":2}}',
    ) as Record<string, never>
    const { draft } = after([
      { type: 'start', messageId: 'm', model: 'small', replayable: false, heartbeatMs: 0 },
      { type: 'metadata', value: { a: { x: 1 } } },
      { type: 'metadata', value: hostile },
    ])
    expect(draft.metadata).toEqual({ model: 'small', a: { x: 1, y: 2 } })
    expect(JSON.stringify(draft.metadata)).not.toContain('polluted')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('usage is a total: each report overwrites, field by field', () => {
    const { draft } = after([
      { type: 'usage', inputTokens: 10, outputTokens: 1 },
      { type: 'usage', outputTokens: 7, reasoningTokens: 2 },
    ])
    expect(draft.usage).toEqual({ inputTokens: 10, outputTokens: 7, reasoningTokens: 2 })
    expect(
      messageOf(
        after([
          { type: 'usage', inputTokens: 10 },
          { ...done, usage: { outputTokens: 9 } },
        ]),
      ).usage,
    ).toEqual({ inputTokens: 10, outputTokens: 9 })
  })

  test('a step is a border, and ends no other part', () => {
    expect(
      partsOf(text('one '), { type: 'step', finishReason: 'tool-calls' }, text('two')),
    ).toEqual([{ type: 'text', text: 'one two', state: 'streaming' }, { type: 'step-start' }])
  })

  test('a reset withdraws the parts opened at or after its part', () => {
    const events: EventBody[] = [
      text('kept', 'a'),
      text('gone', 'b'),
      { type: 'step', finishReason: 'stop' },
      text('gone', 'c'),
      text(' too', 'a'),
    ]
    const state = after([...events, { type: 'reset', part: 'b' }, text('new', 'b')])
    expect(state.draft.parts).toEqual([
      { type: 'text', text: 'kept too', state: 'streaming' },
      { type: 'text', text: 'new', state: 'streaming' },
    ])
  })

  test('the model goes into the metadata, the message keeps the id that the client gave it', () => {
    const start: EventBody = {
      type: 'start',
      messageId: 'theirs',
      replayable: true,
      heartbeatMs: 5,
    }
    expect(after([start]).draft.id).toBe('m')
    expect(after([start], emptyFold('')).draft.id).toBe('theirs')
  })
})

describe('review', () => {
  const review = (state: 'holding' | 'released' | 'retracted', part = 't'): EventBody => ({
    type: 'review',
    part,
    state,
    upTo: 0,
    category: 'violence',
  })

  test('a text that is held from its first word on is there, and empty', () => {
    const held = after([review('holding')])
    expect(held.draft.parts).toEqual([
      {
        type: 'text',
        text: '',
        state: 'streaming',
        review: { state: 'holding', category: 'violence' },
      },
    ])
    expect(after([text('ok'), review('released')], held).draft.parts).toMatchObject([
      { text: 'ok', review: { state: 'released' } },
    ])
    expect(after([{ type: 'reasoning_delta', part: 't', text: 'Hm' }], held).draft.parts).toEqual([
      { type: 'reasoning', text: 'Hm', state: 'streaming' },
    ])
  })

  test.each(['text_delta', 'reasoning_delta', 'refusal_delta'] as const)(
    'what is retracted of %s is gone',
    (type) => {
      const parts = partsOf({ type, part: 't', text: 'awful' }, review('retracted'))
      expect(JSON.stringify(parts)).not.toContain('awful')
      expect(parts).toHaveLength(1)
    },
  )
})

describe('what this version does not know', () => {
  test.each([
    { type: 'hologram', part: 'h' },
    { type: '__proto__' },
    { type: 'constructor' },
    { type: 'text_delta', part: 't' },
    { type: 'text_delta', text: 'no part' },
    { type: 'tool_result', toolCallId: 'c', state: 'perhaps', trusted: false },
    { type: 'component', part: 'c', componentId: 'c', name: 'C', props: [] },
    { type: 'metadata', value: 'x' },
    { type: 'part_end', part: 'nobody' },
    { type: 'tool_delta', toolCallId: 'nobody', argsText: '{' },
    { type: 'reset', part: 'nobody' },
  ])('$type $text $state is skipped and counted', (event) => {
    const before = after([text('x')])
    const state = fold(before, wire(event))
    expect(state.draft.counters).toEqual({ ...before.draft.counters, skipped: 1 })
    expect(state.draft.parts).toBe(before.draft.parts)
  })

  test('an end that is told badly is still an end, and never a better one', () => {
    const endOf = (event: object): ChatMessage => messageOf(after([text('x'), wire(event)]))
    expect(endOf({ type: 'done' }).status).toEqual({ type: 'complete', reason: 'other' })
    expect(endOf({ type: 'done', finishReason: 'toString' })).toMatchObject({
      status: { type: 'complete', reason: 'other' },
      rawFinishReason: 'toString',
    })
    expect(endOf({ type: 'error', code: 'new-in-2', message: { html: 1 } }).status).toMatchObject({
      type: 'incomplete',
      reason: 'error',
      error: { code: 'server', message: 'The server failed.', retryable: false },
    })
    expect(endOf({ type: 'interrupted' }).status).toMatchObject({ reason: 'interrupted' })
    expect(endOf({ type: 'cancelled', by: 'user', actions: 'none' }).status).toMatchObject({
      reason: 'cancelled',
    })
  })

  test('what follows the end is dropped and counted', () => {
    const state = after([text('x'), done, text(' late'), { type: 'interrupted', sentinel: false }])
    expect(messageOf(state)).toMatchObject({
      status: { type: 'complete', reason: 'stop' },
      parts: [{ text: 'x' }],
      counters: { applied: 2, late: 2 },
    })
  })
})

describe('identity', () => {
  test('an event changes its own part and no other', () => {
    const before = after([text('a', '1'), text('b', '2'), text('c', '3')])
    const { parts } = fold(before, text('!', '2')).draft
    expect(parts[0]).toBe(before.draft.parts[0])
    expect(parts[1]).not.toBe(before.draft.parts[1])
    expect(parts[2]).toBe(before.draft.parts[2])
    expect(before.draft.parts[1]).toMatchObject({ text: 'b' })
  })

  test('the end keeps every part that it does not settle', () => {
    const before = after([text('a', '1'), { type: 'part_end', part: '1' }, text('b', '2')])
    const { parts } = messageOf(fold(before, done))
    expect(parts[0]).toBe(before.draft.parts[0])
    expect(parts[1]).toEqual({ type: 'text', text: 'b', state: 'done' })
  })
})

describe('an answer in several streams', () => {
  test('the next stream goes on after a border, with a status of its own', () => {
    const first = messageOf(after([text('one', 't'), { type: 'done', finishReason: 'tool-calls' }]))
    const state = after([text('two', 't'), done], continueFold(first, 'r2'))
    expect(messageOf(state)).toMatchObject({
      id: 'm',
      requestIds: ['r', 'r2'],
      status: { type: 'complete', reason: 'stop' },
      finishReason: 'stop',
      parts: [{ text: 'one' }, { type: 'step-start' }, { text: 'two' }],
    })
    expect(messageOf(state).parts[0]).toBe(first.parts[0])
  })

  test('a reset in the next stream never reaches into the one before', () => {
    const first = messageOf(after([text('one', 't'), done]))
    const state = after([text('two', 't'), { type: 'reset', part: 't' }], continueFold(first, 'r2'))
    expect(state.draft.parts).toEqual([first.parts[0], { type: 'step-start' }])
  })
})
