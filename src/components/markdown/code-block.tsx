'use client'
import {
  createElement,
  memo,
  use,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { languageClass } from '../../markdown/language-class.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { CodeHead } from './code-head.tsx'
import { KeepSelection } from './keep-selection.tsx'
import { ViewContext, type CodeBlockData } from './view.ts'

/** Code in a scroll region of its own, under a line with its language, wrapping, download and copy. */
export function CodeBlock({ block }: { readonly block: CodeBlockData }): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  const latest = useRef(block)
  const [isWrapped, setWrapped] = useState(false)
  useLayoutEffect(() => {
    latest.current = block
  }, [block])
  const readCode = useCallback(() => latest.current.lines.flat().join('\n'), [])
  const { language = '' } = block
  const Lines = view?.renderers.codeLines ?? PlainLines
  return (
    <div className="sluice-md-code" dir="ltr" data-wrapped={isWrapped ? '' : undefined}>
      <CodeHead
        language={language}
        isWrapped={isWrapped}
        setWrapped={setWrapped}
        readCode={readCode}
      />
      {createElement(
        view?.components.pre ?? 'pre',
        { tabIndex: 0, role: 'region', 'aria-label': labels.markdown.codeBlock(language) },
        <code className={languageClass(language)}>
          <Lines block={block} />
        </code>,
      )}
    </div>
  )
}

/** Lines in blocks of 32, so that a line more lays out one block and not the whole code. */
export function PlainLines({ block }: { readonly block: CodeBlockData }): ReactNode {
  return (
    <KeepSelection>
      {block.lines.map((lines, index) => (
        <LineGroup key={index} lines={lines} />
      ))}
    </KeepSelection>
  )
}

interface LinesProps {
  readonly lines: readonly string[]
}

const LineGroup: FunctionComponent<LinesProps> = memo(function LineGroup({
  lines,
}: LinesProps): ReactNode {
  return <span className="sluice-md-lines">{`${lines.join('\n')}\n`}</span>
})
