// Draws what the test hands it, under a policy of contents that lets nothing in; every breach of it is written down.
import { StrictMode, type ComponentProps } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Markdown } from 'sluice'
import 'sluice/styles.css'

const root = createRoot(document.getElementById('root') as HTMLElement)
const breaches: string[] = []

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  breaches.push(`${violatedDirective} ${blockedURI} ${sample}`),
)

Object.assign(window, {
  breaches,
  draw: (props: ComponentProps<typeof Markdown>) =>
    flushSync(() =>
      root.render(
        <StrictMode>
          <Markdown {...props} />
        </StrictMode>,
      ),
    ),
})
