'use client'
import {
  memo,
  startTransition,
  useEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import type { ChatMessage } from '../../protocol/message.ts'

/** Draws one message of a list. */
export type DrawMessage = (message: ChatMessage) => ReactNode

const groupSize = 50
const sectionSize = 1000
/** Of a list up to this length all is drawn in the end, so that it can be searched, walked and read; of a longer one what is near. */
const wholeUpTo = 1000
/** How many groups are drawn at once, from the newest on. */
const atOnce = 2

interface RunProps {
  readonly messages: readonly ChatMessage[]
  readonly draw: DrawMessage
  /** How many of its groups are drawn wherever the view is, from the newest on. */
  readonly newest: number
}

function isSameRun(before: RunProps, now: RunProps): boolean {
  const { messages } = now
  if (before.draw !== now.draw || before.newest !== now.newest) return false
  if (before.messages.length !== messages.length) return false
  // The newest differ first.
  for (let index = messages.length - 1; index >= 0; index -= 1)
    if (before.messages[index] !== messages[index]) return false
  return true
}

const KeyedMessage = memo(function KeyedMessage(props: {
  readonly message: ChatMessage
  readonly draw: DrawMessage
}): ReactNode {
  return props.draw(props.message)
})

/** Fifty messages, which the browser may leave unpainted while they are far from view. */
const MessageGroup = memo(function MessageGroup({ messages, draw, newest }: RunProps): ReactNode {
  const { ref, isDrawn } = useDrawn(newest > 0)
  return (
    <div ref={ref} className="sluice-message-group">
      {isDrawn &&
        messages.map((message) => <KeyedMessage key={message.id} message={message} draw={draw} />)}
    </div>
  )
}, isSameRun)

/** A thousand messages: where none of them is near, one empty element. */
const MessageSection = memo(function MessageSection(props: RunProps): ReactNode {
  const { messages, draw, newest } = props
  const { ref, isDrawn } = useDrawn(newest > 0)
  return (
    <div ref={ref} className="sluice-message-section">
      {isDrawn &&
        runs(messages, groupSize).map(({ key, run, after }) => (
          <MessageGroup key={key} messages={run} draw={draw} newest={Math.max(0, newest - after)} />
        ))}
    </div>
  )
}, isSameRun)

interface Run {
  readonly key: string | undefined
  readonly run: readonly ChatMessage[]
  /** How many groups come after it. */
  readonly after: number
}

function runs(messages: readonly ChatMessage[], size: number): readonly Run[] {
  const found: Run[] = []
  for (let start = 0; start < messages.length; start += size) {
    const run = messages.slice(start, start + size)
    const rest = Math.max(0, messages.length - start - size)
    found.push({ key: run[0]?.id, run, after: Math.ceil(rest / groupSize) })
  }
  return found
}

/** Whether an element's contents are to be drawn: from the start, or when it comes near the view; then for good. */
function useDrawn(isWanted: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(isWanted || !hasView())
  if (isWanted && !isDrawn) setDrawn(true)
  useEffect(() => {
    const element = ref.current
    if (isDrawn || element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setDrawn(true)
      },
      // One view's height away: drawn before it is seen.
      { root: scrollerOf(element), rootMargin: '100% 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isDrawn])
  return { ref, isDrawn }
}

/** A page without layout, as in jsdom, has no view that anything could be far from. On a server there will be one. */
const hasView = (): boolean =>
  typeof document === 'undefined' || typeof IntersectionObserver !== 'undefined'

/** The nearest ancestor that scrolls its contents; `null` stands for the window. */
function scrollerOf(element: Element): Element | null {
  for (let up = element.parentElement; up !== null; up = up.parentElement)
    if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return up
  return null
}

/** Messages in groups: the newest at once, the others in idle time, or in a very long list when they come near the view. */
export function MessageGroups({
  messages,
  draw,
}: {
  readonly messages: readonly ChatMessage[]
  readonly draw: DrawMessage
}): ReactElement {
  const [idle, setIdle] = useState(0)
  const [isPrinting, setPrinting] = useState(false)
  const groups = Math.ceil(messages.length / groupSize)
  const newest = isPrinting ? groups : atOnce + idle
  const isMore = messages.length <= wholeUpTo && newest < groups
  useEffect(
    () => (isMore ? whenIdle(() => startTransition(() => setIdle(idle + 1))) : undefined),
    [isMore, idle],
  )
  useEffect(() => {
    const print = (): void => flushSync(() => setPrinting(true))
    addEventListener('beforeprint', print)
    return () => removeEventListener('beforeprint', print)
  }, [])
  return (
    <>
      {runs(messages, sectionSize).map(({ key, run, after }) => (
        <MessageSection key={key} messages={run} draw={draw} newest={Math.max(0, newest - after)} />
      ))}
    </>
  )
}

/** Runs a task when the browser has nothing better to do. */
function whenIdle(task: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(task, 50)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(task)
  return () => cancelIdleCallback(handle)
}
