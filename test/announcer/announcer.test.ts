// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest'
import { streamError } from '../../src/protocol/errors.ts'
import type { MessageStatus } from '../../src/protocol/message.ts'
import { answer, COMPLETE, stage, type Stage } from './stage.ts'

let current: Stage | undefined

afterEach(() => {
  current?.unmount()
  current = undefined
})

async function start(options: Parameters<typeof stage>[0] = {}): Promise<Stage> {
  current = await stage(options)
  return current
}

describe('an answer', () => {
  test('is read by settled sentences, never by tokens', async () => {
    const { announcer, clock, texts } = await start()
    announcer.update({ message: answer('The quick answer') })
    await clock.advance(700)
    announcer.update({ message: answer('The quick answer is yes. And the') })
    await clock.advance(700)
    expect(texts()).toEqual(['The quick answer is yes.'])
    announcer.update({ message: answer('The quick answer is yes. And the long one is no.') })
    await clock.advance(700)
    expect(texts()).toEqual(['The quick answer is yes.'])
    announcer.update({
      message: answer('The quick answer is yes. And the long one is no.', COMPLETE),
    })
    await clock.advance(700)
    expect(texts()).toEqual([
      'The quick answer is yes.',
      'And the long one is no. Response complete.',
    ])
  })

  test('that was over when first seen is silent', async () => {
    const { announcer, clock, texts } = await start()
    announcer.update({ message: answer('All of this is old.', COMPLETE) })
    await clock.advance(60_000)
    expect(texts()).toEqual([])
    expect(announcer.readOn()).toBe(true)
    await clock.advance(1000)
    expect(texts()).toEqual(['All of this is old.'])
  })
})

/** Ten sentences of 40 characters, numbered by letters. */
const TEN = Array.from(
  { length: 10 },
  (_, i) => `This is the sentence ${'abcdefghij'.charAt(i)} of forty letters.`,
)

describe('the pace', () => {
  test('the first write waits 600 ms for company, the next ones 400 ms', async () => {
    const { announcer, clock, writes } = await start({ timings: { backlogMs: Infinity } })
    const begun = clock.now()
    announcer.update({ message: answer(`${TEN[0]} ${TEN[1]} T`) })
    await clock.advance(300)
    announcer.update({ message: answer(TEN.slice(0, 3).join(' ') + ' T') })
    await clock.advance(500)
    announcer.update({ message: answer(TEN.slice(0, 5).join(' ') + ' T') })
    await clock.advance(2000)
    expect(writes.map(({ at }) => at - 1000)).toEqual([600, 1000, 1400])
    expect(clock.now()).toBe(begun + 2800)
    expect(writes.map(({ text }) => text)).toEqual([
      `${TEN[0]} ${TEN[1]}`,
      TEN[2],
      `${TEN[3]} ${TEN[4]}`,
    ])
  })

  test('no write is longer than 250 characters, and none is closer to the last than 150 ms', async () => {
    const { announcer, clock, writes } = await start({
      verbosity: 'full',
      timings: { backlogMs: Infinity, gapMs: 0 },
    })
    announcer.update({ status: 'submitted' })
    announcer.update({ status: 'ready', message: answer(TEN.join(' '), COMPLETE) })
    await clock.advance(5000)
    expect(writes.map(({ text }) => text).join(' ')).toBe(`${TEN.join(' ')} Response complete.`)
    for (const { text } of writes) expect(text.length).toBeLessThanOrEqual(250)
    expect(writes.map(({ at }) => at - 1000)).toEqual([0, 150])
  })

  test('balanced: having fallen 8 s behind it stays silent, and counts what is left at the end', async () => {
    const { announcer, clock, texts } = await start()
    announcer.update({ message: answer(`${TEN.slice(0, 2).join(' ')} T`) })
    await clock.advance(700)
    const long = `${TEN.join(' ')}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\n1\n\`\`\`\n`
    announcer.update({ message: answer(long) })
    await clock.advance(60_000)
    announcer.update({ message: answer(long, COMPLETE) })
    await clock.advance(1000)
    expect(texts().filter((text) => !text.startsWith('Still working.'))).toEqual([
      `${TEN[0]} ${TEN[1]}`,
      TEN[2],
      'Response complete. 7 more sentences, 1 table, 1 code block.',
    ])
  })

  test('balanced: 400 characters of an answer are read, however slowly it comes', async () => {
    const { announcer, clock, texts } = await start()
    for (let i = 1; i <= 10; i += 1) {
      announcer.update({ message: answer(`${TEN.slice(0, i).join(' ')} T`) })
      await clock.advance(5000)
    }
    const more = [...TEN, ...TEN].join(' ')
    announcer.update({ message: answer(more) })
    await clock.advance(5000)
    announcer.update({ message: answer(more, COMPLETE) })
    await clock.advance(5000)
    expect(texts()).toEqual([...TEN, 'Response complete. 10 more sentences.'])
  })

  test('full: everything is read, never more than 8 s ahead of the speech', async () => {
    const { announcer, clock, writes } = await start({ verbosity: 'full' })
    announcer.update({ status: 'submitted' })
    announcer.update({ status: 'ready', message: answer(TEN.join(' '), COMPLETE) })
    await clock.advance(60_000)
    expect(writes.map(({ text }) => text).join(' ')).toBe(`${TEN.join(' ')} Response complete.`)
    let spokenBy = 0
    for (const { at, text } of writes) {
      spokenBy = Math.max(at, spokenBy) + (text.length / 18) * 1000
      expect(spokenBy - at).toBeLessThanOrEqual(8000 + (text.endsWith('complete.') ? 1100 : 0))
    }
  })

  test('the same sentence twice is two different texts', async () => {
    const { announcer, clock, texts } = await start()
    for (let i = 0; i < 3; i += 1) {
      announcer.copied()
      await clock.advance(500)
    }
    expect(texts()).toEqual(['Copied.', 'Copied.\u00a0', 'Copied.'])
  })

  test('languages are written apart, each with its own', async () => {
    const { announcer, clock, writes } = await start()
    announcer.update({ message: answer('This is English. 今日はとても良い天気です。 It') })
    await clock.advance(3000)
    expect(writes.map(({ text, lang }) => [lang, text])).toEqual([
      ['en', 'This is English.'],
      ['ja', '今日はとても良い天気です。'],
    ])
  })
})

