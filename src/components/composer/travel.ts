'use client'
import { useLayoutEffect, useRef, type RefObject } from 'react'

const duration = 180
const easing = 'cubic-bezier(0.2, 0.7, 0.2, 1)'

const isStill = (element: Element): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ||
  element.closest('[data-motion=reduced]') !== null

/** Lets an element travel to its new place, once, when `isAway` ends. Not under reduced motion. */
export function useTravel<E extends HTMLElement>(isAway: boolean): RefObject<E | null> {
  const element = useRef<E>(null)
  const from = useRef<DOMRect>(undefined)

  // After every render while away: the last place before it leaves is where it starts.
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    if (isAway) {
      from.current = current.getBoundingClientRect()
      return
    }
    const start = from.current
    from.current = undefined
    if (start === undefined || isStill(current)) return
    const end = current.getBoundingClientRect()
    current.animate(
      [{ transform: `translateY(${start.top - end.top}px)` }, { transform: 'none' }],
      {
        duration,
        easing,
      },
    )
  })
  return element
}
