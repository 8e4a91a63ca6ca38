'use client'
import {
  createContext,
  createElement,
  use,
  useCallback,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import type { Verbosity } from '../announcer/announcer.ts'

/** What a reader chooses once for all conversations. */
export interface Settings {
  /** How much of an answer a screen reader says. */
  readonly verbosity: Verbosity
  /** A short tone when an answer has ended, another when it failed. */
  readonly sounds: boolean
  /** `smooth` shows text at an even pace, however it comes. */
  readonly reveal: 'live' | 'smooth'
  /** `reduced` stills the page also where the system does not ask for it. */
  readonly motion: 'system' | 'reduced'
}

/** The settings of a reader who has chosen nothing. */
export const defaultSettings: Settings = {
  verbosity: 'balanced',
  sounds: false,
  reveal: 'live',
  motion: 'system',
}

/** Holds the settings; the same in all tabs. */
export interface SettingsStore {
  /** The same object until something changes. */
  readonly get: () => Settings
  /** Keeps the change. Where nothing can be kept it counts for this page. */
  readonly set: (change: Partial<Settings>) => void
  /** Calls back after each change, in any tab; returns the function that ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Where settings are kept. */
export interface SettingsOptions {
  /** Name of the entry in `localStorage`. Default `sluice:settings`. */
  readonly key?: string | undefined
}

const choices: { readonly [Name in keyof Settings]: readonly Settings[Name][] } = {
  verbosity: ['off', 'status', 'balanced', 'full'],
  sounds: [false, true],
  reveal: ['live', 'smooth'],
  motion: ['system', 'reduced'],
}

/** What is kept, as far as this version knows it. */
function settingsIn(text: string | null): Settings {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '{}')
  } catch {
    return defaultSettings
  }
  const known = Object.entries(kept ?? {}).filter(
    ([name, value]) =>
      Object.hasOwn(choices, name) &&
      (choices[name as keyof Settings] as readonly unknown[]).includes(value),
  )
  return { ...defaultSettings, ...Object.fromEntries(known) }
}

/** The browser's storage; `undefined` where it has none, or lets nobody use it. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** Makes a store of settings, which reads `localStorage` when it is first asked. */
export function createSettings({ key = 'sluice:settings' }: SettingsOptions = {}): SettingsStore {
  const listeners = new Set<() => void>()
  let current: Settings | undefined

  const get = (): Settings => (current ??= settingsIn(storage()?.getItem(key) ?? null))
  const change = (next: Settings): void => {
    current = next
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) change(settingsIn(event.newValue))
  }

  return {
    get,
    set(more) {
      const next = { ...get(), ...more }
      try {
        storage()?.setItem(key, JSON.stringify(next))
      } catch (cause) {
        reportError(cause)
      }
      change(next)
    },
    subscribe(listener) {
      if (listeners.size === 0) addEventListener('storage', onStorage)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) removeEventListener('storage', onStorage)
      }
    },
  }
}

/** The settings of the page, where nobody gives others. */
const pageSettings = createSettings()

const Around = createContext<SettingsStore>(pageSettings)

/** Props of {@link SettingsProvider}. */
export interface SettingsProviderProps {
  readonly settings: SettingsStore
  readonly children?: ReactNode
}

/** Gives the parts below it other settings than those of the page. */
export function SettingsProvider({ settings, children }: SettingsProviderProps): ReactNode {
  return createElement(Around, { value: settings }, children)
}

/**
 * The reader's settings, and how to change them.
 *
 * @example
 * ```tsx
 * const [{ sounds }, change] = useSettings()
 * <button aria-pressed={sounds} onClick={() => change({ sounds: !sounds })}>Sounds</button>
 * ```
 */
export function useSettings(): readonly [Settings, (change: Partial<Settings>) => void] {
  const { get, set, subscribe } = use(Around)
  const settings = useSyncExternalStore(
    subscribe,
    get,
    useCallback(() => defaultSettings, []),
  )
  return [settings, set]
}
