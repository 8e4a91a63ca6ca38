// A chat whose model says what the test tells it to. `?naive`: the answer in `role=log`, as others do it.
import { StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat, Markdown, useChat, type ChatSource } from 'sluice'
import { createChat, directTransport, textOf, type EventBody, type Model } from 'sluice/core'
import { scriptedModel } from 'sluice/testing'
import 'sluice/styles.css'

/** What the model answers: events before the text, the text in tokens of up to four letters, events after it. */
export interface Script {
  readonly before?: readonly EventBody[]
  readonly text: string
  readonly after?: readonly EventBody[]
  readonly tokenMs: number
}

/** What the test can do in the page. */
export interface Stage {
  /** What the next question is answered. */
  prepare(script: Script): void
  /** Asks, and resolves when the answer is over, with the time of that. */
  ask(script: Script): Promise<number>
  /** Resolves when the answer that runs is over, with the time of that. */
  over(): Promise<number>
  openDialog(): void
  closeDialog(): void
}

declare global {
  interface Window {
    stage: Stage
  }
}

let model: Model = scriptedModel({ text: 'Nothing was asked.' })
const chat = createChat({ transport: directTransport((request, io) => model(request, io)) })
const dialog = document.querySelector('dialog') as HTMLDialogElement

window.stage = {
  prepare({ before = [], text, after = [], tokenMs }) {
    const tokens = text.match(/\s*\S{1,4}/g) ?? []
    const part = 'answer'
    const events: EventBody[] = tokens.map((token) => ({ type: 'text_delta', part, text: token }))
    model = scriptedModel({ events: [...before, ...events, ...after], tokenMs, prefillMs: 200 })
  },
  async ask(script) {
    this.prepare(script)
    await chat.sendMessage('Go on.')
    return Date.now()
  },
  over: () =>
    new Promise((resolve) => {
      const look = (): void => {
        const { status } = chat.getSnapshot()
        if (status !== 'ready' && status !== 'error') return
        unsubscribe()
        resolve(Date.now())
      }
      const unsubscribe = chat.subscribe(look)
      look()
    }),
  openDialog: () => dialog.showModal(),
  closeDialog: () => dialog.close(),
}

function Naive(props: ChatSource & { readonly chat: typeof chat }): ReactElement {
  const { messages } = useChat(props)
  return (
    <main>
      <div role="log">
        {messages.map((message) => (
          <Markdown key={message.id} text={textOf(message)} streaming />
        ))}
      </div>
      <textarea aria-label="Message" />
    </main>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    {location.search === '?naive' ? <Naive chat={chat} /> : <Chat chat={chat} />}
  </StrictMode>,
)
