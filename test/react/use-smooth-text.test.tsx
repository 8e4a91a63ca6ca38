// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode, type ReactElement, type ReactNode } from 'react'
import { useSmoothText } from 'sluice'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

interface TextProps {
  readonly text: string
  readonly streaming?: boolean
  readonly enabled?: boolean
}

function Text({ text, streaming = true, enabled }: TextProps): ReactNode {
  return <p>{useSmoothText(text, { streaming, enabled })}</p>
}

let wantsLess = false
beforeEach(() => {
  wantsLess = false
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({
    matches: wantsLess,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function show(first: ReactElement) {
  const { container, rerender } = render(<StrictMode>{first}</StrictMode>)
  return {
    next: (element: ReactElement) => rerender(<StrictMode>{element}</StrictMode>),
    frames: (count: number) => act(() => void vi.advanceTimersByTime(count * 16)),
    shown: () => container.textContent ?? '',
  }
}

const long = 'The keeper winds up the paddles. '.repeat(10)

describe('a text that grows', () => {
  test('what there is at first is shown at once, what comes is shown bit by bit', () => {
    const view = show(<Text text="The keeper" />)
    expect(view.shown()).toBe('The keeper')
    view.next(<Text text={long} />)
    let before = view.shown().length
    expect(before).toBeLessThan(40)
    for (let frame = 0; frame < 10; frame += 1) {
      view.frames(1)
      expect(long.startsWith(view.shown())).toBe(true)
      expect(view.shown().length).toBeGreaterThan(before)
      before = view.shown().length
    }
    expect(before).toBeLessThan(long.length)
    view.frames(120)
    expect(view.shown()).toBe(long)
  })

  test('its end is shown at once', () => {
    const view = show(<Text text="The" />)
    view.next(<Text text={long} />)
    view.next(<Text text={long} streaming={false} />)
    expect(view.shown()).toBe(long)
  })

  test('one that was withdrawn leaves nothing of the old one', () => {
    const view = show(<Text text={long} />)
    view.next(<Text text="No." />)
    expect(view.shown()).toBe('No.')
  })

  test('as it comes, for who wants that', () => {
    const view = show(<Text text="The" enabled={false} />)
    view.next(<Text text={long} enabled={false} />)
    expect(view.shown()).toBe(long)
  })

  test('as it comes, for who wants less motion', () => {
    wantsLess = true
    const view = show(<Text text="The" />)
    view.next(<Text text={long} />)
    expect(view.shown()).toBe(long)
  })

  test('switched on in mid-answer, it takes nothing back', () => {
    const view = show(<Text text={long} enabled={false} />)
    view.next(<Text text={long} />)
    expect(view.shown()).toBe(long)
    view.frames(1)
    view.next(<Text text={long + long} />)
    view.frames(2)
    expect(view.shown().length).toBeGreaterThanOrEqual(long.length)
    expect(view.shown().length).toBeLessThan(long.length * 2)
  })
})
