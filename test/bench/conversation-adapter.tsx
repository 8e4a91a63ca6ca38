// `<MessageList>` in the slot that the side-by-side benchmark has for this kit.
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { NO_COUNTS, type ChatMessage } from '../../src/protocol/message.ts'
import { MessageList } from '../../src/components/message/message-list.tsx'
import '../../src/styles/index.css'

interface Handle {
  push(delta: string): void
  end(): void
  unmount(): void
}

interface Earlier {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
}

const message = (
  { id, role, text }: Earlier,
  status: ChatMessage['status'] = { type: 'complete', reason: 'stop' },
): ChatMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }],
  status,
  requestIds: [],
  counters: NO_COUNTS,
})

export function mountConversation(container: HTMLElement, earlier: readonly Earlier[]): Handle {
  const root = createRoot(container)
  const before = earlier.map((one) => message(one))
  let text = ''
  const draw = (status?: ChatMessage['status']): void => {
    const last = message({ id: 'answer', role: 'assistant', text }, status)
    flushSync(() => root.render(<MessageList messages={[...before, last]} />))
  }
  draw({ type: 'running' })
  return {
    push(delta) {
      text += delta
      draw({ type: 'running' })
    },
    end: () => draw(),
    unmount: () => root.unmount(),
  }
}
