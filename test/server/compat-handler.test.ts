import Anthropic from '@anthropic-ai/sdk'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { compatHandler, type Model, type ModelRequest } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { scriptedModel, type ScriptedModel } from 'sluice/testing'
import { listen, type TestServer } from '../support/chat-server.ts'

const text = '水門を少しずつ開けば、水は静かに流れ出します。 By and by.'

const open: TestServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** Serves a model, and keeps what it was asked. */
async function serve(
  model: ScriptedModel = scriptedModel({ text, tokenMs: 2 }),
): Promise<{ readonly root: string; readonly asked: ModelRequest[] }> {
  const asked: ModelRequest[] = []
  const seen: Model = (request, io) => {
    asked.push(request)
    return model(request, io)
  }
  const server = await listen(toNodeListener(compatHandler({ model: seen })))
  open.push(server)
  return { root: new URL(server.url).origin, asked }
}

const openai = (root: string): OpenAI =>
  new OpenAI({ baseURL: `${root}/v1`, apiKey: 'none', maxRetries: 0 })

test('OpenAI’s client reads a chat completion', async () => {
  const { root, asked } = await serve()
  const stream = await openai(root).chat.completions.create({
    model: 'm',
    stream: true,
    temperature: 0,
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ],
  })
  let answer = ''
  let reason: string | null | undefined
  for await (const chunk of stream) {
    answer += chunk.choices[0]?.delta.content ?? ''
    reason = chunk.choices[0]?.finish_reason ?? reason
    expect(chunk.model).toBe('m')
  }
  expect(answer).toBe(text)
  expect(reason).toBe('stop')
  expect(asked[0]?.messages.map(({ role, parts }) => [role, parts])).toEqual([
    ['system', [{ type: 'text', text: 'Be brief.' }]],
    ['user', [{ type: 'text', text: 'Hello' }]],
  ])
  expect(asked[0]?.body).toMatchObject({ temperature: 0 })
})

test('OpenAI’s client reads a response', async () => {
  const { root, asked } = await serve()
  const stream = await openai(root).responses.create({
    model: 'm',
    stream: true,
    instructions: 'Be brief.',
    input: 'Hello',
  })
  let answer = ''
  let last = ''
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') answer += event.delta
    last = event.type
  }
  expect(answer).toBe(text)
  expect(last).toBe('response.completed')
  expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('Anthropic’s client reads a message', async () => {
  const { root, asked } = await serve()
  const client = new Anthropic({ baseURL: root, apiKey: 'none', maxRetries: 0 })
  const stream = client.messages.stream({
    model: 'm',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const message = await stream.finalMessage()
  expect(message.content).toMatchObject([{ type: 'text', text }])
  expect(message.stop_reason).toBe('end_turn')
  expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('AI SDK’s client reads a UI message', async () => {
  const { root } = await serve()
  const transport = new DefaultChatTransport({ api: `${root}/api/chat` })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'c',
    messageId: undefined,
    messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    abortSignal: undefined,
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  expect(last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([text])
})

describe('histories', () => {
  const tool = {
    type: 'dynamic-tool',
    toolName: 'tide',
    toolCallId: 'c1',
    state: 'output-available',
    input: { at: 'Avonmouth' },
    output: '7.9 m',
  }
  const shapes: readonly (readonly [string, object])[] = [
    [
      '/v1/chat/completions',
      {
        messages: [
          { role: 'user', content: 'Tide?' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'tide', arguments: '{"at":"Avonmouth"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: '7.9 m' },
        ],
      },
    ],
    [
      '/v1/responses',
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Tide?' }] },
          { type: 'function_call', call_id: 'c1', name: 'tide', arguments: '{"at":"Avonmouth"}' },
          { type: 'function_call_output', call_id: 'c1', output: '7.9 m' },
        ],
      },
    ],
    [
      '/v1/messages',
      {
        messages: [
          { role: 'user', content: 'Tide?' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'tide', input: { at: 'Avonmouth' } }],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c1',
                content: [{ type: 'text', text: '7.9 m' }],
              },
            ],
          },
        ],
      },
    ],
  ]
  test.each(shapes)('%s: a tool call finds its result', async (path, body) => {
    const { root, asked } = await serve()
    const response = await post(root + path, { stream: true, ...body })
    await response.text()
    expect(asked[0]?.messages.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [{ type: 'text', text: 'Tide?' }]],
      ['assistant', [tool]],
    ])
  })

  test.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['/v1/chat/completions', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['/v1/responses', { input: [{ type: 'computer_call' }] }],
    ['/v1/messages', { messages: 'Hello' }],
    ['/api/chat', { messages: [{ role: 'user', content: 'x' }] }],
  ])('%s: what is not understood is refused, never left out', async (path, body) => {
    const { root, asked } = await serve()
    const response = await post(root + path, { stream: true, ...body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(asked).toEqual([])
  })
})

const post = (url: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  })

test('a request for one whole answer is refused in words', async () => {
  const { root } = await serve()
  const failed = openai(root).chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  await expect(failed).rejects.toThrow('Only streams are served here')
})

test('a client that leaves stops the model, also while it is silent', async () => {
  const model = scriptedModel({ text, queueMs: 200, tokenMs: 5 })
  const { root, asked } = await serve(model)
  const leaving = new AbortController()
  const body = { stream: true, messages: [{ role: 'user', content: 'Hello' }] }
  await post(`${root}/v1/chat/completions`, body, leaving.signal)
  leaving.abort()
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(asked).toHaveLength(1)
  expect(model.generated).toBe(0)
})
