import { describe, expect, test } from 'vitest'
import {
  exportTranscript,
  memoryThreads,
  openThread,
  readThread,
  SluiceError,
  textOf,
  type ChatStore,
  type ThreadStorage,
} from 'sluice/core'
import { done, handTransport, settled, start, text } from '../support/hand-transport.ts'

const words = (chat: ChatStore): string[] =>
  chat.getSnapshot().messages.map((message) => `${message.role}: ${textOf(message)}`)
const lastOf = (chat: ChatStore) => chat.getSnapshot().messages.at(-1)!

async function open(threads: ThreadStorage, id = 't') {
  const transport = handTransport()
  const problems: SluiceError[] = []
  const thread = await openThread({
    id,
    threads,
    transport,
    onProblem: (error) => problems.push(error),
  })
  return { ...thread, transport, problems }
}

describe('a conversation that is kept', () => {
  test('after the end: the same messages and statuses, without a request; its title is the first question', async () => {
    const threads = memoryThreads()
    const first = await open(threads)
    const over = first.chat.sendMessage('What is\n a sluice?')
    first.transport.last.send(start(), text('A gate'), text(' for water.'), done())
    await over
    const next = first.chat.sendMessage('More')
    first.transport.last.send(start('b'), text('Cut'), done('length'))
    await next
    await first.saved()
    const again = await open(threads)
    // Pieces are merged when they are saved, so their number is another; all else is the same.
    const shown = ({ chat }: { readonly chat: ChatStore }) =>
      chat.getSnapshot().messages.map(({ counters: _counters, ...message }) => message)
    expect(shown(again)).toEqual(shown(first))
    expect(lastOf(again.chat).status).toEqual({ type: 'incomplete', reason: 'length' })
    expect(again.transport.streams).toEqual([])
    expect(await threads.list()).toMatchObject([{ id: 't', title: 'What is a sluice?' }])
  })

  test('what arrived in the last moment before it is closed is kept', async () => {
    const threads = memoryThreads()
    const { chat, transport, close } = await open(threads)
    void chat.sendMessage('q')
    transport.last.send(start(), text('abc'))
    await settled()
    transport.last.send(text(' def'))
    // Taken up, and shown by no frame yet.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    await close()
    const again = await open(threads)
    expect(words(again.chat)).toEqual(['user: q', 'assistant: abc def'])
  })

  test('branches are kept, and the one that was shown is shown', async () => {
    const threads = memoryThreads()
    const { chat, transport, saved } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(start(), text('one'), done())
    await over
    const again = chat.regenerate()
    transport.last.send(start(), text('two'), done())
    await again
    chat.selectBranch(chat.branchesOf(lastOf(chat).id).ids[0]!)
    await saved()
    const copy = await open(threads)
    expect(words(copy.chat)).toEqual(['user: q', 'assistant: one'])
    expect(copy.chat.branchesOf(lastOf(copy.chat).id).ids).toHaveLength(2)
  })

  test('a message that the application replaced is kept as it made it', async () => {
    const threads = memoryThreads()
    const { chat, transport, saved } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(start(), text('one'), done())
    await over
    chat.setMessages(([question, answer]) => [
      question!,
      { ...answer!, parts: [{ type: 'text', text: 'other' }] },
    ])
    await saved()
    expect(words((await open(threads)).chat)).toEqual(['user: q', 'assistant: other'])
  })

  test('B94: the question is saved before the first byte, and the ids stay', async () => {
    const threads = memoryThreads()
    const { chat } = await open(threads)
    void chat.sendMessage('q')
    await settled()
    const { data } = (await threads.load('t'))!
    const read = readThread(data)
    const kept = read.type === 'thread' ? read.thread.entries.map(({ id }) => id) : []
    expect(kept).toEqual(chat.getSnapshot().messages.map(({ id }) => id))
  })

  test('B94, B98: of a page that was killed in mid-answer question and text are there, never as complete', async () => {
    const threads = memoryThreads()
    const { chat, transport, saved } = await open(threads)
    void chat.sendMessage('my long question')
    transport.last.send(start(), text('abc'))
    await settled()
    await saved()
    const again = await open(threads)
    expect(words(again.chat)).toEqual(['user: my long question', 'assistant: abc'])
    expect(lastOf(again.chat).status).toMatchObject({ type: 'incomplete', reason: 'interrupted' })
    expect(exportTranscript(again.chat, { only: 'complete' }).entries).toHaveLength(1)
  })

  test('B90: an answer that failed after its thinking is an error after a reload too', async () => {
    const threads = memoryThreads()
    const { chat, transport, saved } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(
      start(),
      { type: 'reasoning_delta', part: 'r', text: 'Hmm' },
      { type: 'error', code: 'vendor', message: 'Engine failed', retryable: false },
    )
    await over
    await saved()
    const again = await open(threads)
    expect(lastOf(again.chat)).toEqual(lastOf(chat))
    expect(lastOf(again.chat).status).toMatchObject({
      reason: 'error',
      error: { message: 'Engine failed' },
    })
    expect(again.chat.getSnapshot().status).toBe('error')
  })

  test('B96: a full storage is told once, the answer is whole, and all is saved when there is room', async () => {
    const memory = memoryThreads()
    let isFull = true
    const threads: ThreadStorage = {
      ...memory,
      save: (thread) =>
        isFull ? Promise.reject(new SluiceError('storage', 'full')) : memory.save(thread),
    }
    const { chat, transport, problems, saved } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(start(), text('ok'), done())
    await over
    await settled()
    expect(words(chat)).toEqual(['user: q', 'assistant: ok'])
    expect(lastOf(chat).status.type).toBe('complete')
    expect(problems.map(({ message }) => message)).toEqual(['full'])
    isFull = false
    const next = chat.sendMessage('r')
    transport.last.send(start('b'), text('fine'), done())
    await next
    await saved()
    expect(words((await open(threads)).chat)).toHaveLength(4)
  })
})

