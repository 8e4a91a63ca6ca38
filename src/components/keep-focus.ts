'use client'
import { useEffect, useRef, type RefObject } from 'react'

interface Held {
  readonly element: HTMLElement
  readonly article: HTMLElement | undefined
  readonly place: number
}

const messagesIn = (list: Element): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[data-role]'),
]

/**
 * Keeps the focus among the messages of a list: where the control that has it goes away, its message gets it; where the message
 * goes too, the one that took its place. Watches only while the focus is inside.
 */
function keepFocusIn(list: HTMLElement): () => void {
  let held: Held | undefined

  const mend = (): void => {
    if (held === undefined || held.element.isConnected) return
    const { article, place } = held
    release()
    if (document.activeElement !== document.body) return
    const messages = messagesIn(list)
    const stays = article?.isConnected === true ? article : (messages[place] ?? messages.at(-1))
    const next = stays ?? list.closest<HTMLElement>('[tabindex]')
    next?.focus({ preventScroll: true })
  }
  const changes = new MutationObserver(mend)

  function release(): void {
    held = undefined
    changes.disconnect()
  }

  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return
    const messages = messagesIn(list)
    const place = messages.findIndex((message) => message.contains(target))
    held = { element: target, article: messages[place], place }
    changes.observe(list, { childList: true, subtree: true })
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    // Some browsers tell of an element that is being removed as if the focus had left it.
    if (relatedTarget !== null || held === undefined) return
    queueMicrotask(() => {
      if (held?.element.isConnected === true && document.activeElement !== held.element) release()
    })
  }

  list.addEventListener('focusin', onFocusIn)
  list.addEventListener('focusout', onFocusOut)
  return () => {
    release()
    list.removeEventListener('focusin', onFocusIn)
    list.removeEventListener('focusout', onFocusOut)
  }
}

/** The ref of a list of messages in which the focus is never lost. */
export function useKeptFocus(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => (list.current === null ? undefined : keepFocusIn(list.current)), [])
  return list
}
