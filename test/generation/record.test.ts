import { describe, expect, test, vi } from 'vitest'
import { createRecorder, type EventBody, type SavedStream, type StopOutcome } from 'sluice/core'
import { begun, createRig, createServer, done, text, type Rig } from './rig.ts'

/** What is left of a saved stream after a page was closed and opened again. */
const reloaded = (saved: SavedStream | undefined): { stream: SavedStream; messages: [] } => ({
  stream: JSON.parse(JSON.stringify(saved)) as SavedStream,
  messages: [],
})
function recording(rig: Rig): () => SavedStream | undefined {
  const recorder = createRecorder()
  rig.stream.observe(recorder)
  return () => recorder.saved()
}
const contentOf = (rig: Rig): unknown => {
  const { message, status, error } = rig.shown
  if (message === undefined) return undefined
  const { counters: _, ...rest } = message
  return JSON.parse(JSON.stringify({ ...rest, hook: status, error }))
}
/** The same store, made from what was saved. */
const again = (saved: SavedStream | undefined, server = createServer()): Rig =>
  createRig(server, { saved: reloaded(saved) })

describe('what is saved', () => {
  test('events with their text merged, and the facts; the message is their fold', async () => {
    const rig = createRig()
    const saved = recording(rig)
    expect(saved()).toBeUndefined()
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'), text(' two'), text(' three'))
    rig.server.last.close()
    await rig.settle()
    await rig.say(4, text(' three'), text(' four'), done)
    expect(saved()?.events.map(({ from, seq, type }) => [from, seq, type])).toEqual([
      [undefined, 1, 'start'],
      [2, 5, 'text_delta'],
      [undefined, 6, 'done'],
    ])
    expect(saved()?.facts.map(({ after, fact }) => [after, fact.type])).toEqual([[0, 'sent']])
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
  })

  test('at every moment the saved stream makes the same message, or an interrupted one', async () => {
    const rig = createRig()
    const saved = recording(rig)
    const events: EventBody[] = [
      begun(),
      { type: 'reasoning_delta', part: 'r', text: 'Hm' },
      text('One'),
      {
        type: 'tool_start',
        part: 'p',
        toolCallId: 'c',
        name: 'n',
        inputKind: 'json',
        runs: 'server',
      },
      { type: 'tool_delta', toolCallId: 'c', argsText: '{"a":' },
      { type: 'tool_complete', toolCallId: 'c', argsText: '{"a":1}', args: { a: 1 } },
      { type: 'tool_result', toolCallId: 'c', state: 'succeeded', output: 2, trusted: false },
      text(' two'),
      { type: 'usage', outputTokens: 3 },
    ]
    void rig.stream.start('q')
    await rig.settle()
    for (const [place, event] of events.entries()) {
      await rig.say(place + 1, event)
      const copy = again(saved())
      expect(copy.shown.message?.status).toMatchObject({ reason: 'interrupted' })
      expect(copy.shown.text).toBe(rig.shown.text)
      expect(copy.shown.message?.parts.length).toBe(rig.shown.message?.parts.length)
    }
    await rig.say(10, done)
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
  })

  test.each<[string, StopOutcome]>([
    ['cancelled', { state: 'cancelled', outputTokens: 4, actions: [] }],
    ['completed', { state: 'completed', actions: [] }],
    ['unknown', { state: 'unknown', actions: [] }],
  ])('a Stop that was %s', async (_, outcome) => {
    const rig = createRig(createServer({ cancel: async () => outcome }))
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    void rig.stream.stop()
    expect(again(saved()).shown.message?.status).toMatchObject({ reason: 'cancelled' })
    await rig.settle()
    if (outcome.state === 'completed') await rig.say(3, text(' two'), done)
    expect(rig.shown.stopState).not.toBe('requested')
    // The tail is saved once, with the answer that brought it.
    expect(saved()?.events.map(({ seq }) => seq)).toEqual([1, 2])
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
  })

  test('a resumed stream forgets what had been concluded', async () => {
    const rig = createRig(createServer({ state: () => Promise.reject(new TypeError('down')) }), {
      limits: { tries: 0 },
    })
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    rig.server.last.close()
    await rig.settle()
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
    void rig.stream.resume()
    await rig.settle()
    await rig.say(3, text(' two'), done)
    expect(saved()?.facts.map(({ fact }) => fact.type)).toEqual(['sent'])
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
  })

  test('a replay from the start replaces the events', async () => {
    const rig = createRig()
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'))
    const { requestId } = rig.server.last
    rig.server.last.send({ v: 1, requestId, seq: 4, from: 2, ...text('One two') })
    await rig.settle()
    await rig.say(1, begun(), text('Anew'), text(' two'), text(' three'), done)
    expect(rig.shown.text).toBe('Anew two three')
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
  })

  test('a text that a review took back is not kept', async () => {
    const rig = createRig()
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(
      1,
      begun(),
      text('fine', 'a'),
      text('awful', 'b'),
      text(' too', 'a'),
      text(' thing', 'b'),
      {
        type: 'review',
        part: 'b',
        state: 'retracted',
        upTo: 11,
      },
    )
    expect(JSON.stringify(saved())).not.toMatch(/awful|thing/)
    await rig.say(7, { type: 'done', finishReason: 'content-filter' })
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
    expect(rig.shown.text).toBe('fine too')
  })

  test('a refusal by validate stays one; an answer that was not checked yet counts as refused', async () => {
    let judge!: (verdict: string) => void
    const validate = (): Promise<string> => new Promise((resolve) => (judge = resolve))
    const rig = createRig(undefined, { validate })
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('41'), done)
    const unchecked = createRig(undefined, { validate, saved: reloaded(saved()) })
    expect(unchecked.shown.message?.status).toMatchObject({ reason: 'invalid' })
    judge('Wrong.')
    await rig.settle()
    expect(contentOf(again(saved()))).toEqual(contentOf(rig))
    expect(rig.shown.error?.message).toBe('Wrong.')
  })

  test('a second question begins a new record', async () => {
    const rig = createRig()
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('One'), done)
    void rig.stream.start('r')
    await rig.say(1, begun(), text('Two'))
    expect(saved()?.events).toHaveLength(2)
    expect(again(saved()).shown.text).toBe('Two')
  })
})

