'use client'
import { ChevronDown } from 'lucide-react'
import { useState, type ReactElement, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useLabels } from '../../react/labels/context.tsx'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useThread } from './thread-context.ts'

/** One thing worth asking. */
export interface Suggestion {
  /** What is sent. */
  readonly prompt: string
  /** A few words for it. Default: the prompt. */
  readonly title?: string | undefined
  /** A second, quieter line. */
  readonly detail?: string | undefined
}

const shownAtFirst = 4

function SuggestionButton({ suggestion }: { readonly suggestion: Suggestion }): ReactNode {
  const { send, focusComposer } = useThread()
  const { prompt, title = prompt, detail } = suggestion
  return (
    <li>
      <button
        type="button"
        className="sluice-suggestion"
        onClick={() => {
          focusComposer()
          send(prompt)
        }}
      >
        <span>
          <bdi>{title}</bdi>
        </span>
        {detail !== undefined && (
          <span className="sluice-muted">
            <bdi>{detail}</bdi>
          </span>
        )}
      </button>
    </li>
  )
}

/** Props of {@link ThreadSuggestions}. */
export type ThreadSuggestionsProps = Omit<PartProps<'div'>, 'children'> & {
  /** The best four first; the others come on demand. */
  readonly suggestions: readonly Suggestion[]
}

/** Things worth asking, while nothing was said yet. */
export function ThreadSuggestions({
  suggestions,
  ...props
}: ThreadSuggestionsProps): ReactElement | null {
  const labels = useLabels()
  const { source } = useThread()
  const [isWhole, setWhole] = useState(false)
  if (source.messages.length > 0 || suggestions.length === 0) return null
  const shown = isWhole ? suggestions : suggestions.slice(0, shownAtFirst)
  return renderPart(
    'div',
    props,
    {
      className: 'sluice-suggestions',
      children: (
        <>
          <ul aria-label={labels.thread.suggestions}>
            {shown.map((suggestion) => (
              <SuggestionButton key={suggestion.prompt} suggestion={suggestion} />
            ))}
          </ul>
          {shown.length < suggestions.length && (
            <button
              type="button"
              className="sluice-quiet-button"
              onClick={({ currentTarget }) => {
                const list = currentTarget.previousElementSibling
                flushSync(() => setWhole(true))
                list?.querySelectorAll('button')[shownAtFirst]?.focus()
              }}
            >
              {labels.thread.moreSuggestions}
              <Icon of={ChevronDown} />
            </button>
          )}
        </>
      ),
    },
    {},
  )
}
