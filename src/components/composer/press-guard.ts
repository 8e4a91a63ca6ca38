'use client'

/** Remembers for a while what was sent. */
export interface PressGuard {
  press(text: string): void
  /** Whether the last press was a moment ago. */
  isHeld(): boolean
  /** Whether the last press was a moment ago and sent the same. */
  isRepeated(text: string): boolean
}

/** Two presses of Enter may come before the first has been drawn: the second was meant for the same thing. */
export function createPressGuard(milliseconds: number): PressGuard {
  let pressedAt = -Infinity
  let sent = ''
  const isHeld = (): boolean => performance.now() - pressedAt < milliseconds
  return {
    press: (text) => {
      pressedAt = performance.now()
      sent = text
    },
    isHeld,
    isRepeated: (text) => isHeld() && text === sent,
  }
}