describe('two tabs', () => {
  test('what both wrote is kept, as branches; neither loses a word', async () => {
    const threads = memoryThreads()
    const a = await open(threads)
    const b = await open(threads)
    const first = a.chat.sendMessage('from a')
    a.transport.last.send(start(), text('to a'), done())
    await first
    await a.saved()
    const second = b.chat.sendMessage('from b')
    b.transport.last.send(start(), text('to b'), done())
    await second
    await b.saved()
    expect(words(b.chat)).toEqual(['user: from b', 'assistant: to b'])
    const c = await open(threads)
    const top = c.chat.branchesOf(c.chat.getSnapshot().messages[0]!.id).ids
    expect(top).toHaveLength(2)
    const shown = top.map((id) => {
      c.chat.selectBranch(id)
      return words(c.chat)
    })
    expect(shown).toEqual([
      ['user: from a', 'assistant: to a'],
      ['user: from b', 'assistant: to b'],
    ])
    expect(b.problems).toEqual([])
  })

  test('one that was deleted in another tab does not come back by itself, and is said so', async () => {
    const threads = memoryThreads()
    const { chat, transport, problems, saved } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(start(), text('a'), done())
    await over
    await saved()
    await threads.remove('t')
    const next = chat.sendMessage('r')
    transport.last.send(start('b'), text('b'), done())
    await next
    await saved()
    expect(await threads.list()).toEqual([])
    expect(problems.map(({ message }) => message).join()).toMatch(/deleted in another tab/)
    expect(words(chat)).toHaveLength(4)
  })
})

describe('stored data', () => {
  const kept = (data: unknown): ThreadStorage => ({
    ...memoryThreads(),
    load: async (id) => ({ id, title: '', updatedAt: 0, version: 1, data }),
  })

  test('of version 1 (a transcript) is read, with its end states', async () => {
    const threads = memoryThreads()
    const { chat, transport } = await open(threads)
    const over = chat.sendMessage('q')
    transport.last.send(start(), text('a'), done('length'))
    await over
    const transcript: unknown = JSON.parse(JSON.stringify(exportTranscript(chat)))
    const again = await open(kept(transcript))
    expect(again.chat.getSnapshot().messages).toEqual(chat.getSnapshot().messages)
  })

  test.each([
    ['newer', { schema: 99, entries: [] }, /newer version \(99;/],
    ['no object', 'x', /not an object/],
    ['no version', { entries: [] }, /version is missing/],
    ['no list', { schema: 2 }, /list of messages is missing/],
    [
      'a lost parent',
      {
        schema: 2,
        entries: [{ id: 'a', parent: 'b', message: { id: 'a', parts: [] } }],
        selected: [],
        queue: [],
      },
      /before a is missing/,
    ],
    [
      'a broken stream',
      {
        schema: 2,
        entries: [{ id: 'a', streams: [{ events: [], facts: [] }] }],
        selected: [],
        queue: [],
      },
      /a is not whole/,
    ],
  ])('%s: told, and left as it is', async (_what, data, words_) => {
    await expect(open(kept(data))).rejects.toThrow(words_)
  })
})