describe('what happens', () => {
  test('nothing comes: responding after 1 s, still working after 10 s, then each 30 s', async () => {
    const { announcer, clock, writes } = await start()
    announcer.update({ status: 'submitted' })
    await clock.advance(75_000)
    expect(writes.map(({ at, text }) => [at - 1000, text])).toEqual([
      [1000, 'Assistant is responding.'],
      [10_000, 'Still working.'],
      [40_000, 'Still working.\u00a0'],
      [70_000, 'Still working.'],
    ])
  })

  test('the answer is there within a second: no word of responding', async () => {
    const { announcer, clock, texts } = await start()
    announcer.update({ status: 'submitted' })
    await clock.advance(300)
    announcer.update({ status: 'streaming', message: answer('It is quite simple. The') })
    await clock.advance(2000)
    expect(texts()).toEqual(['It is quite simple.'])
  })

  test('thinking once, a tool at most every 5 s, an approval always', async () => {
    const { announcer, clock, texts } = await start()
    const tool = (id: string, name: string, state: 'input-available' | 'approval-requested') => ({
      type: 'dynamic-tool' as const,
      toolCallId: id,
      toolName: name,
      input: {},
      ...(state === 'approval-requested' ? { state, approval: { id: `ok-${id}` } } : { state }),
    })
    const thought = { type: 'reasoning' as const, text: 'Hm.' }
    const first = [thought, tool('1', 'search', 'input-available')]
    announcer.update({ message: answer([thought]) })
    await clock.advance(500)
    announcer.update({ message: answer(first) })
    await clock.advance(500)
    announcer.update({ message: answer([...first, tool('2', 'fetch', 'input-available')]) })
    await clock.advance(500)
    announcer.update({
      message: answer([...first, tool('2', 'delete_file', 'approval-requested')], {
        type: 'requires-action',
        reason: 'approval',
      }),
    })
    await clock.advance(60_000)
    expect(texts()).toEqual(['Thinking.', 'Using search.', 'delete_file needs your approval.'])
  })

  const endings: readonly [string, MessageStatus, string, 'log' | 'alert'][] = [
    ['stopped', { type: 'incomplete', reason: 'cancelled' }, 'Response stopped.', 'log'],
    [
      'cut off',
      { type: 'incomplete', reason: 'length' },
      'Response cut off at the length limit. Continue is available.',
      'log',
    ],
    [
      'withheld',
      { type: 'incomplete', reason: 'content-filter' },
      'Response withheld by a content filter.',
      'log',
    ],
    [
      'lost',
      { type: 'incomplete', reason: 'interrupted' },
      'Connection lost. Partial answer kept. Retry is available.',
      'alert',
    ],
    [
      'network',
      { type: 'incomplete', reason: 'error', error: streamError('network', 'Gone.') },
      'Connection lost. Partial answer kept. Retry is available.',
      'alert',
    ],
    [
      'failed',
      { type: 'incomplete', reason: 'error', error: streamError('server', 'Oh.') },
      'The response failed. Retry is available.',
      'alert',
    ],
  ]
  test.each(endings)('the end: %s', async (_, status, text, role) => {
    const { announcer, clock, writes } = await start()
    announcer.update({ message: answer('') })
    await clock.advance(100)
    announcer.update({ message: answer('', status) })
    await clock.advance(60_000)
    expect(writes.map((write) => [write.role, write.text])).toEqual([[role, text]])
  })

  test('a rate limit is said once, urgently, and when it is over', async () => {
    const { announcer, clock, writes } = await start()
    const error = streamError('rate-limit', 'Slow down.', { retryAfterMs: 20_000 })
    announcer.update({ status: 'submitted' })
    announcer.update({
      status: 'error',
      message: answer('', { type: 'incomplete', reason: 'error', error }),
    })
    await clock.advance(60_000)
    expect(writes.map(({ at, role, text }) => [at - 1000, role, text])).toEqual([
      [0, 'alert', 'Rate limited. You can retry in 20 seconds.'],
      [20_000, 'log', 'You can retry now.'],
    ])
  })

  test('Stop drops what waits and is said at once', async () => {
    const { announcer, clock, texts } = await start()
    const text = `${TEN.slice(0, 4).join(' ')} T`
    announcer.update({ message: answer(text) })
    await clock.advance(700)
    announcer.update({ message: answer(text, { type: 'incomplete', reason: 'cancelled' }) })
    await clock.advance(60_000)
    expect(texts()).toEqual([TEN.slice(0, 3).join(' '), 'Response stopped.'])
    expect(announcer.readOn()).toBe(true)
    await clock.advance(10_000)
    expect(texts().at(-1)).toBe(`${TEN[3]} T`)
  })

  test('a second question silences the answer to the first', async () => {
    const { announcer, clock, texts } = await start({ verbosity: 'full' })
    announcer.update({ status: 'submitted' })
    announcer.update({ status: 'streaming', message: answer(`${TEN.join(' ')} T`) })
    await clock.advance(700)
    announcer.update({ status: 'submitted', message: answer('', { type: 'running' }, 'a2') })
    await clock.advance(100)
    announcer.update({
      status: 'streaming',
      message: answer('Something quite different. And', { type: 'running' }, 'a2'),
    })
    await clock.advance(9000)
    expect(texts()).toEqual([TEN.slice(0, 3).join(' '), 'Something quite different.'])
  })

  test('an answer that was lost goes on where it was', async () => {
    const { announcer, clock, texts } = await start()
    const show = async (text: string, status?: MessageStatus): Promise<void> => {
      announcer.update({ message: answer(text, status) })
      await clock.advance(3000)
    }
    await show('This is the first half. And this is')
    await show('This is the first half. And this is', { type: 'incomplete', reason: 'interrupted' })
    await show('This is the first half. And this is the second. Is it')
    await show('This is the first half. And this is the second. Is it not?', COMPLETE)
    expect(texts()).toEqual([
      'This is the first half.',
      'Connection lost. Partial answer kept. Retry is available.',
      'And this is the second.',
      'Is it not? Response complete.',
    ])
  })

  test('offline and back', async () => {
    const { clock, texts } = await start()
    window.dispatchEvent(new Event('offline'))
    await clock.advance(500)
    window.dispatchEvent(new Event('online'))
    await clock.advance(500)
    expect(texts()).toEqual(['You are offline. Your message will be kept.', 'Back online.'])
  })
})

