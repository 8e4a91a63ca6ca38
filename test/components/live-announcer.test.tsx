// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnswerSnapshot } from '../../src/announcer/announcer.ts'
import { AnnouncerProvider } from '../../src/components/announcer/announcer-provider.tsx'
import { LiveAnnouncer } from '../../src/components/announcer/live-announcer.tsx'
import { de } from '../../src/react/labels/de.ts'
import { LabelsProvider } from '../../src/react/labels/context.tsx'
import { useAnnouncer } from '../../src/react/use-announcer.ts'
import { manualClock, type ManualClock } from '../../src/testing/manual-clock.ts'
import { answer, COMPLETE, watchWrites, type Write } from '../announcer/stage.ts'

let clock: ManualClock
let writes: Write[]

beforeEach(() => {
  clock = manualClock()
  writes = watchWrites(document, clock)
})

afterEach(cleanup)

const texts = (): string[] => writes.map(({ text }) => text)
const draw = (element: ReactElement): ReturnType<typeof render> =>
  render(<StrictMode>{element}</StrictMode>)

/** A store as `createModelStream` makes them: a snapshot and those who listen. */
function source(first: AnswerSnapshot) {
  let snapshot = first
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => snapshot,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next: AnswerSnapshot) {
      snapshot = next
      for (const listener of listeners) listener()
    },
    listeners,
  }
}

test('follows a stream and lets it go', async () => {
  const stream = source({ status: 'ready' })
  const { unmount } = draw(<LiveAnnouncer stream={stream} clock={clock} />)
  await clock.advance(1000)
  stream.set({ status: 'submitted' })
  await clock.advance(500)
  stream.set({ status: 'streaming', message: answer('It is quite simple. The') })
  await clock.advance(700)
  stream.set({ status: 'ready', message: answer('It is quite simple. The end.', COMPLETE) })
  await clock.advance(1000)
  expect(texts()).toEqual(['It is quite simple.', 'The end. Response complete.'])
  unmount()
  expect(stream.listeners.size).toBe(0)
  expect(clock.pending).toBe(0)
  expect(document.querySelector('[role=log]')).toBeNull()
})

test('follows a message that is given anew as it grows', async () => {
  const { rerender } = draw(<LiveAnnouncer message={undefined} clock={clock} />)
  const show = async (message: ReturnType<typeof answer>): Promise<void> => {
    rerender(
      <StrictMode>
        <LiveAnnouncer message={message} clock={clock} />
      </StrictMode>,
    )
    await clock.advance(700)
  }
  await show(answer('It is quite simple. The'))
  await show(answer('It is quite simple. The end.', COMPLETE))
  expect(texts()).toEqual(['It is quite simple.', 'The end. Response complete.'])
})

test('has one pair of regions for all that a page says, at its end and out of the tree', () => {
  const Save = (): null => {
    useAnnouncer()
    return null
  }
  const { container } = draw(
    <AnnouncerProvider clock={clock}>
      <Save />
      <LiveAnnouncer message={undefined} />
    </AnnouncerProvider>,
  )
  expect(document.querySelectorAll('[role=log]')).toHaveLength(1)
  expect(document.querySelectorAll('[role=alert]')).toHaveLength(1)
  expect(container.querySelector('[aria-live]')).toBeNull()
  expect(document.body.lastElementChild?.querySelector('[role=log]')).not.toBeNull()
})

test('speaks the language of the labels', async () => {
  draw(
    <LabelsProvider labels={de}>
      <LiveAnnouncer message={answer('Ganz einfach. Das')} clock={clock} />
    </LabelsProvider>,
  )
  await clock.advance(30_000)
  expect(writes.map(({ text, lang }) => [text, lang])).toEqual([
    ['Ganz einfach.', 'de'],
    ['Noch in Arbeit.', 'de'],
  ])
})
