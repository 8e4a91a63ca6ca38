import { describe, expect, test } from 'vitest'
import type { EventBody, NamedToolPart } from 'sluice/core'
import { emptyFold, fold, type Fold } from '../../src/protocol/fold.ts'
import { messageOf } from '../../src/protocol/settle.ts'
import { createGrowing } from '../../src/generation/growing.ts'
import { begun, createRig, text } from './rig.ts'

const begin = (inputKind: 'json' | 'text' = 'json'): EventBody => ({
  type: 'tool_start',
  part: 'p',
  toolCallId: 'c',
  name: 'write',
  inputKind,
  runs: 'server',
})
const piece = (argsText: string): EventBody => ({ type: 'tool_delta', toolCallId: 'c', argsText })
const after = (events: readonly EventBody[], from: Fold = emptyFold('m', 'r')): Fold =>
  events.reduce(fold, from)
const previewOf = (part: unknown): unknown =>
  (part as NamedToolPart & { state: 'input-streaming' }).preview?.value

describe('what is shown of a message that grows', () => {
  test('arguments get a preview; other parts and unchanged calls keep their identity', () => {
    const show = createGrowing()
    const one = after([text('Hi'), begin(), piece('{"title":"Hel')])
    const shown = show(one.draft)
    expect(previewOf(shown.parts[1])).toEqual({ title: 'Hel' })
    expect(shown.parts[0]).toBe(one.draft.parts[0])
    expect(one.draft.parts[1]).not.toHaveProperty('preview')
    const two = after([text(' there')], one)
    expect(show(two.draft).parts[1]).toBe(shown.parts[1])
    const three = after([piece('lo"')], two)
    expect(previewOf(show(three.draft).parts[1])).toEqual({ title: 'Hello' })
  })

  test('whole arguments have an input and no preview', () => {
    const show = createGrowing()
    show(after([begin(), piece('{"a":')]).draft)
    const whole = after([
      begin(),
      piece('{"a":'),
      { type: 'tool_complete', toolCallId: 'c', argsText: '{"a":1}', args: { a: 1 } },
    ])
    expect(show(whole.draft)).toBe(whole.draft)
    expect(
      messageOf(after([{ type: 'cancelled', by: 'user' }], after([begin(), piece('{"a"')])))
        .parts[0],
    ).not.toHaveProperty('preview')
  })

  test('a call that was withdrawn and begins anew is read anew', () => {
    const show = createGrowing()
    const first = after([begin(), piece('{"title":"The first one')])
    expect(previewOf(show(first.draft).parts[0])).toEqual({ title: 'The first one' })
    const second = after(
      [{ type: 'reset', part: 'p' }, begin(), piece('{"title":"Another that is longer')],
      first,
    )
    expect(previewOf(show(second.draft).parts[0])).toEqual({ title: 'Another that is longer' })
  })

  test('arguments that are text are shown as such', () => {
    const show = createGrowing()
    expect(previewOf(show(after([begin('text'), piece('def f():\ud83d')]).draft).parts[0])).toBe(
      'def f():',
    )
  })

  test('no text in a snapshot ends in half a character, at any cut', async () => {
    const whole = 'a😀b👩‍👩‍👧c'
    const args = '{"t":"😀\\ud83d\\ude00"}'
    for (let cut = 0; cut <= args.length; cut++) {
      const rig = createRig()
      void rig.stream.start('q')
      await rig.say(1, begun(), text(whole.slice(0, cut)), begin(), piece(args.slice(0, cut)))
      const { message, text: shown } = rig.shown
      expect(shown.isWellFormed()).toBe(true)
      expect(JSON.stringify(previewOf(message?.parts.at(-1)) ?? '')).not.toMatch(/\\ud[89a-f]/i)
      await rig.say(5, text(whole.slice(cut)), piece(args.slice(cut)))
      expect(rig.shown.text).toBe(whole)
      expect(previewOf(rig.shown.message?.parts.at(-1))).toEqual({ t: '😀😀' })
      rig.stream.dispose()
    }
  })
})
