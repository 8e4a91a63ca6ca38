'use client'
import {
  memo,
  createElement,
  use,
  useEffect,
  useMemo,
  useReducer,
  useState,
  type FunctionComponent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { KeepSelection } from '../components/markdown/keep-selection.tsx'
import { StreamingContext, type CodeBlockData } from '../components/markdown/view.ts'
import {
  createColoured,
  type Coloured,
  type ColouredGroups,
  type ColouredLine,
} from './coloured.ts'
import { languageNamed } from './languages.ts'
import type { StartTokenizer } from './tokenizer.ts'

/** How long lines are tokenised before the page gets its turn. */
const sliceMs = 6

const noGroups: ColouredGroups = []
const noLines: readonly ColouredLine[] = []

/** Code in blocks of 32 lines, as plain code is: a line in colours takes the same room as before. */
export function ColouredLines({ block }: { readonly block: CodeBlockData }): ReactNode {
  const isOpen = use(StreamingContext) && !block.closed
  const start = useTokenizer(block.language ?? '')
  const coloured = useMemo(() => (start === undefined ? undefined : createColoured(start)), [start])
  const [turns, goOn] = useReducer((before: number) => before + 1, 0)
  // A cache, as that of Markdown's blocks is: so that a line that has just ended is drawn once, and never plain.
  const isDone = coloured === undefined || advance(coloured, block, isOpen)
  const groups = coloured?.groups ?? noGroups
  useEffect(() => {
    if (isDone) return undefined
    const timer = setTimeout(goOn)
    return () => clearTimeout(timer)
  }, [isDone, turns, block])
  return (
    <KeepSelection>
      {block.lines.map((lines, index) => (
        <LineGroup key={index} lines={lines} coloured={groups[index] ?? noLines} />
      ))}
    </KeepSelection>
  )
}

function advance(coloured: Coloured, block: CodeBlockData, isOpen: boolean): boolean {
  const end = performance.now() + sliceMs
  return coloured.advance(block.lines, isOpen, () => performance.now() > end)
}

async function load(language: string): Promise<StartTokenizer> {
  const { loadTokenizer } = await import('./tokenizer.ts')
  return loadTokenizer(language)
}

/** The tokenizer of a language, once it has loaded; what fails to load leaves the code plain. */
function useTokenizer(name: string): StartTokenizer | undefined {
  const language = languageNamed(name)
  const [loaded, setLoaded] = useState<{ readonly of: string; readonly start: StartTokenizer }>()
  useEffect(() => {
    if (language === undefined) return undefined
    let isCurrent = true
    load(language).then(
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
      {shown.map(elementOf)}
      {plain.length > 0 && `${plain.join('\n')}\n`}
    </span>
  )
})

const made = new WeakMap<ColouredLine, ReactElement>()

/** What a line is drawn as: the same element for the same line, which React then leaves alone. */
function elementOf(line: ColouredLine, index: number): ReactElement {
  const before = made.get(line)
  if (before !== undefined) return before
  const children: ReactNode[] = []
  let plain = ''
  for (const { text, className } of line.tokens) {
    if (className === undefined) {
      plain += text
      continue
    }
    if (plain !== '') children.push(plain)
    plain = ''
    children.push(createElement('span', { className }, text))
  }
  const element = createElement('span', { key: index }, ...children, `${plain}\n`)
  made.set(line, element)
  return element
}