describe('after a reload', () => {
  test('no callback and no request for what was saved; resume asks for what follows', async () => {
    const rig = createRig()
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), { type: 'data', part: 'd', name: 'n', value: 1 }, text('One'))
    const told = vi.fn<() => void>()
    const server = createServer()
    const copy = createRig(server, {
      saved: reloaded(saved()),
      onData: told,
      onError: told,
      onFinish: told,
    })
    expect(copy.shown).toMatchObject({ status: 'error', text: 'One' })
    expect(told).not.toHaveBeenCalled()
    expect(server.connections).toEqual([])
    expect(copy.clock.pending).toBe(0)
    const over = copy.stream.resume()
    await copy.settle()
    expect(server.last).toMatchObject({
      kind: 'resume',
      after: 3,
      requestId: rig.server.last.requestId,
    })
    await copy.say(4, text(' two'), done)
    expect((await over)?.status.type).toBe('complete')
    expect(copy.shown).toMatchObject({ status: 'ready', text: 'One two' })
    expect(told).toHaveBeenCalledTimes(1)
  })

  test('a replay from the start does not double what is there', async () => {
    const rig = createRig()
    const saved = recording(rig)
    void rig.stream.start('q')
    await rig.say(1, begun(), text('Hello '))
    const copy = again(saved())
    const shown: string[] = []
    copy.stream.subscribe(() => shown.push(copy.shown.text))
    void copy.stream.resume()
    await copy.settle()
    await copy.say(1, begun(), text('Hello '), text('world'), { type: 'part_end', part: 't' }, done)
    expect(new Set(shown)).toEqual(new Set(['Hello ', 'Hello world']))
    expect(copy.shown.message?.parts).toHaveLength(1)
  })

  test('what is no saved stream is the caller’s mistake', () => {
    expect(() =>
      createRig(undefined, { saved: { stream: { events: [], facts: [] }, messages: [] } }),
    ).toThrow('not a saved stream')
  })
})
