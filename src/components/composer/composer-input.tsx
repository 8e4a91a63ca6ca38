'use client'
import {
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type KeyboardEvent,
  type ReactElement,
} from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { createComposition } from '../composing.ts'
import { useMergedRef } from '../merged-ref.ts'
import { renderPart, type PartProps } from '../part.ts'
import { useComposer } from './composer-context.ts'

/** Where the browser does not size a text box by its text, we do. The stylesheet holds the limit. */
function useGrowth(text: string): React.RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null || CSS.supports('field-sizing', 'content')) return
    current.style.blockSize = 'auto'
    current.style.blockSize = `${current.scrollHeight}px`
  }, [text])
  return box
}

/** Props of {@link ComposerInput}. */
export type ComposerInputProps = PartProps<'textarea'> & {
  /** What Enter alone does; with Shift it always breaks the line. Default: it sends, but not on touch screens. */
  readonly enterKey?: 'send' | 'newline' | undefined
}

const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches

/** The text box. Grows with its text; leaves every key to an open input method. */
export function ComposerInput({
  enterKey,
  ref: given,
  ...props
}: ComposerInputProps): ReactElement {
  const labels = useLabels()
  const { text, setText, submit } = useComposer()
  const box = useGrowth(text)
  const ref = useMergedRef(box, given)
  const [composition] = useState(createComposition)

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (composition.owns(event)) {
      // Nothing above may take a key of the input method for a command, Escape above all.
      if (event.key === 'Escape') event.stopPropagation()
      return
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    const breaksLine = enterKey === undefined ? isTouch() : enterKey === 'newline'
    if (breaksLine && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    submit()
  }

  return renderPart(
    'textarea',
    props,
    {
      ref,
      className: 'sluice-input',
      'aria-label': labels.composer.input,
      placeholder: labels.composer.placeholder,
      rows: 1,
      // An empty box counts as left-to-right by itself, whatever the page.
      dir: text === '' ? undefined : 'auto',
      enterKeyHint: enterKey === 'newline' ? 'enter' : 'send',
      value: text,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => setText(event.currentTarget.value),
      onCompositionEnd: composition.end,
      onKeyDown,
    },
    {},
  )
}
