// The worked example as a reader has it: from the click to the text in the page.
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { MessageList, useModelStream } from 'sluice'
import { createModelStream, httpTransport, type ModelStream, type StopOutcome } from 'sluice/core'
import { createStreamMetrics, type StreamSample } from 'sluice/metrics'
import 'sluice/styles.css'

function Answer({ stream }: { readonly stream: ModelStream }) {
  const { message } = useModelStream(stream)
  return <MessageList messages={message === undefined ? [] : [message]} />
}

/** A fresh view of a fresh stream: each run begins from nothing. */
function open(): { stream: ModelStream; sample(): StreamSample; close(): void } {
  const stream = createModelStream({ transport: httpTransport({ url: '/api/chat' }) })
  const metrics = createStreamMetrics()
  stream.observe(metrics)
  const root = createRoot(document.getElementById('root') as HTMLElement)
  flushSync(() =>
    root.render(
      <StrictMode>
        <Answer stream={stream} />
      </StrictMode>,
    ),
  )
  return { stream, sample: () => metrics.sample(), close: () => root.unmount() }
}

/** When answer text first stands in the document, in milliseconds from now. */
function firstText(): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const text = document.querySelector('[data-role="assistant"] .sluice-md')?.textContent
      if (text === undefined || text === '') return
      observer.disconnect()
      resolve(performance.now() - begun)
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  })
}

/** What the bench calls. */
export interface TimelinePage {
  streamed(): Promise<StreamSample & { inDomMs: number }>
  /** `clickedAt`: milliseconds since the epoch. */
  stopped(
    afterMs: number,
  ): Promise<StopOutcome & { knownMs: number | undefined; clickedAt: number }>
}

const page: TimelinePage = {
  async streamed() {
    const { stream, sample, close } = open()
    const inDom = firstText()
    await stream.start('Begin.')
    const inDomMs = await inDom
    close()
    return { ...sample(), inDomMs }
  },
  async stopped(afterMs) {
    const { stream, sample, close } = open()
    void stream.start('Begin.')
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    const clickedAt = Date.now()
    const outcome = await stream.stop()
    close()
    return { ...outcome, knownMs: sample().effectiveCancelMs, clickedAt }
  },
}
Object.assign(window, { timeline: page })
