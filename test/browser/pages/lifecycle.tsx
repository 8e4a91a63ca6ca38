// One store; its view is taken away and brought back by the test.
import { Activity, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { MessageList, useModelStream } from 'sluice'
import { createModelStream, httpTransport } from 'sluice/core'

const stream = createModelStream({ transport: httpTransport({ url: '/api/chat' }) })

function Answer() {
  const { message, status } = useModelStream(stream)
  return (
    <div id="answer" data-stream-status={status}>
      <MessageList messages={message === undefined ? [] : [message]} />
    </div>
  )
}

function Page() {
  const [mode, setMode] = useState<'shown' | 'hidden' | 'gone'>('shown')
  Object.assign(window, { setMode })
  if (mode === 'gone') return null
  return (
    <Activity mode={mode === 'hidden' ? 'hidden' : 'visible'}>
      <Answer />
    </Activity>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
Object.assign(window, { stream })
