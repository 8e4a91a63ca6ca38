'use client'
import { Check, Copy } from 'lucide-react'
import {
  createElement,
  memo,
  use,
  useEffect,
  useState,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { languageClass } from '../../markdown/language-class.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { AnnouncerContext } from '../../react/use-announcer.ts'
import { Icon } from '../icon.tsx'
import { ViewContext, type CodeBlockData } from './view.ts'

const copiedMs = 2000

/** Code with its language and a button that copies it. */
export function CodeBlock({ block }: { readonly block: CodeBlockData }): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  const { language = '' } = block
  const Lines = view?.renderers.codeLines ?? PlainLines
  const className = languageClass(language)
  return (
    <div className="sluice-md-code" dir="ltr">
      <div className="sluice-md-code-head">
        <span>{language}</span>
        <CopyCode block={block} />
      </div>
      {createElement(
        view?.components.pre ?? 'pre',
        { tabIndex: 0, role: 'region', 'aria-label': labels.markdown.codeBlock(language) },
        <code className={className}>
          <Lines block={block} />
        </code>,
      )}
    </div>
  )
}

function CopyCode({ block }: { readonly block: CodeBlockData }): ReactNode {
  const labels = useLabels()
  const announcer = use(AnnouncerContext)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (): void => {
    const text = block.lines.flat().join('\n')
    const onCopied = (): void => {
      setCopied(true)
      announcer?.copied()
    }
    navigator.clipboard.writeText(text).then(onCopied, (error: unknown) => reportError(error))
  }
  return (
    <button
      type="button"
      className="sluice-md-copy"
      aria-label={isCopied ? labels.markdown.copied : labels.markdown.copyCode}
      onClick={copy}
    >
      <Icon of={isCopied ? Check : Copy} />
    </button>
  )
}

/** Lines in blocks of 32, so that a line more lays out one block and not the whole code. */
export function PlainLines({ block }: { readonly block: CodeBlockData }): ReactNode {
  return block.lines.map((lines, index) => <LineGroup key={index} lines={lines} />)
}

interface LinesProps {
  readonly lines: readonly string[]
}

const LineGroup: FunctionComponent<LinesProps> = memo(function LineGroup({
  lines,
}: LinesProps): ReactNode {
  return <span className="sluice-md-lines">{`${lines.join('\n')}\n`}</span>
})
