// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode, useState, type ReactNode } from 'react'
import { Composer } from 'sluice'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { standInForBrowser } from '../support/browser-like.ts'

beforeEach(() => standInForBrowser())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface Setup {
  readonly status?: string
  readonly enterKey?: 'send' | 'newline'
}

function setUp({ status = 'ready', enterKey }: Setup = {}) {
  const sent: string[] = []
  const stop = vi.fn()
  let setStatus: (status: string) => void = () => undefined
  function Page(): ReactNode {
    const [now, set] = useState(status)
    setStatus = set
    return (
      <Composer.Root
        onSend={(text) => {
          sent.push(text)
          set('streaming')
        }}
        stream={{ status: now, stop }}
      >
        <Composer.Input enterKey={enterKey} />
        <Composer.Submit />
      </Composer.Root>
    )
  }
  render(
    <StrictMode>
      <Page />
    </StrictMode>,
  )
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  return {
    sent,
    stop,
    box,
    button: () => screen.getByRole('button'),
    setStatus: (s: string) => setStatus(s),
  }
}

describe('sending', () => {
  test('Enter sends and empties the box; Shift and Enter breaks the line', async () => {
    const { sent, box } = setUp()
    await userEvent.type(box, 'a{Shift>}{Enter}{/Shift}b{Enter}')
    expect(sent).toEqual(['a\nb'])
    expect(box.value).toBe('')
  })

  test('two Enters without a render between send once', () => {
    const { sent, box } = setUp()
    fireEvent.change(box, { target: { value: 'x' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(sent).toEqual(['x'])
  })

  test('nothing to send: the button says so, keeps its place in the order and does nothing', async () => {
    const { sent, button } = setUp()
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(button().hasAttribute('disabled')).toBe(false)
    expect(button().title).toBe('Write something first')
    await userEvent.click(button())
    expect(sent).toEqual([])
  })

  test('blanks alone are nothing', async () => {
    const { sent, box } = setUp()
    await userEvent.type(box, '  {Enter}')
    expect(sent).toEqual([])
    expect(box.value).toBe('  ')
  })

  test('on touch screens Enter breaks the line and the button sends', async () => {
    standInForBrowser({ touch: true })
    const { sent, box, button } = setUp()
    await userEvent.type(box, 'a{Enter}b')
    expect(box.value).toBe('a\nb')
    await userEvent.click(button())
    expect(sent).toEqual(['a\nb'])
  })

  test('what Enter does is an option', async () => {
    const { sent, box } = setUp({ enterKey: 'newline' })
    await userEvent.type(box, 'a{Enter}b{Control>}{Enter}{/Control}')
    expect(sent).toEqual(['a\nb'])
  })
})

describe('an input method keeps its keys', () => {
  const enter = (box: HTMLElement, init: { keyCode?: number; isComposing?: boolean }) => {
    const event = createEvent.keyDown(box, { key: 'Enter', keyCode: 13, ...init })
    fireEvent(box, event)
    return event
  }

  test('Enter that confirms a word, before the composition ends', () => {
    const { sent, box } = setUp()
    fireEvent.compositionStart(box)
    fireEvent.change(box, { target: { value: '日本' } })
    enter(box, { isComposing: true, keyCode: 229 })
    expect(sent).toEqual([])
  })

  // B148
  test('Enter that confirms a word, after the composition ended', async () => {
    const { sent, box } = setUp()
    fireEvent.compositionStart(box)
    fireEvent.change(box, { target: { value: '日本' } })
    fireEvent.compositionEnd(box)
    enter(box, { keyCode: 229 })
    enter(box, { keyCode: 13 })
    expect(sent).toEqual([])
    await new Promise((resolve) => setTimeout(resolve))
    enter(box, { keyCode: 13 })
    expect(sent).toEqual(['日本'])
  })
})

describe('Send is Stop', () => {
  test('one node with two names; focus stays through both', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { box, button, stop, setStatus } = setUp()
    const node = button()
    expect(node.getAttribute('aria-label')).toBe('Send')
    fireEvent.change(box, { target: { value: 'x' } })
    node.focus()
    fireEvent.click(node)
    expect(button()).toBe(node)
    expect(node.getAttribute('aria-label')).toBe('Stop')
    expect(node.hasAttribute('aria-disabled')).toBe(false)
    expect(document.activeElement).toBe(node)

    vi.advanceTimersByTime(500)
    fireEvent.click(node)
    expect(stop).toHaveBeenCalledOnce()
    await Promise.resolve(setStatus('ready'))
    expect(button()).toBe(node)
    expect(document.activeElement).toBe(node)
  })

  test('a second press within 400 ms does not stop what was just sent', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { box, button, stop, sent } = setUp()
    fireEvent.change(box, { target: { value: 'x' } })
    fireEvent.click(button())
    vi.advanceTimersByTime(399)
    fireEvent.click(button())
    expect(stop).not.toHaveBeenCalled()
    expect(sent).toEqual(['x'])
    vi.advanceTimersByTime(1)
    fireEvent.click(button())
    expect(stop).toHaveBeenCalledOnce()
  })

  test('Enter while busy keeps what was written', async () => {
    const { box, sent, stop } = setUp({ status: 'streaming' })
    await userEvent.type(box, 'later{Enter}')
    expect(box.value).toBe('later')
    expect(sent).toEqual([])
    expect(stop).not.toHaveBeenCalled()
  })
})

test('the caller may keep the text', async () => {
  const onValueChange = vi.fn()
  render(
    <StrictMode>
      <Composer.Root value="mine" onValueChange={onValueChange} onSend={() => undefined}>
        <Composer.Input />
      </Composer.Root>
    </StrictMode>,
  )
  await userEvent.type(screen.getByRole('textbox'), '!')
  expect(onValueChange).toHaveBeenCalledWith('mine!')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('mine')
})
