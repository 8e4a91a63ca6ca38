import { describe, expect, test, vi } from 'vitest'
import {
  createChat,
  isToolPart,
  SluiceError,
  textOf,
  type ChatStore,
  type Transport,
} from 'sluice/core'
import { done, handTransport, settled, start, text } from '../support/hand-transport.ts'

const words = (chat: ChatStore): string[] =>
  chat.getSnapshot().messages.map((message) => `${message.role}: ${textOf(message)}`)
const lastOf = (chat: ChatStore) => chat.getSnapshot().messages.at(-1)!

describe('sending', () => {
  test('a question is shown at once, its answer under it, and every message keeps its identity', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const over = chat.sendMessage('What is a sluice?')
    expect(words(chat)).toEqual(['user: What is a sluice?', 'assistant: '])
    expect(chat.getSnapshot().status).toBe('submitted')
    expect(chat.getSnapshot().messages[0]?.delivery).toBe('sending')
    transport.last.send(start(), text('A gate'), text(' for water.'), done())
    await over
    expect(words(chat)).toEqual(['user: What is a sluice?', 'assistant: A gate for water.'])
    expect(chat.getSnapshot().status).toBe('ready')
    expect(chat.getSnapshot().messages[0]?.delivery).toBeUndefined()
    const [question, answer] = chat.getSnapshot().messages
    const next = chat.sendMessage('And a weir?')
    transport.last.send(start('b'), text('A step.'), done())
    await next
    expect(chat.getSnapshot().messages[0]).toBe(question)
    expect(chat.getSnapshot().messages[1]).toBe(answer)
    expect(transport.last.request.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
  })

  test('what is sent while an answer runs waits, can be taken back, and goes on after it', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const first = chat.sendMessage('one')
    await chat.sendMessage('two')
    await chat.sendMessage('three')
    expect(chat.getSnapshot().queue.map((queued) => queued.draft)).toEqual(['two', 'three'])
    chat.removeQueued(chat.getSnapshot().queue[0]!.id)
    transport.last.send(start(), text('1'), done())
    await first
    expect(words(chat)).toEqual(['user: one', 'assistant: 1', 'user: three', 'assistant: '])
    expect(chat.getSnapshot().queue).toEqual([])
    expect(transport.streams).toHaveLength(2)
  })

  test('after a failure the queue waits for the person', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const first = chat.sendMessage('one')
    await chat.sendMessage('two')
    transport.last.send({ type: 'error', code: 'overloaded', message: 'Busy.', retryable: true })
    await first
    expect(chat.getSnapshot().status).toBe('error')
    expect(chat.getSnapshot().queue).toHaveLength(1)
    expect(transport.streams).toHaveLength(1)
  })

  test('a request that never arrived is told on the message and sent again under its id', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const first = chat.sendMessage('hello')
    const { requestId } = transport.last.request
    transport.last.fail(new TypeError('fetch failed'))
    await first
    expect(chat.getSnapshot().messages[0]?.delivery).toBe('failed')
    expect(chat.getSnapshot().error?.code).toBe('network')
    const again = chat.retry()
    await settled()
    expect(transport.last.request.requestId).toBe(requestId)
    transport.last.send(start(), text('Hi.'), done())
    await again
    expect(words(chat)).toEqual(['user: hello', 'assistant: Hi.'])
    expect(chat.getSnapshot().messages[0]?.delivery).toBeUndefined()
  })

  test('a refused request without a word is replaced by the retry; one with text stays beside it', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const first = chat.sendMessage('hello')
    transport.last.send({
      type: 'error',
      code: 'rate-limit',
      message: 'Slow down.',
      retryable: true,
      retryAfterMs: 20_000,
    })
    await first
    const second = chat.retry()
    await settled()
    transport.last.send(start('b'), text('Half an'))
    transport.last.close()
    await second
    expect(lastOf(chat).status).toMatchObject({ type: 'incomplete', reason: 'interrupted' })
    expect(chat.branchesOf(lastOf(chat).id).ids).toHaveLength(1)
    const third = chat.retry()
    await settled()
    transport.last.send(start('c'), text('A whole answer.'), done())
    await third
    expect(chat.branchesOf(lastOf(chat).id)).toMatchObject({ index: 1 })
    chat.selectBranch(chat.branchesOf(lastOf(chat).id).ids[0]!)
    expect(words(chat)).toEqual(['user: hello', 'assistant: Half an'])
  })
})

