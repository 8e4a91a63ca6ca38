// The whole line in one page: a vendor's or our own stream, to the ready-made chat.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from 'sluice'
import { createChat, httpTransport } from 'sluice/core'
import { anthropic, openaiChat, openaiResponses } from 'sluice/formats'
import 'sluice/styles.css'

const formats = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
} as const
const params = new URLSearchParams(location.search)
const format = formats[params.get('format') as keyof typeof formats]
const transport = httpTransport({
  url: params.get('url') ?? '/api/chat',
  ...(format !== undefined && { format }),
  body: params.has('model') ? { model: params.get('model') } : {},
})

const chat = createChat({ transport })
// So that a test can ask for what is not in the page: the code of an error, the counters.
Object.assign(window, { chat })

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Chat chat={chat} />
  </StrictMode>,
)
