import {
  createAnnouncer,
  type Announcer,
  type AnnouncerOptions,
} from '../../src/announcer/announcer.ts'
import {
  NO_COUNTS,
  type ChatMessage,
  type MessagePart,
  type MessageStatus,
} from '../../src/protocol/message.ts'
import { manualClock, type ManualClock } from '../../src/testing/manual-clock.ts'

/** One write to a live region. */
export interface Write {
  readonly at: number
  readonly text: string
  readonly lang: string
  readonly role: string | null
}

/** An announcer in a real document, whose clock stands still, and all that it has written. */
export interface Stage {
  readonly announcer: Announcer
  readonly clock: ManualClock
  readonly writes: Write[]
  /** What was written, without times. */
  texts(): string[]
  unmount(): void
}

/** Sets up the stage; the regions are in the page for long enough to speak at once. */
export async function stage(options: AnnouncerOptions = {}): Promise<Stage> {
  const clock = manualClock(1_000_000)
  const announcer = createAnnouncer({ clock, ...options })
  const writes = watchWrites(document, clock)
  const unmount = announcer.mount(document)
  await clock.advance(1000)
  return { announcer, clock, writes, texts: () => writes.map(({ text }) => text), unmount }
}

/** Records every write to a live region from now on. */
export function watchWrites(page: Document, clock: ManualClock): Write[] {
  const start = clock.now()
  const writes: Write[] = []
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (!(target instanceof HTMLElement) || target.ariaLive === null) continue
      for (const node of addedNodes) {
        writes.push({
          at: clock.now() - start,
          text: node.textContent ?? '',
          lang: (node as HTMLElement).lang,
          role: target.getAttribute('role'),
        })
      }
    }
  }).observe(page.body, { childList: true, subtree: true })
  return writes
}

/** A message of the assistant. */
export function answer(
  parts: string | readonly MessagePart[],
  status: MessageStatus = { type: 'running' },
  id = 'a1',
): ChatMessage {
  return {
    id,
    role: 'assistant',
    parts: typeof parts === 'string' ? [{ type: 'text', text: parts }] : [...parts],
    status,
    requestIds: ['r1'],
    counters: NO_COUNTS,
  }
}

/** The status of an answer that ended well. */
export const COMPLETE: MessageStatus = { type: 'complete', reason: 'stop' }
