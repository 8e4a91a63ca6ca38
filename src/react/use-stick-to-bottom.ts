'use client'
import { useCallback, useEffect, useMemo, useRef, useState, type RefCallback } from 'react'
import { afterScroll, distanceToEnd, isAtEnd, type ScrollPlace } from './following.ts'

/** What {@link useStickToBottom} gives. */
export interface StickToBottom {
  /** `ref` of the element that scrolls. */
  readonly setViewport: RefCallback<HTMLElement>
  /** `ref` of the element inside it that grows. */
  readonly setContent: RefCallback<HTMLElement>
  /** The end is kept in view while content is added. */
  readonly isFollowing: boolean
  /** Nothing is left below the view. */
  readonly isAtEnd: boolean
  /** Goes to the end and follows from there. */
  readonly jumpToLatest: () => void
}

const placeOf = (viewport: HTMLElement): ScrollPlace => ({
  top: viewport.scrollTop,
  height: viewport.scrollHeight,
  viewport: viewport.clientHeight,
})

/** Something between the event's target and the viewport takes the upward turn of the wheel for itself. */
function isTakenInside(target: EventTarget | null, viewport: HTMLElement): boolean {
  let element = target instanceof Element ? target : null
  while (element !== null && element !== viewport) {
    if (element.scrollTop > 0 && /auto|scroll/.test(getComputedStyle(element).overflowY))
      return true
    element = element.parentElement
  }
  return false
}

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home'])

/** Follows one viewport. Lives outside of React: scrolling must not wait for a render. */
function createFollower(onChange: (state: { isFollowing: boolean; isAtEnd: boolean }) => void): {
  observe(viewport: HTMLElement, content: HTMLElement): () => void
  jump(): void
} {
  let viewport: HTMLElement | undefined
  let following = { isFollowing: true, place: { top: 0, height: 0, viewport: 0 } }

  const report = (): void =>
    onChange({ isFollowing: following.isFollowing, isAtEnd: isAtEnd(following.place) })

  const toEnd = (element: HTMLElement): void => {
    if (distanceToEnd(placeOf(element)) > 1) element.scrollTop = element.scrollHeight
  }

  const leave = (): void => {
    if (!following.isFollowing) return
    following = { ...following, isFollowing: false }
    report()
  }

  const jump = (): void => {
    if (viewport === undefined) return
    toEnd(viewport)
    following = { isFollowing: true, place: placeOf(viewport) }
    report()
  }

  const observe = (element: HTMLElement, content: HTMLElement): (() => void) => {
    viewport = element
    const listening = new AbortController()
    const { signal } = listening
    const canScroll = (): boolean => element.scrollHeight > element.clientHeight

    const onResize = (): void => {
      if (following.isFollowing) toEnd(element)
      following = { ...following, place: placeOf(element) }
      report()
    }
    const onScroll = (): void => {
      following = afterScroll(following, placeOf(element), isHeld)
      report()
    }
    /** The scrollbar is dragged: groups that are laid out on the way up change the height, which else excuses a move. */
    let isHeld = false
    const onPointerDown = (event: PointerEvent): void => {
      isHeld = event.target === element
    }
    const onPointer = ({ type, buttons }: PointerEvent): void => {
      if (type !== 'pointermove' || buttons === 0) isHeld = false
    }
    const onWheel = (event: WheelEvent): void => {
      if (
        event.deltaY < 0 &&
        !event.ctrlKey &&
        canScroll() &&
        !isTakenInside(event.target, element)
      )
        leave()
    }
    let touchedAt = 0
    const onTouchStart = ({ touches }: TouchEvent): void => {
      touchedAt = touches[0]?.clientY ?? 0
    }
    const onTouchMove = (event: TouchEvent): void => {
      const at = event.touches[0]?.clientY ?? touchedAt
      if (at > touchedAt && canScroll() && !isTakenInside(event.target, element)) leave()
      touchedAt = at
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      const isUpward = upwardKeys.has(event.key) || (event.key === ' ' && event.shiftKey)
      if (isUpward && event.target === element && canScroll()) leave()
    }
    const onFocusIn = ({ target }: FocusEvent): void => {
      const message = target instanceof Element ? target.closest('[data-role]') : null
      const messages = content.querySelectorAll('[data-role]')
      if (message !== null && message !== messages[messages.length - 1]) leave()
    }
    const onSelectionChange = (): void => {
      const selection = document.getSelection()
      if (selection === null || selection.isCollapsed) return
      if (content.contains(selection.anchorNode)) leave()
    }

    const passive = { signal, passive: true }
    element.addEventListener('scroll', onScroll, passive)
    element.addEventListener('wheel', onWheel, passive)
    element.addEventListener('touchstart', onTouchStart, passive)
    element.addEventListener('touchmove', onTouchMove, passive)
    element.addEventListener('pointerdown', onPointerDown, passive)
    for (const type of ['pointermove', 'pointerup', 'pointercancel'] as const)
      document.addEventListener(type, onPointer, passive)
    element.addEventListener('keydown', onKeyDown, { signal })
    content.addEventListener('focusin', onFocusIn, { signal })
    document.addEventListener('selectionchange', onSelectionChange, { signal })
    const sizes = new ResizeObserver(onResize)
    sizes.observe(element)
    sizes.observe(content)
    return () => {
      listening.abort()
      sizes.disconnect()
      viewport = undefined
    }
  }

  return { observe, jump }
}

/**
 * Keeps the end of growing content in view for as long as the reader wants it. Scrolling up by any amount, selecting
 * text or focusing an older message ends it; only the reader's own scroll to the end, or `jumpToLatest`, brings it back.
 */
export function useStickToBottom(): StickToBottom {
  const [viewport, setViewport] = useState<HTMLElement | null>(null)
  const [content, setContent] = useState<HTMLElement | null>(null)
  const [state, setState] = useState({ isFollowing: true, isAtEnd: true })
  const follower = useRef<ReturnType<typeof createFollower>>(undefined)

  useEffect(() => {
    if (viewport === null || content === null) return undefined
    follower.current ??= createFollower((now) =>
      setState((before) =>
        before.isFollowing === now.isFollowing && before.isAtEnd === now.isAtEnd ? before : now,
      ),
    )
    return follower.current.observe(viewport, content)
  }, [viewport, content])

  const jumpToLatest = useCallback(() => follower.current?.jump(), [])
  return useMemo(() => ({ setViewport, setContent, jumpToLatest, ...state }), [jumpToLatest, state])
}
