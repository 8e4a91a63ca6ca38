'use client'

/** What the keyboard can do in a thread. */
export type ThreadCommand = 'stop' | 'previous' | 'next' | 'latest' | 'compose'

/** One combination of keys a command, as in `Alt+ArrowUp`; `false` turns a command off. */
export type ThreadKeys = Readonly<Record<ThreadCommand, string | false>>

/** The keys of {@link ThreadCommand} unless they are mapped otherwise. */
export const defaultThreadKeys: ThreadKeys = {
  stop: 'Escape',
  previous: 'Alt+ArrowUp',
  next: 'Alt+ArrowDown',
  latest: 'End',
  compose: 'Shift+Escape',
}

interface KeyPress {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

function combinationOf(press: KeyPress): string {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = press
  const held = [ctrlKey && 'Control', metaKey && 'Meta', altKey && 'Alt', shiftKey && 'Shift']
  return [...held.filter((name) => name !== false), key].join('+')
}

/** The command that a key press stands for. */
export function commandOf(
  press: KeyPress,
  keys: Partial<ThreadKeys> | undefined,
): ThreadCommand | undefined {
  const combination = combinationOf(press)
  const mapped = Object.entries({ ...defaultThreadKeys, ...keys })
  return mapped.find(([, wanted]) => wanted === combination)?.[0] as ThreadCommand | undefined
}