describe('stopping', () => {
  test('the page is ready in the same tick, and what comes later of the old run touches nothing', async () => {
    let answer!: (outcome: { state: 'cancelled'; outputTokens: number; actions: [] }) => void
    const transport = handTransport(() => new Promise((resolve) => (answer = resolve)))
    const chat = createChat({ transport })
    void chat.sendMessage('one')
    transport.last.send(start(), text('Some'))
    await settled()
    const outcome = chat.stop()
    expect(chat.getSnapshot().status).toBe('ready')
    expect(chat.getSnapshot().stopState).toBe('requested')
    expect(lastOf(chat).status).toEqual({ type: 'incomplete', reason: 'cancelled' })
    const stopped = lastOf(chat).id
    const second = chat.sendMessage('two')
    transport.last.send(start('b'), text('Other'))
    await settled()
    answer({ state: 'cancelled', outputTokens: 12, actions: [] })
    expect(await outcome).toMatchObject({ state: 'cancelled', outputTokens: 12 })
    transport.last.send(done())
    await second
    expect(words(chat)).toEqual(['user: one', 'assistant: Some', 'user: two', 'assistant: Other'])
    const old = chat.getSnapshot().messages.find((message) => message.id === stopped)
    expect(old?.usage?.outputTokens).toBe(12)
  })
})

describe('branches', () => {
  const answered = async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const over = chat.sendMessage('one')
    transport.last.send(start(), text('first'), done())
    await over
    return { transport, chat }
  }

  test('regenerate puts another answer beside the first; both can be shown', async () => {
    const { transport, chat } = await answered()
    const again = chat.regenerate()
    transport.last.send(start('b'), text('second'), done())
    await again
    const { ids, index } = chat.branchesOf(lastOf(chat).id)
    expect([ids.length, index]).toEqual([2, 1])
    chat.selectBranch(ids[0]!)
    expect(words(chat)).toEqual(['user: one', 'assistant: first'])
  })

  test('an edit is a branch of the question, and its answer belongs to it', async () => {
    const { transport, chat } = await answered()
    const edit = chat.editMessage(chat.getSnapshot().messages[0]!.id, 'uno')
    transport.last.send(start('b'), text('primero'), done())
    await edit
    expect(words(chat)).toEqual(['user: uno', 'assistant: primero'])
    chat.selectBranch(chat.branchesOf(chat.getSnapshot().messages[0]!.id).ids[0]!)
    expect(words(chat)).toEqual(['user: one', 'assistant: first'])
  })

  test('an answer that streams in a branch that is not shown changes nothing that is', async () => {
    const { transport, chat } = await answered()
    const shown = lastOf(chat).id
    const again = chat.regenerate()
    chat.selectBranch(shown)
    const before = chat.getSnapshot().messages
    transport.last.send(start('b'), text('second'))
    await settled()
    expect(chat.getSnapshot().messages).toEqual(before)
    transport.last.send(done())
    await again
    expect(words(chat)).toEqual(['user: one', 'assistant: first'])
  })

  test('continuing a cut answer makes a new message that names the cut one, which stays incomplete', async () => {
    const transport = handTransport()
    const chat = createChat({ transport })
    const over = chat.sendMessage('one')
    transport.last.send(start(), text('It is cu'), done('length'))
    await over
    const cut = lastOf(chat)
    const more = chat.continueResponse()
    transport.last.send(start('b'), text('t no more.'), done())
    await more
    expect(words(chat)).toEqual(['user: one', 'assistant: It is cu', 'assistant: t no more.'])
    expect(lastOf(chat).continues).toBe(cut.id)
    expect(chat.getSnapshot().messages[1]?.status).toEqual({ type: 'incomplete', reason: 'length' })
    expect(transport.last.request.messages.at(-1)?.id).toBe(cut.id)
  })
})