describe('the reader in command', () => {
  test.each([
    ['off', []],
    ['status', ['Response complete.']],
    ['balanced', [`${TEN[0]} ${TEN[1]} Response complete.`]],
    ['full', [`${TEN[0]} ${TEN[1]} Response complete.`]],
  ] as const)('verbosity %s', async (verbosity, expected) => {
    const { announcer, clock, texts } = await start({ verbosity })
    announcer.update({ status: 'submitted' })
    announcer.update({ status: 'ready', message: answer(`${TEN[0]} ${TEN[1]}`, COMPLETE) })
    await clock.advance(60_000)
    expect(texts()).toEqual(expected)
  })

  test('more verbosity on the way goes on from where it was, less is silent at once', async () => {
    const { announcer, clock, texts } = await start()
    const text = `${TEN.slice(0, 6).join(' ')} T`
    announcer.update({ message: answer(text) })
    await clock.advance(700)
    expect(texts()).toEqual([TEN.slice(0, 3).join(' ')])
    announcer.setVerbosity('full')
    await clock.advance(3000)
    expect(texts().at(-1)).toBe(TEN[3])
    announcer.setVerbosity('off')
    await clock.advance(60_000)
    expect(texts()).toHaveLength(2)
  })

  test('what would be said while somebody types is said afterwards', async () => {
    const { announcer, clock, writes } = await start()
    const field = document.body.appendChild(document.createElement('textarea'))
    announcer.update({ message: answer(`${TEN[0]} T`) })
    for (let i = 0; i < 5; i += 1) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
      await clock.advance(1000)
    }
    expect(writes).toEqual([])
    announcer.update({ message: answer(`${TEN[0]} ${TEN[1]}`, COMPLETE) })
    await clock.advance(1000)
    field.remove()
    expect(writes.map(({ at, text }) => [at - 1000, text])).toEqual([
      [5500, `${TEN[0]} ${TEN[1]} Response complete.`],
    ])
  })

  test('Escape silences the answer but not its end; an input method keeps its own Escape', async () => {
    const { announcer, clock, texts } = await start({ verbosity: 'full' })
    const press = (init: KeyboardEventInit): boolean =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...init }),
      )
    announcer.update({ message: answer(`${TEN.slice(0, 8).join(' ')} T`) })
    await clock.advance(700)
    press({ isComposing: true })
    await clock.advance(1000)
    const heard = texts()
    expect(heard).toEqual([TEN.slice(0, 3).join(' '), TEN.slice(3, 6).join(' ')])
    press({})
    await clock.advance(8000)
    announcer.update({ message: answer(TEN.slice(0, 8).join(' '), COMPLETE) })
    await clock.advance(1000)
    expect(texts()).toEqual([...heard, 'Response complete. 2 more sentences.'])
  })

  test('reading on begins with the sentence that a key cut off', async () => {
    const { announcer, clock, texts } = await start()
    announcer.update({ status: 'submitted' })
    announcer.update({ status: 'ready', message: answer(TEN.slice(0, 3).join(' '), COMPLETE) })
    await clock.advance(3000)
    // 40 characters at 18 a second: the second sentence is being said.
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }))
    expect(announcer.readOn()).toBe(true)
    await clock.advance(1000)
    expect(texts().at(-1)).toBe(`${TEN[1]} ${TEN[2]}`)
    await clock.advance(60_000)
    expect(announcer.readOn()).toBe(false)
  })

  test('the last announcement again', async () => {
    const { announcer, clock, texts } = await start()
    announcer.repeat()
    announcer.say('Saved.')
    await clock.advance(500)
    announcer.repeat()
    await clock.advance(500)
    expect(texts()).toEqual(['Saved.', 'Saved.\u00a0'])
  })

  test('to the latest answer', async () => {
    const { announcer } = await start()
    expect(announcer.goToLatest()).toBe(false)
    const log = document.body.appendChild(document.createElement('div'))
    log.innerHTML =
      '<article data-role="assistant"><h2>One</h2></article><article data-role="assistant"><h2>Two</h2></article>'
    expect(announcer.goToLatest()).toBe(true)
    expect(document.activeElement?.textContent).toBe('Two')
    log.remove()
  })
})
