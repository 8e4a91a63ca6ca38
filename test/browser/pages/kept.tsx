// One conversation that is kept in the browser's database; the test reloads the page under it.
import { createRoot } from 'react-dom/client'
import { Chat } from 'sluice'
import { httpTransport, indexedDbThreads, openThread } from 'sluice/core'
import 'sluice/styles.css'

const threads = indexedDbThreads()
const problems: string[] = []
const root = createRoot(document.getElementById('root') as HTMLElement)
try {
  const { chat } = await openThread({
    id: 'one',
    threads,
    transport: httpTransport({ url: '/api/chat' }),
    onProblem: ({ message }) => problems.push(message),
  })
  root.render(<Chat chat={chat} />)
  Object.assign(window, { chat })
} catch (cause) {
  problems.push((cause as Error).message)
}
Object.assign(window, { threads, problems, isReady: true })