test('a tool that runs here is answered once, posted, and its message goes on', async () => {
  const transport = handTransport()
  const onToolCall = vi.fn()
  const chat = createChat({ transport, onToolCall })
  const over = chat.sendMessage('Weather?')
  transport.last.send(
    start(),
    {
      type: 'tool_start',
      part: 'p',
      toolCallId: 'c1',
      name: 'weather',
      inputKind: 'json',
      runs: 'client',
    },
    { type: 'tool_complete', toolCallId: 'c1', argsText: '{"city":"Ulm"}', args: { city: 'Ulm' } },
    done('tool-calls'),
  )
  await over
  expect(onToolCall).toHaveBeenCalledTimes(1)
  expect(lastOf(chat).status).toEqual({ type: 'requires-action', reason: 'tool-calls' })
  const first = transport.last.request.requestId
  const more = chat.addToolOutput({ toolCallId: 'c1', output: '4 degrees' })
  await settled()
  expect(transport.answers).toEqual([{ toolCallId: 'c1', state: 'succeeded', output: '4 degrees' }])
  expect(transport.last.request.continues).toBe(first)
  transport.last.send(start('x'), text('Cold.'), done())
  await more
  expect(lastOf(chat).parts.map((part) => part.type)).toEqual([
    'tool-weather',
    'step-start',
    'text',
  ])
  expect(lastOf(chat).requestIds).toHaveLength(2)
  expect(chat.getSnapshot().messages).toHaveLength(2)
  expect(onToolCall).toHaveBeenCalledTimes(1)
})

