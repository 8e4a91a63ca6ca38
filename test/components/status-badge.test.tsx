// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode, type ReactElement } from 'react'
import { LabelsProvider, StatusBadge } from 'sluice'
import { ERROR_CODES, type ChatMessage, type IncompleteReason } from 'sluice/core'
import { ar, de, en, ja } from 'sluice/labels'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answer, cut, failed, userMessage } from '../support/messages.ts'

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const show = (element: ReactElement): HTMLElement =>
  render(<StrictMode>{element}</StrictMode>).container

const commands = () => ({
  continueResponse: vi.fn(),
  regenerate: vi.fn(),
  resumeStream: vi.fn(),
  retry: vi.fn(),
})

describe('says how an answer ended, and offers the one useful action', () => {
  type Name = keyof ReturnType<typeof commands>
  const cases: readonly [IncompleteReason, string, string?, Name?][] = [
    ['cancelled', 'Stopped', 'Continue', 'continueResponse'],
    ['length', 'Cut off at the length limit', 'Continue', 'continueResponse'],
    ['paused', 'Paused', 'Continue', 'continueResponse'],
    ['context-window', 'Cut off: the conversation is as long as the model can read'],
    ['content-filter', 'Withheld by a filter'],
    ['refusal', 'Declined'],
    ['unknown', 'End not confirmed', 'Check', 'resumeStream'],
    ['interrupted', 'Connection lost, text kept', 'Retry', 'retry'],
    ['invalid', 'The answer did not pass the check', 'Retry', 'retry'],
  ]
  test.for(cases)('%s: %s · %s', async ([reason, words, action, command]) => {
    const stream = commands()
    const container = show(<StatusBadge message={cut(reason)} stream={stream} />)
    expect(screen.getByText(words)).toBeTruthy()
    expect(container.querySelector(`[data-ending="${reason}"]`)).toBeTruthy()
    expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(
      action === undefined ? [] : [action],
    )
    if (action === undefined || command === undefined) return
    await userEvent.click(screen.getByRole('button', { name: action }))
    const called = Object.entries(stream).filter(([, run]) => run.mock.calls.length > 0)
    expect(called.map(([name]) => name)).toEqual([command])
  })

  test('Resume where the rest can still be had', async () => {
    const stream = commands()
    show(<StatusBadge message={cut('interrupted')} stream={{ ...stream, canResume: true }} />)
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
    expect(stream.resumeStream).toHaveBeenCalledOnce()
  })

  test('a connection lost before any text claims no text', () => {
    show(<StatusBadge message={cut('interrupted', '')} />)
    expect(screen.getByText('Connection lost before the answer began')).toBeTruthy()
  })

  test('only words where nothing can be done', () => {
    show(<StatusBadge message={cut('cancelled')} />)
    expect(screen.getByText('Stopped')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test.for<[string, ChatMessage]>([
  ['a complete answer', answer('a', 'Done.')],
  ['an answer that runs', answer('a', 'Still', { type: 'running' })],
  [
    'a call that asks for approval',
    answer('a', '', { type: 'requires-action', reason: 'approval' }),
  ],
  ['what a person wrote', userMessage('u', 'Hi')],
])('nothing for %s', ([, message]) => {
  expect(show(<StatusBadge message={message} stream={commands()} />).textContent).toBe('')
})

describe('errors', () => {
  test.for(ERROR_CODES.filter((code) => code !== 'rate-limit'))(
    '%s: what happened, the next step, and what the server said',
    (code) => {
      const container = show(<StatusBadge message={failed(code)} />)
      expect(screen.getByText(en.errors[code])).toBeTruthy()
      expect(container.textContent).toContain(`as the server put it: ${code}`)
      expect(container.querySelector('[data-ending="error"]')).toBeTruthy()
    },
  )

  test('every text names a next step, in every language', () => {
    for (const labels of [en, de, ja, ar])
      for (const code of ERROR_CODES)
        // Two sentences at least: what happened, and what to do.
        expect(labels.errors[code].match(/[.。](?:\s|$|(?=\S))/gu)?.length, code).toBeGreaterThan(1)
  })

  test('a rate limit is counted down, and Retry waits for it', () => {
    vi.useFakeTimers()
    const stream = commands()
    show(<StatusBadge message={failed('rate-limit', 20_000)} stream={stream} />)
    const retry = screen.getByRole('button', { name: 'Retry' })
    expect(screen.getByText('Rate limited, 20 s')).toBeTruthy()
    expect(retry.getAttribute('aria-disabled')).toBe('true')
    retry.click()
    expect(stream.retry).not.toHaveBeenCalled()

    act(() => void vi.advanceTimersByTime(3000))
    expect(screen.getByText('Rate limited, 17 s')).toBeTruthy()

    act(() => void vi.advanceTimersByTime(17_000))
    expect(screen.getByText(en.errors['rate-limit'])).toBeTruthy()
    expect(retry.hasAttribute('aria-disabled')).toBe(false)
    retry.click()
    expect(stream.retry).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('nothing but words where asking again cannot help', () => {
    show(<StatusBadge message={failed('context-length')} stream={commands()} />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('as a part', () => {
  test('its own handler runs first and can prevent ours; class and ref are added', async () => {
    const stream = commands()
    const ref = { current: null as HTMLDivElement | null }
    show(
      <StatusBadge
        ref={ref}
        className="mine"
        onClickCapture={(event) => event.stopPropagation()}
        message={cut('length')}
        stream={stream}
      />,
    )
    expect(ref.current?.className).toBe('sluice-status mine')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(stream.continueResponse).not.toHaveBeenCalled()
  })

  test('`render` takes an element or a function of props and state', () => {
    const first = show(<StatusBadge message={cut('length')} render={<section id="mine" />} />)
    expect(first.querySelector('section#mine.sluice-status')?.textContent).toContain('Cut off')
    const second = show(
      <StatusBadge
        message={cut('length')}
        render={(props, { ending }) => <p {...props}>{`because of ${ending}`}</p>}
      />,
    )
    expect(second.querySelector('p')?.textContent).toBe('because of length')
  })

  test('speaks the language around it', () => {
    show(
      <LabelsProvider labels={ja}>
        <StatusBadge message={failed('rate-limit', 65_000)} />
      </LabelsProvider>,
    )
    expect(screen.getByText('利用制限中、あと1分 5秒')).toBeTruthy()
  })
})
