// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSettings, defaultSettings } from 'sluice'

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const key = 'sluice:settings'

test('nothing chosen, then a choice that outlives the page', () => {
  const settings = createSettings()
  expect(settings.get()).toEqual(defaultSettings)
  settings.set({ sounds: true, verbosity: 'full' })
  expect(createSettings().get()).toEqual({ ...defaultSettings, sounds: true, verbosity: 'full' })
  expect(createSettings({ key: 'another' }).get()).toEqual(defaultSettings)
})

test.each([
  ['no JSON', '{"sounds":'],
  ['another thing', '7'],
  ['nothing', 'null'],
  ['words of a later version', '{"verbosity":"poetic","sounds":1,"colour":"red"}'],
])('%s in the storage counts as no choice', (_, kept) => {
  localStorage.setItem(key, kept)
  expect(createSettings().get()).toEqual(defaultSettings)
})

test('what is known of a later version counts', () => {
  localStorage.setItem(key, '{"motion":"reduced","reveal":"backwards"}')
  expect(createSettings().get()).toEqual({ ...defaultSettings, motion: 'reduced' })
})

test('the same object until something changes, and listeners hear of it', () => {
  const settings = createSettings()
  const heard = vi.fn<() => void>()
  const forget = settings.subscribe(heard)
  expect(settings.get()).toBe(settings.get())
  settings.set({ reveal: 'smooth' })
  expect(heard).toHaveBeenCalledTimes(1)
  forget()
  settings.set({ reveal: 'live' })
  expect(heard).toHaveBeenCalledTimes(1)
})

test('a choice in another tab counts here; other entries do not', () => {
  const settings = createSettings()
  const heard = vi.fn<() => void>()
  const forget = settings.subscribe(heard)
  dispatchEvent(new StorageEvent('storage', { key: 'other', newValue: '{"sounds":true}' }))
  expect(heard).not.toHaveBeenCalled()
  dispatchEvent(new StorageEvent('storage', { key, newValue: '{"sounds":true}' }))
  expect(settings.get().sounds).toBe(true)
  dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }))
  expect(settings.get()).toEqual(defaultSettings)
  forget()
})

test('a storage that is full is told, and the choice counts for this page', () => {
  const reported = vi.fn<(cause: unknown) => void>()
  vi.stubGlobal('reportError', reported)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const settings = createSettings()
  settings.set({ sounds: true })
  expect(settings.get().sounds).toBe(true)
  expect(reported).toHaveBeenCalledOnce()
})