test('an error that was put away does not hide what a retry of it shows', async () => {
  const transport = handTransport()
  const chat = createChat({ transport })
  const over = chat.sendMessage('hello')
  transport.last.fail(new TypeError('fetch failed'))
  await over
  chat.clearError()
  expect(chat.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
  void chat.retry()
  await settled()
  expect(chat.getSnapshot().status).toBe('submitted')
})

test('who looks from beside may come before a stream and go while it runs', async () => {
  const transport = handTransport()
  const chat = createChat({ transport })
  const event = vi.fn()
  const off = chat.observe({ event })
  void chat.sendMessage('hello')
  transport.last.send(start(), text('Hi'))
  await settled()
  expect(event).toHaveBeenCalledTimes(2)
  off()
  transport.last.send(text(' there'))
  await settled()
  expect(event).toHaveBeenCalledTimes(2)
})

/** An answer that asks for two calls of tools that run here. */
async function twoCalls(act?: Transport['act']) {
  const transport = handTransport()
  const onToolCall = vi.fn()
  const chat = createChat({ transport: Object.assign(transport, act && { act }), onToolCall })
  const over = chat.sendMessage('Weather?')
  const stream = transport.last
  stream.send(start())
  for (const id of ['c1', 'c2']) {
    stream.send(
      {
        type: 'tool_start',
        part: id,
        toolCallId: id,
        name: 'weather',
        inputKind: 'json',
        runs: 'client',
      },
      { type: 'tool_complete', toolCallId: id, argsText: '{}', args: {} },
    )
  }
  return { transport, chat, onToolCall, over, stream }
}

test('two answers at the same time are both kept, and one request goes on', async () => {
  const { transport, chat, over, stream, onToolCall } = await twoCalls()
  stream.send(done('tool-calls'))
  await over
  expect(onToolCall).toHaveBeenCalledTimes(2)
  void chat.addToolOutput({ toolCallId: 'c1', output: 1 })
  void chat.addToolOutput({ toolCallId: 'c2', output: 2 })
  await settled()
  expect(transport.streams).toHaveLength(2)
  expect(
    lastOf(chat)
      .parts.map((part) => (isToolPart(part) ? part.output : undefined))
      .slice(0, 2),
  ).toEqual([1, 2])
})

test('a call that was decided elsewhere does not leave the person stuck: the continuation tells what holds', async () => {
  const { transport, chat, over, stream } = await twoCalls(async () => {
    throw new SluiceError('conflict', 'This was decided already.')
  })
  stream.send({ type: 'tool_approval', toolCallId: 'c1', approvalId: 'a1' })
  stream.send(
    { type: 'tool_result', toolCallId: 'c2', state: 'succeeded', output: 2, trusted: false },
    { type: 'done', finishReason: 'paused' },
  )
  await over
  void chat.addToolApprovalResponse({ id: 'a1', approved: true })
  await settled()
  expect(chat.getSnapshot().error).toBeUndefined()
  expect(transport.streams).toHaveLength(2)
})

test('a call that a person allowed and that runs here is handed over then, and the answer waits for its result', async () => {
  const { transport, chat, over, stream, onToolCall } = await twoCalls()
  stream.send({ type: 'tool_approval', toolCallId: 'c1', approvalId: 'a1' })
  stream.send(
    { type: 'tool_result', toolCallId: 'c2', state: 'succeeded', output: 2, trusted: false },
    { type: 'done', finishReason: 'paused' },
  )
  await over
  expect(onToolCall).not.toHaveBeenCalled()
  await chat.addToolApprovalResponse({ id: 'a1', approved: true })
  expect(onToolCall).toHaveBeenCalledTimes(1)
  expect(transport.streams).toHaveLength(1)
  void chat.addToolOutput({ toolCallId: 'c1', output: 1 })
  await settled()
  expect(transport.streams).toHaveLength(2)
})

test('an answer that ended before its first word is asked again in its own place', async () => {
  const transport = handTransport()
  const chat = createChat({ transport })
  const over = chat.sendMessage('q')
  await settled()
  await chat.stop()
  await over
  expect(lastOf(chat).counters.applied).toBe(0)
  const again = chat.retry()
  await settled()
  expect(transport.streams).toHaveLength(2)
  transport.last.send(start(), text('here'), done())
  await again
  expect(words(chat)).toEqual(['user: q', 'assistant: here'])
})

test('arguments that a person edited go to the server, and to the application that runs the call', async () => {
  const told: unknown[] = []
  const { chat, over, stream, onToolCall } = await twoCalls(async (_requestId, answer) => {
    told.push(answer)
  })
  stream.send({ type: 'tool_approval', toolCallId: 'c1', approvalId: 'a1' })
  stream.send(
    { type: 'tool_result', toolCallId: 'c2', state: 'succeeded', output: 2, trusted: false },
    { type: 'done', finishReason: 'paused' },
  )
  await over
  const input = { city: 'Bergen' }
  await chat.addToolApprovalResponse({ id: 'a1', approved: true, input })
  expect(told).toEqual([{ toolCallId: 'c1', approvalId: 'a1', approved: true, input }])
  expect(onToolCall).toHaveBeenCalledWith(expect.objectContaining({ toolCallId: 'c1', input }))
})

test('replacing the conversation stops an answer that is no longer part of it', async () => {
  const transport = handTransport(async () => ({ state: 'cancelled', actions: [] }))
  const chat = createChat({ transport })
  void chat.sendMessage('one')
  transport.last.send(start(), text('Some'))
  await settled()
  chat.setMessages([])
  await settled()
  expect(transport.cancelled).toHaveLength(1)
  expect(chat.getSnapshot().messages).toEqual([])
  expect(chat.getSnapshot().status).toBe('ready')
})

test('a store makes no request and keeps no listener before its first send', () => {
  const transport = handTransport()
  const chat = createChat({
    transport,
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  })
  chat.subscribe(() => {})()
  expect(transport.streams).toEqual([])
  expect(chat.getSnapshot().messages[0]?.status).toEqual({ type: 'complete', reason: 'stop' })
})
