// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { Chat } from 'sluice'
import { createChat, type ChatMessageInput } from 'sluice/core'
import { ar } from 'sluice/labels'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { standInForBrowser } from '../support/browser-like.ts'
import { handTransport } from '../support/hand-transport.ts'

beforeEach(() => standInForBrowser())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const suggestions = ['one', 'two', 'three', 'four', 'five'].map((prompt) => ({ prompt }))

function setUp(messages: readonly ChatMessageInput[] = []) {
  const transport = handTransport(async () => ({ state: 'cancelled', actions: [] }))
  const chat = createChat({ transport, messages })
  render(
    <StrictMode>
      <Chat chat={chat} suggestions={suggestions} />
    </StrictMode>,
  )
  const last = () => screen.getAllByRole('article').at(-1) as HTMLElement
  return { transport, chat, last, box: screen.getByRole('textbox') }
}

/** Lets what was sent arrive and be drawn. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)))

test('a page: main, heading, labelled region and form, in this order', () => {
  setUp([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  const main = screen.getByRole('main')
  expect(main.firstElementChild?.tagName).toBe('H1')
  const region = screen.getByRole('region', { name: 'Conversation' })
  expect(region.tabIndex).toBe(0)
  const form = screen.getByRole('form', { name: 'Write a message' })
  expect(region.compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(
    region.closest('[aria-live]') ?? region.querySelector('[aria-live], [role=log]'),
  ).toBeNull()
})

describe('empty', () => {
  test('a greeting and four suggestions; the rest on demand', async () => {
    setUp()
    expect(screen.getByText('What would you like to know?')).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: 'More suggestions' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
  })

  test('a suggestion is sent as it is, and focus goes to the text box', async () => {
    const { transport, box } = setUp()
    await userEvent.click(screen.getByRole('button', { name: 'two' }))
    await settle()
    expect(transport.last.request.messages.at(-1)?.parts).toEqual([{ type: 'text', text: 'two' }])
    expect(screen.queryByRole('button', { name: 'one' })).toBeNull()
    expect(document.activeElement).toBe(box)
  })
})

test('asks, streams, ends: the words and the marks of each state', async () => {
  const { transport, box, last } = setUp()
  await userEvent.type(box, 'How?{Enter}')
  await settle()
  expect(last().dataset['status']).toBe('running')
  expect(screen.getByText('Waiting for the answer')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()

  transport.last.send({ type: 'text_delta', part: 't', text: 'Like **this**' })
  await settle()
  expect(screen.queryByText('Waiting for the answer')).toBeNull()
  expect(screen.getByText('this').tagName).toBe('STRONG')

  transport.last.send({ type: 'done', finishReason: 'length' })
  await settle()
  expect(last().dataset['reason']).toBe('length')
  expect(screen.getByText('Cut off at the length limit')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await settle()
  expect(transport.streams).toHaveLength(2)
  // The button has gone: its message has the focus.
  expect(document.activeElement).toBe(screen.getByText('this').closest('article'))
  transport.last.send(
    { type: 'text_delta', part: 't', text: 'and on' },
    { type: 'done', finishReason: 'stop' },
  )
  await settle()
  expect(screen.getByText('Continued')).toBeTruthy()
  expect(last().dataset['status']).toBe('complete')
})

describe('keys', () => {
  const history: ChatMessageInput[] = ['a', 'b', 'c'].map((id) => ({
    id,
    role: 'assistant',
    parts: [{ type: 'text', text: id }],
  }))

  test('Escape stops what streams, from anywhere in the page', async () => {
    const { transport, box, last } = setUp()
    await userEvent.type(box, 'How?{Enter}')
    await settle()
    transport.last.send({ type: 'text_delta', part: 't', text: 'One two' })
    await settle()
    await userEvent.keyboard('{Escape}')
    await settle()
    expect(last().dataset['reason']).toBe('cancelled')
    expect(last().textContent).toContain('One two')
    expect(screen.getByText('Stopped')).toBeTruthy()
    expect(transport.last.signal.aborted).toBe(true)
  })

  test('Escape of an input method stops nothing', async () => {
    const { transport, box, last } = setUp()
    await userEvent.type(box, 'How?{Enter}')
    await settle()
    transport.last.send({ type: 'text_delta', part: 't', text: 'One' })
    fireEvent.keyDown(box, { key: 'Escape', keyCode: 229 })
    // Safari closes the composition first.
    fireEvent.compositionEnd(box)
    fireEvent.keyDown(box, { key: 'Escape', keyCode: 27 })
    await settle()
    expect(last().dataset['status']).toBe('running')
  })

  test('Alt and arrows go from message to message; Shift and Escape to the text box', async () => {
    Element.prototype.scrollIntoView = vi.fn()
    const { box } = setUp(history)
    box.focus()
    const focused = () => document.activeElement?.textContent
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(focused()).toContain('c')
    await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{ArrowUp}{/Alt}')
    expect(focused()).toContain('a')
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(focused()).toContain('b')
    await userEvent.keyboard('{Shift>}{Escape}{/Shift}')
    expect(document.activeElement).toBe(box)
  })
})

test('speaks Arabic from right to left', () => {
  const chat = createChat({ transport: handTransport() })
  render(
    <StrictMode>
      <Chat chat={chat} labels={ar} />
    </StrictMode>,
  )
  expect(screen.getByRole('main').dir).toBe('rtl')
  expect(screen.getByRole('main').lang).toBe('ar')
  expect(screen.getByRole('button', { name: 'إرسال' })).toBeTruthy()
})
