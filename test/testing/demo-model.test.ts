import { expect, test } from 'vitest'
import { readModelStream } from 'sluice/core'
import { createStreamHandler } from 'sluice/server'
import { demoModel, demoScripts, demoTools } from 'sluice/testing'
import { collectMessage, toChatMessage } from '../../src/protocol/settle.ts'
import { textOf, refusalOf, type ChatMessage } from '../../src/protocol/message.ts'
import type { EventBody, StreamEvent } from '../../src/protocol/events.ts'

const model = demoModel({ queueMs: 0, prefillMs: 0, tokenMs: 0 })

const user = (text: string): ChatMessage =>
  toChatMessage({ id: 'q', role: 'user', parts: [{ type: 'text', text }] })

async function answer(...messages: ChatMessage[]): Promise<ChatMessage> {
  const { signal } = new AbortController()
  const events = model({ messages, messageId: 'm', body: {} }, { signal, requestId: 'r' })
  if (events instanceof Promise) throw new Error('The demonstration model makes its own events.')
  return collectMessage(sealed(events))
}

async function* sealed(events: AsyncIterable<EventBody>): AsyncGenerator<StreamEvent> {
  let seq = 0
  for await (const event of events) yield { v: 1, requestId: 'r', seq: (seq += 1), ...event }
}

const prompt = (id: string): ChatMessage =>
  user(demoScripts.find((script) => script.id === id)?.prompt ?? '')

const answering = demoScripts.filter(({ id }) => id !== 'error')

test.each(answering.map(({ id }) => [id]))(
  '%s: has an answer that is worth reading',
  async (id) => {
    const message = await answer(prompt(id))
    const answered = textOf(message) + refusalOf(message)
    expect(answered).not.toContain("I'm a script")
    expect(answered.length).toBeGreaterThan(300)
  },
)

test.each([
  ['length', 'incomplete', 'length'],
  ['refusal', 'incomplete', 'refusal'],
  ['interrupted', 'incomplete', 'interrupted'],
  ['prose', 'complete', 'stop'],
])('%s ends as %s, %s', async (id, type, reason) => {
  expect((await answer(prompt(id))).status).toMatchObject({ type, reason })
})

test('error tells how long to wait', async () => {
  expect((await answer(prompt('error'))).status).toMatchObject({
    reason: 'error',
    error: { code: 'rate-limit', retryAfterMs: 20_000 },
  })
})

test('goes on where an answer was cut off', async () => {
  const cut = await answer(prompt('length'))
  const rest = await answer(prompt('length'), { ...cut, id: 'a1' })
  expect(rest.status).toEqual({ type: 'complete', reason: 'stop' })
  expect(textOf(cut)).toMatch(/through which the$/)
  expect(textOf(rest)).toMatch(/^ tide can scour/)
})

test('says what it is to anything else, and what it can be asked', async () => {
  const written = textOf(await answer(user('Who won in 1966?')))
  expect(written).toContain("I'm a script")
  for (const script of demoScripts) expect(written).toContain(script.prompt)
})

test('asks for a tool that the server has, and goes on with what it returned', async () => {
  const handler = createStreamHandler({ model: demoModel({ tokenMs: 0 }), tools: demoTools })
  const response = await handler(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [prompt('tool')] }),
    }),
  )
  const message = await collectMessage(readModelStream(response))
  expect(message.parts.map(({ type }) => type)).toEqual([
    'text',
    'tool-tide_lookup',
    'step-start',
    'text',
  ])
  expect(message.parts[1]).toMatchObject({ runs: 'server', output: { trend: 'rising' } })
  expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
})

test('shows the tool call with its result, and its thoughts apart from the answer', async () => {
  const tool = await answer(prompt('tool'))
  expect(tool.parts.map(({ type }) => type)).toEqual(['text', 'tool-tide_lookup', 'text'])
  expect(tool.parts[1]).toMatchObject({
    state: 'output-available',
    output: { trend: 'rising' },
  })
  const reasoning = await answer(prompt('reasoning'))
  expect(reasoning.parts.map(({ type }) => type)).toEqual(['reasoning', 'text'])
})
