import { collectMessage, readModelStream, textOf, type ChatMessage } from 'sluice/core'
import { agUi, openaiChat } from 'sluice/formats'
import { expect, test } from 'vitest'
import type { StreamFormat } from '../../src/protocol/format.ts'
import { bodyOf, cuttings } from '../support/cuts.ts'

const record = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const chunk = (...choices: object[]): string => record({ id: 'x', choices })
const hi = chunk({ index: 0, delta: { content: 'Hi' }, finish_reason: null })

async function everyCut(
  format: StreamFormat,
  body: string,
  look: (message: ChatMessage) => void,
  type = 'text/event-stream',
): Promise<void> {
  for (const chunks of cuttings(new TextEncoder().encode(body))) {
    const response = new Response(bodyOf(chunks), { headers: { 'content-type': type } })
    look(await collectMessage(readModelStream(response, { format })))
  }
}

test('an error that is named and told in plain words is that error, in those words', async () => {
  await everyCut(openaiChat, `${hi}event: error\ndata: The worker was lost\n\n`, (message) => {
    expect(textOf(message)).toBe('Hi')
    expect(message.status).toMatchObject({
      reason: 'error',
      error: { code: 'vendor', message: 'The worker was lost' },
    })
  })
})

test('a status that comes as text counts', async () => {
  const error = record({ type: 'RUN_ERROR', message: 'Slow down.', code: '429' })
  await everyCut(agUi, error, (message) => {
    expect(message.status).toMatchObject({ error: { code: 'rate-limit', status: 429 } })
  })
})

test('of several choices in one record the one of index 0 is read, in whatever order they come', async () => {
  const body = [
    chunk(
      { index: 1, delta: { content: 'B' }, finish_reason: null },
      { index: 0, delta: { content: 'A' }, finish_reason: null },
    ),
    chunk({ index: 1, delta: {}, finish_reason: 'length' }),
    chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
    'data: [DONE]\n\n',
  ].join('')
  await everyCut(openaiChat, body, (message) => {
    expect(textOf(message)).toBe('A')
    expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
  })
})

test('an error document with status 200 is the error that it tells', async () => {
  const body = JSON.stringify({ error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })
  const look = (message: ChatMessage): void =>
    expect(message.status).toMatchObject({
      reason: 'error',
      error: { code: 'rate-limit', message: 'Slow down.' },
    })
  await everyCut(openaiChat, body, look, 'application/json')
})
