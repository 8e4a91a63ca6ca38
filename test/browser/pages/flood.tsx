// A stream as fast as the server sends it, under 200 earlier messages; what happens in each frame is written down.
import { Profiler, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LiveAnnouncer, MessageList, StatusBadge, StopButton, useModelStream } from 'sluice'
import { createModelStream, httpTransport, toChatMessage, type ChatMessage } from 'sluice/core'
import 'sluice/styles.css'

/** What the page saw. Times in milliseconds since the navigation began. */
export interface FloodLog {
  startedAt: number
  notifications: number[]
  frames: { at: number; changed: boolean }[]
  /** From the arrival of a piece of text to the task after the frame in which it was drawn. */
  byteToPaint: number[]
  /** How often an earlier message was rendered after the stream began. */
  earlierRenders: number
  doneAt: number | undefined
  text: string
}

const log: FloodLog = {
  startedAt: 0,
  notifications: [],
  frames: [],
  byteToPaint: [],
  earlierRenders: 0,
  doneAt: undefined,
  text: '',
}
Object.assign(window, { flood: log })

const earlier: ChatMessage[] = Array.from({ length: 200 }, (_, place) =>
  toChatMessage({
    id: `m${place}`,
    role: place % 2 === 0 ? 'user' : 'assistant',
    parts: [
      {
        type: 'text',
        text: `Earlier message **${place}**, with a [link](https://example.com/${place}).`,
      },
    ],
  }),
)

const stream = createModelStream({ transport: httpTransport({ url: '/api/chat' }) })
stream.subscribe(() => log.notifications.push(performance.now()))

const solid = (text: string): number => text.replace(/\s+/g, '').length
const arrived: { at: number; length: number }[] = []
let length = 0
stream.observe({
  event(event) {
    if (event.type !== 'text_delta') return
    length += solid(event.text)
    arrived.push({ at: performance.now(), length })
  },
})

function Live() {
  const { message, status } = useModelStream(stream)
  return (
    <>
      <MessageList messages={message === undefined ? [] : [message]} />
      {message !== undefined && <StatusBadge message={message} />}
      <StopButton stream={{ status, stop: stream.stop }} />
      <LiveAnnouncer stream={stream} />
    </>
  )
}

function countEarlier(): void {
  if (log.startedAt > 0) log.earlierRenders += 1
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Profiler id="earlier" onRender={countEarlier}>
      <MessageList messages={earlier} />
    </Profiler>
    <div id="live">
      <Live />
    </div>
  </StrictMode>,
)

/** Reads what stands in the page, after the frame's work and its paint. */
function watchFrames(): void {
  const live = document.getElementById('live') as HTMLElement
  let changed = false
  new MutationObserver(() => {
    changed = true
  }).observe(live, { childList: true, characterData: true, subtree: true })
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const now = performance.now()
    log.frames.push({ at: now, changed })
    if (changed) {
      const shown = solid(
        live.querySelector('[data-role="assistant"] .sluice-md')?.textContent ?? '',
      )
      while (arrived[0] !== undefined && arrived[0].length <= shown) {
        log.byteToPaint.push(now - (arrived.shift()?.at ?? now))
      }
    }
    changed = false
  }
  const onFrame = (): void => {
    port2.postMessage(null)
    if (log.doneAt === undefined || arrived.length > 0) requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}

Object.assign(window, {
  async go() {
    log.startedAt = performance.now()
    watchFrames()
    await stream.start('Go')
    log.doneAt = performance.now()
    log.text = stream.getSnapshot().text
  },
})
