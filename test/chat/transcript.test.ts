import { describe, expect, test } from 'vitest'
import {
  createRecorder,
  exportTranscript,
  streamError,
  type ChatMessageInput,
  type MessageStatus,
} from 'sluice/core'
import { begun, createRig, done, text } from '../generation/rig.ts'

const error = streamError('network', 'Lost.')
const statuses: readonly MessageStatus[] = [
  { type: 'complete', reason: 'stop' },
  { type: 'complete', reason: 'stop-sequence' },
  { type: 'complete', reason: 'other' },
  { type: 'running' },
  { type: 'requires-action', reason: 'tool-calls' },
  { type: 'requires-action', reason: 'approval' },
  ...(
    [
      'length',
      'context-window',
      'content-filter',
      'refusal',
      'paused',
      'cancelled',
      'unknown',
    ] as const
  ).map((reason): MessageStatus => ({ type: 'incomplete', reason })),
  ...(['interrupted', 'error', 'invalid'] as const).map((reason): MessageStatus => ({
    type: 'incomplete',
    reason,
    error,
  })),
]
const messages: readonly ChatMessageInput[] = [
  { id: 'question', role: 'user', parts: [{ type: 'text', text: 'q' }] },
  { id: 'unsent', role: 'user', delivery: 'failed', parts: [{ type: 'text', text: 'r' }] },
  ...statuses.map((status, place): ChatMessageInput => ({
    id: `answer-${place}`,
    role: 'assistant',
    status,
    parts: [{ type: 'text', text: 'a' }],
  })),
]

describe('exportTranscript', () => {
  test('only complete: no answer of any other end, and nothing that was never sent', () => {
    const { entries } = exportTranscript(messages, { only: 'complete' })
    expect(entries.map(({ message }) => message.id)).toEqual([
      'question',
      'answer-0',
      'answer-1',
      'answer-2',
    ])
  })

  test('all: every message with its end state; what was running was interrupted', () => {
    const { entries } = exportTranscript(messages)
    expect(entries).toHaveLength(messages.length)
    expect(entries.map(({ message }) => message.status.type)).not.toContain('running')
    expect(entries.find(({ message }) => message.id === 'answer-3')?.message.status).toMatchObject({
      reason: 'interrupted',
    })
  })

  test('of a store: its messages, and the streams that made them; survives JSON', async () => {
    const rig = createRig()
    const recorder = createRecorder()
    rig.stream.observe(recorder)
    const over = rig.stream.start('q')
    await rig.say(1, begun(), text('One'), text(' two'), done)
    const message = await over
    const saved = recorder.saved()
    const transcript = exportTranscript({
      getSnapshot: () => ({ messages: [message] }),
      streamsOf: (id) => (id === message.id && saved !== undefined ? [saved] : undefined),
    })
    expect(transcript.entries).toEqual([{ message, streams: [saved] }])
    const copy = createRig(undefined, {
      saved: {
        stream: JSON.parse(JSON.stringify(transcript.entries[0]?.streams?.[0])),
        messages: [],
      },
    })
    expect(copy.shown.message).toMatchObject({ status: message.status, parts: message.parts })
  })
})
