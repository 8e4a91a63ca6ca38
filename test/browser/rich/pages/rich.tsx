// One answer with every extension, whose text the test gives: `show(text, streaming)`.
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Markdown } from 'sluice'
import { shikiCode } from 'sluice/code'
import { mermaidDiagrams } from 'sluice/diagrams'
import { katexMath } from 'sluice/math'
import 'katex/dist/katex.min.css'
import 'sluice/styles.css'

const extensions = [shikiCode(), katexMath(), mermaidDiagrams()]
const root = createRoot(document.getElementById('root') as HTMLElement)

Object.assign(window, {
  show: (text: string, streaming: boolean) =>
    flushSync(() =>
      root.render(
        <StrictMode>
          <Markdown text={text} streaming={streaming} extensions={extensions} />
        </StrictMode>,
      ),
    ),
})
