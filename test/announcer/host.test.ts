// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { createHost } from '../../src/announcer/host.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { stage } from './stage.ts'

afterEach(() => document.body.replaceChildren())

const polite = (): readonly string[] =>
  [...document.querySelectorAll('[role=log] > div')].map((child) => child.textContent)

test('two regions at the end of the body, clipped and not hidden, with no attribute that readers differ in', () => {
  const host = createHost({ document, clock: manualClock(), settleMs: 150 })
  const root = document.body.lastElementChild as HTMLElement
  expect(root.innerHTML).toBe(
    '<div role="log" aria-live="polite"></div><div role="alert" aria-live="assertive"></div>',
  )
  expect(root.style.clipPath).toBe('inset(50%)')
  expect(root.style.display).toBe('')
  host.remove()
  expect(document.body.childElementCount).toBe(0)
})

test('at most six texts at a time, each gone after 10 s and 60 ms a character', async () => {
  const clock = manualClock()
  const host = createHost({ document, clock, settleMs: 150 })
  for (let i = 0; i < 8; i += 1) host.write(`Text ${i}.`, { lang: 'en', urgent: false })
  expect(polite()).toEqual(['Text 2.', 'Text 3.', 'Text 4.', 'Text 5.', 'Text 6.', 'Text 7.'])
  await clock.advance(10_419)
  expect(polite()).toHaveLength(6)
  await clock.advance(1)
  expect(polite()).toEqual([])
  host.write('One more.', { lang: 'en', urgent: false })
  host.remove()
  expect(clock.pending).toBe(0)
})

test('nothing is written in the first 150 ms', async () => {
  const { announcer, clock, writes, unmount } = await stage()
  unmount()
  const again = announcer.mount(document)
  announcer.say('Hello there.')
  await clock.advance(149)
  expect(writes).toEqual([])
  await clock.advance(1)
  expect(writes).toHaveLength(1)
  again()
})

test('mounted twice it is there once, until both have let go', async () => {
  const { announcer, unmount } = await stage()
  const other = announcer.mount(document)
  expect(document.querySelectorAll('[role=log]')).toHaveLength(1)
  unmount()
  unmount()
  expect(document.querySelectorAll('[role=log]')).toHaveLength(1)
  other()
  expect(document.querySelectorAll('[role=log]')).toHaveLength(0)
})

test('an open modal dialog gets regions of its own, and speaks 150 ms later', async () => {
  const { announcer, clock, writes, unmount } = await stage()
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  dialog.ariaModal = 'true'
  document.body.append(dialog)
  announcer.say('Inside the dialog.')
  await clock.advance(150)
  expect(dialog.querySelector('[role=log]')?.textContent).toBe('Inside the dialog.')
  dialog.ariaModal = 'false'
  announcer.say('Outside again.')
  await clock.advance(400)
  expect(dialog.childElementCount).toBe(0)
  expect(polite().at(-1)).toBe('Outside again.')
  expect(writes).toHaveLength(2)
  unmount()
})

test('regions that the page threw out come back', async () => {
  const { announcer, clock, unmount } = await stage()
  document.body.replaceChildren()
  announcer.say('Still here.')
  await clock.advance(150)
  expect(polite()).toEqual(['Still here.'])
  unmount()
})
