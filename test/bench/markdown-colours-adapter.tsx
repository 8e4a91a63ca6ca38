// `<Markdown>` with colours in the slot that the side-by-side benchmark has for this kit.
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { Markdown } from '../../src/components/markdown/markdown.tsx'
import { shikiCode } from '../../src/code.ts'
import '../../src/styles/index.css'

const extensions = [shikiCode()]

interface Handle {
  push(delta: string): void
  end(): void
  unmount(): void
}

export function mount(container: HTMLElement): Handle {
  const root = createRoot(container)
  let text = ''
  const draw = (streaming: boolean): void => {
    flushSync(() =>
      root.render(<Markdown text={text} streaming={streaming} extensions={extensions} />),
    )
  }
  return {
    push(delta) {
      text += delta
      draw(true)
    },
    end: () => draw(false),
    unmount: () => root.unmount(),
  }
}
