'use client'
import {
  use,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { CodeBlock } from '../components/markdown/code-block.tsx'
import { StreamingContext, type CodeBlockData } from '../components/markdown/view.ts'
import { useLabels } from '../react/labels/context.tsx'
import { frameDocument, readReport, trusted, type DiagramLook } from './frame.ts'

const scheme = '(prefers-color-scheme: dark)'

/** Longer sources stay source: drawing takes longer than a reader waits. */
const maxLength = 20_000

/** What a frame may take to load Mermaid and to draw. */
const patienceMs = 20_000

interface DiagramProps {
  readonly block: CodeBlockData
}

/** The renderer of `mermaid` blocks, with Mermaid's script from `script`. */
export function createDiagram(script: string | URL | undefined): FunctionComponent<DiagramProps> {
  return function Diagram({ block }: DiagramProps): ReactNode {
    const isStreaming = use(StreamingContext)
    const labels = useLabels()
    const sourceId = useId()
    const [height, setHeight] = useState<number>()
    const [isOpen, setOpen] = useState(false)
    const source = block.lines.flat().join('\n')
    const isReady = !isStreaming && block.closed && source !== '' && source.length <= maxLength
    const isDrawn = isReady && height !== undefined
    return (
      <div className="sluice-diagram" data-state={isDrawn ? 'drawn' : 'source'}>
        {isReady && <Frame key={source} source={source} script={script} onHeight={setHeight} />}
        {isDrawn && (
          <button
            type="button"
            className="sluice-md-copy-as"
            aria-expanded={isOpen}
            aria-controls={sourceId}
            onClick={() => setOpen(!isOpen)}
          >
            {labels.markdown.diagramSource}
          </button>
        )}
        <div id={sourceId} hidden={isDrawn && !isOpen}>
          <CodeBlock block={block} />
        </div>
      </div>
    )
  }
}

interface FrameProps {
  readonly source: string
  readonly script: string | URL | undefined
  /** The height of what was drawn, in CSS pixels; `undefined` where nothing could be. */
  readonly onHeight: (height: number | undefined) => void
}

function Frame({ source, script, onHeight }: FrameProps): ReactNode {
  const labels = useLabels()
  const host = useRef<HTMLDivElement>(null)
  const isDark = useSyncExternalStore(
    subscribeScheme,
    () => matchMedia(scheme).matches,
    () => false,
  )
  const [page, setPage] = useState<string>()
  const [height, setHeight] = useState<number>()

  // After the first paint, in the colours of the place, and only where it is seen.
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        observer.disconnect()
        setPage(trusted(frameDocument(source, lookOf(element), String(script ?? mermaidScript()))))
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [source, script, isDark])

  useEffect(() => {
    if (page === undefined) return undefined
    const tell = (next: number | undefined): void => {
      clearTimeout(timer)
      setHeight(next)
      onHeight(next)
    }
    const timer = setTimeout(() => tell(undefined), patienceMs)
    const listen = ({ source: from, data }: MessageEvent): void => {
      const frame = host.current?.querySelector('iframe')
      if (frame == null || from !== frame.contentWindow) return
      const report = readReport(data)
      if (report !== undefined) tell(report.kind === 'drawn' ? report.height : undefined)
    }
    addEventListener('message', listen)
    return () => {
      clearTimeout(timer)
      removeEventListener('message', listen)
    }
  }, [page, onHeight])

  useEffect(() => () => onHeight(undefined), [onHeight])

  return (
    <div ref={host} className="sluice-diagram-frame">
      {page !== undefined && (
        <iframe
          title={labels.markdown.diagram}
          sandbox="allow-scripts"
          srcDoc={page}
          referrerPolicy="no-referrer"
          height={height ?? 0}
          aria-hidden={height === undefined}
        />
      )}
    </div>
  )
}

/** Where a bundler that knows this pattern puts the script. */
const mermaidScript = (): URL => new URL('mermaid/dist/mermaid.min.js', import.meta.url)

function subscribeScheme(listener: () => void): () => void {
  const query = matchMedia(scheme)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The colours that the stylesheet gives to the place of a diagram. */
function lookOf(element: HTMLElement): DiagramLook {
  const style = getComputedStyle(element)
  const [red = 0, green = 0, blue = 0] = (style.color.match(/[\d.]+/g) ?? []).map(Number)
  return {
    text: style.color,
    surface: style.backgroundColor,
    line: style.outlineColor,
    accent: style.caretColor,
    font: style.fontFamily,
    isDark: 0.3 * red + 0.6 * green + 0.1 * blue > 128,
  }
}
