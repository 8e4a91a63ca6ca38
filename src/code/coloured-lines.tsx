'use client'
import {
  memo,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { KeepSelection } from '../components/markdown/keep-selection.tsx'
import { StreamingContext, type CodeBlockData } from '../components/markdown/view.ts'
import { createColoured, type ColouredGroups, type ColouredLine } from './coloured.ts'
import { languageNamed } from './languages.ts'
import { loadTokenizer, type StartTokenizer } from './tokenizer.ts'

/** How long lines are tokenised before the page gets its turn. */
const sliceMs = 6

const noGroups: ColouredGroups = []
const noLines: readonly ColouredLine[] = []

/** Code in blocks of 32 lines, as plain code is: a line in colours takes the same room as before. */
export function ColouredLines({ block }: { readonly block: CodeBlockData }): ReactNode {
  const isOpen = use(StreamingContext) && !block.closed
  const start = useTokenizer(block.language ?? '')
  const coloured = useMemo(() => (start === undefined ? undefined : createColoured(start)), [start])
  const [groups, setGroups] = useState(noGroups)
  // Before the paint, so that a line that has just ended is not seen plain.
  useLayoutEffect(() => {
    if (coloured === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const advance = (): void => {
      const end = performance.now() + sliceMs
      const isDone = coloured.advance(block.lines, isOpen, () => performance.now() > end)
      setGroups(coloured.groups)
      if (!isDone) timer = setTimeout(advance)
    }
    advance()
    return () => clearTimeout(timer)
  }, [coloured, block, isOpen])
  return (
    <KeepSelection>
      {block.lines.map((lines, index) => (
        <LineGroup key={index} lines={lines} coloured={groups[index] ?? noLines} />
      ))}
    </KeepSelection>
  )
}

/** The tokenizer of a language, once it has loaded; what fails to load leaves the code plain. */
function useTokenizer(name: string): StartTokenizer | undefined {
  const language = languageNamed(name)
  const [loaded, setLoaded] = useState<{ readonly of: string; readonly start: StartTokenizer }>()
  useEffect(() => {
    if (language === undefined) return undefined
    let isCurrent = true
    loadTokenizer(language).then(
      (start) => {
        if (isCurrent) setLoaded({ of: language, start })
      },
      (error: unknown) => reportError(error),
    )
    return () => {
      isCurrent = false
    }
  }, [language])
  return loaded?.of === language ? loaded?.start : undefined
}

interface GroupProps {
  readonly lines: readonly string[]
  readonly coloured: readonly ColouredLine[]
}

const LineGroup: FunctionComponent<GroupProps> = memo(function LineGroup({
  lines,
  coloured,
}: GroupProps): ReactNode {
  const wrong = coloured.findIndex(({ text }, index) => text !== lines[index])
  const shown = wrong === -1 ? coloured : coloured.slice(0, wrong)
  const plain = lines.slice(shown.length)
  return (
    <span className="sluice-md-lines">
      {shown.map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {plain.length > 0 && `${plain.join('\n')}\n`}
    </span>
  )
})

interface LineProps {
  readonly line: ColouredLine
}

const Line: FunctionComponent<LineProps> = memo(function Line({ line }: LineProps): ReactNode {
  return (
    <span>
      {line.tokens.map(({ text, className }, index) =>
        className === undefined ? (
          text
        ) : (
          <span key={index} className={className}>
            {text}
          </span>
        ),
      )}
      {'\n'}
    </span>
  )
})
