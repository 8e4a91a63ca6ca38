import { describe, expect, test } from 'vitest'
import { createModelStream, httpTransport, textOf, type ChatMessage } from 'sluice/core'
import { agUi, aiSdkUi } from 'sluice/formats'
import type { StreamFormat } from '../../src/protocol/format.ts'
import { begun, createRig, done, text } from '../generation/rig.ts'
import { cuttings } from '../support/cuts.ts'

// The field reports that tell events in the words of nobody's protocol, said in the words of those that have them.

const encode = (records: readonly object[]): Uint8Array =>
  new TextEncoder().encode(records.map((record) => `data: ${JSON.stringify(record)}\n\n`).join(''))

async function read(format: StreamFormat, chunks: readonly Uint8Array[]): Promise<ChatMessage> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk)
      controller.close()
    },
  })
  const stream = createModelStream({
    transport: httpTransport({
      url: 'http://localhost/',
      format,
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    }),
  })
  return stream.start('q')
}

async function expectEverywhere(
  format: StreamFormat,
  records: readonly object[],
  expectRight: (message: ChatMessage) => void,
): Promise<void> {
  const bytes = encode(records)
  for (const chunks of cuttings(bytes)) expectRight(await read(format, chunks))
}

describe('B47: a stream stalls after its first delta, and the message comes as one snapshot', () => {
  test.each([
    ['grows what was streamed', 'P'],
    ['says what was streamed again', 'Plan: first do A, then B.'],
  ])('it %s', async (_, delta) => {
    await expectEverywhere(
      agUi,
      [
        { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
        { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta },
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [
            { id: 'u1', role: 'user', content: 'q' },
            { id: 'm1', role: 'assistant', content: 'Plan: first do A, then B.' },
          ],
        },
        { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
      ],
      (message) => {
        expect(textOf(message)).toBe('Plan: first do A, then B.')
        expect(message.parts).toHaveLength(1)
        expect(message.status).toMatchObject({ type: 'complete' })
      },
    )
  })
})

describe('B75: the run fails by an event of the protocol', () => {
  const expectFailed = (message: ChatMessage): void => {
    expect(textOf(message)).toBe('Hi')
    expect(message.status).toMatchObject({
      type: 'incomplete',
      reason: 'error',
      error: { message: 'Backend failed' },
    })
  }

  test('of AG-UI', () =>
    expectEverywhere(
      agUi,
      [
        { type: 'RUN_STARTED', threadId: 't', runId: 'r1' },
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' },
        { type: 'RUN_ERROR', message: 'Backend failed', code: 'E1' },
      ],
      expectFailed,
    ))

  test('of AI SDK', () =>
    expectEverywhere(
      aiSdkUi,
      [
        { type: 'start' },
        { type: 'text-start', id: 'p0' },
        { type: 'text-delta', id: 'p0', delta: 'Hi' },
        { type: 'error', errorText: 'Backend failed' },
      ],
      expectFailed,
    ))

  test('of ours, and the next question can be sent', async () => {
    const rig = createRig()
    void rig.stream.start('q')
    await rig.say(1, begun(), text('Hi'), {
      type: 'error',
      code: 'vendor',
      message: 'Backend failed',
      retryable: true,
    })
    expect(rig.shown).toMatchObject({ status: 'error', text: 'Hi' })
    void rig.stream.start('again')
    await rig.say(1, begun(), text('Yes'), done)
    expect(rig.shown).toMatchObject({ status: 'ready', text: 'Yes' })
  })
})

test('B77: what is replayed from the first event is shown once, and never changes what was shown', async () => {
  const rig = createRig()
  void rig.stream.start('q')
  await rig.say(1, begun(), text('Hello '))
  rig.server.last.close()
  await rig.settle()
  const shown: string[] = []
  const forget = rig.stream.subscribe(() => shown.push(rig.shown.text))
  const replay = [begun(), text('Hello '), text('world'), { type: 'part_end', part: 't' }, done]
  for (const [index, event] of replay.entries()) await rig.say(index + 1, event as typeof done)
  forget()
  expect(rig.server.last.kind).toBe('resume')
  expect(rig.shown).toMatchObject({ status: 'ready', text: 'Hello world' })
  expect(rig.shown.message?.parts).toHaveLength(1)
  for (const state of shown) expect('Hello world'.startsWith(state)).toBe(true)
  expect(shown.every((state) => state.length >= 'Hello '.length)).toBe(true)
})

describe('B89: a step of another source ends while a part is open', () => {
  const expectWhole = (message: ChatMessage): void => {
    expect(textOf(message)).toBe('one two')
    expect(message.status).toMatchObject({ type: 'complete', reason: 'stop' })
  }

  test('in AI SDK’s stream', () =>
    expectEverywhere(
      aiSdkUi,
      [
        { type: 'start' },
        { type: 'start-step' },
        { type: 'text-start', id: 'A' },
        { type: 'text-delta', id: 'A', delta: 'one ' },
        { type: 'finish-step' },
        { type: 'text-delta', id: 'A', delta: 'two' },
        { type: 'text-end', id: 'A' },
        { type: 'finish', finishReason: 'stop' },
      ],
      expectWhole,
    ))

  test('in ours', async () => {
    const rig = createRig()
    const answer = rig.stream.start('q')
    await rig.say(
      1,
      begun(),
      text('one ', 'A'),
      { type: 'step', finishReason: 'stop' },
      text('two', 'A'),
      { type: 'part_end', part: 'A' },
      done,
    )
    expectWhole(await answer)
  })
})
