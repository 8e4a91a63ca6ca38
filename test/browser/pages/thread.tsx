// A whole page whose answers the test sends by hand: `push` a text, `finish` with a reason.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from 'sluice'
import {
  createChat,
  type ChatMessageInput,
  type EventBody,
  type FinishReason,
  type Transport,
} from 'sluice/core'
import * as languages from 'sluice/labels'
import 'sluice/styles.css'
import './thread.css'

const params = new URLSearchParams(location.search)
const turns = Number(params.get('turns') ?? 0)
const paragraph = 'The gates meet in a shallow V that points upstream. '.repeat(6)

const messages = Array.from({ length: turns }, (_, turn): ChatMessageInput[] => [
  { id: `q${turn}`, role: 'user', parts: [{ type: 'text', text: `Question ${turn}` }] },
  { id: `a${turn}`, role: 'assistant', parts: [{ type: 'text', text: paragraph }] },
]).flat()

let send: (event: EventBody) => void = () => undefined

const transport: Transport = {
  async *start({ requestId, messageId }) {
    const queue: EventBody[] = [{ type: 'start', messageId, replayable: false, heartbeatMs: 0 }]
    let wake = (): void => undefined
    send = (event) => {
      queue.push(event)
      wake()
    }
    for (let seq = 1; ; seq += 1) {
      if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const event = queue.shift()
      if (event !== undefined) yield { ...event, v: 1, requestId, seq }
    }
  },
  cancel: () => Promise.resolve({ state: 'cancelled', actions: [] }),
}

Object.assign(window, {
  push: (text: string) => send({ type: 'text_delta', part: 'answer', text }),
  event: (event: EventBody) => send(event),
  finish: (finishReason: FinishReason) => send({ type: 'done', finishReason }),
})

const labels = Object.entries(languages).find(([name]) => name === params.get('labels'))?.[1]
const suggestions = ['One', 'Two', 'Three', 'Four', 'Five'].map((prompt) => ({ prompt }))

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Chat chat={createChat({ transport, messages })} labels={labels} suggestions={suggestions} />
  </StrictMode>,
)
