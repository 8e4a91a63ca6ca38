import { Chat } from 'sluice'
import { demoScripts } from 'sluice/testing'
import 'sluice/styles.css'
import './page.css'

const suggestions = demoScripts.map(({ title, prompt, shows }) => ({
  title,
  prompt,
  detail: shows,
}))

export function Page() {
  return <Chat url="/api/chat" suggestions={suggestions} />
}
