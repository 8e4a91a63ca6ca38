// One answer that is kept in the tab; the test reloads the page under it.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MessageList, StatusBadge, StopButton, useModelStream } from 'sluice'
import { createModelStream, httpTransport, tabStorage } from 'sluice/core'
import 'sluice/styles.css'

const stream = createModelStream({
  transport: httpTransport({ url: '/api/chat' }),
  storage: tabStorage({ key: 'answer' }),
})
const seqs: number[] = []
stream.observe({
  event({ from, seq }) {
    for (let each = from ?? seq; each <= seq; each++) seqs.push(each)
  },
})

function Answer() {
  const { message, status, connection, stop, resume, retry } = useModelStream(stream)
  return (
    <div id="answer" data-stream-status={status} data-connection={connection}>
      <MessageList messages={message === undefined ? [] : [message]} />
      {message !== undefined && <StatusBadge message={message} stream={{ resume, retry }} />}
      <StopButton stream={{ status, stop }} />
    </div>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Answer />
  </StrictMode>,
)
Object.assign(window, { stream, seqs })
