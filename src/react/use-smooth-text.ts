'use client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { characterEnd, paced } from './pace.ts'

/** Options of {@link useSmoothText}. */
export interface SmoothTextOptions {
  /** The text still grows. Once it does not, all of it is shown at once. */
  readonly streaming: boolean
  /** Default `true`. Whatever it says, a reader who wants less motion gets the text as it comes. */
  readonly enabled?: boolean | undefined
}

const WHOLE = Number.POSITIVE_INFINITY
const lessMotion = '(prefers-reduced-motion: reduce)'
const wantsLess = (): boolean => matchMedia(lessMotion).matches
const unknown = (): boolean => false
const never = () => (): void => undefined
function onChange(listener: () => void): () => void {
  const query = matchMedia(lessMotion)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * The part of a growing text to show now: at an even pace, a whole character at a time, faster the more of it waits. It only holds
 * back what is drawn: the stream is read as fast as it comes, and the end of the answer is never late.
 *
 * @example
 * ```tsx
 * <Markdown text={useSmoothText(part.text, { streaming })} streaming={streaming} />
 * ```
 */
export function useSmoothText(
  text: string,
  { streaming, enabled = true }: SmoothTextOptions,
): string {
  const isWanted = streaming && enabled
  const isStill = useSyncExternalStore(
    isWanted ? onChange : never,
    isWanted ? wantsLess : unknown,
    unknown,
  )
  const isPaced = isWanted && !isStill
  const [shown, setShown] = useState(isPaced ? text.length : WHOLE)
  if (!isPaced && shown !== WHOLE) setShown(WHOLE)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  }, [text])

  useEffect(() => {
    if (!isPaced) return undefined
    let at = performance.now()
    const step = (now: number): void => {
      const elapsed = now - at
      at = now
      setShown((before) => {
        const whole = latest.current
        // After a text that was withdrawn, what remains is shown as it is.
        if (before >= whole.length) return whole.length
        return characterEnd(whole, paced(before, whole.length, elapsed))
      })
      frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [isPaced])

  return isPaced && shown < text.length ? text.slice(0, shown) : text
}
