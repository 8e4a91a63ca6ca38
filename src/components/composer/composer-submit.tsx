'use client'
import { ArrowUp, Square } from 'lucide-react'
import type { MouseEvent, ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { useComposer } from './composer-context.ts'

/** State of {@link ComposerSubmit}, as `data-*`. */
export type ComposerSubmitState = { readonly action: 'send' | 'stop' }

/** Send and Stop in one button, which never leaves and is never disabled, so that focus stays where it is. */
export function ComposerSubmit(props: PartProps<'button', ComposerSubmitState>): ReactElement {
  const labels = useLabels().composer
  const { isBusy, canSend, stop } = useComposer()
  const isInert = !isBusy && !canSend
  const name = isBusy ? labels.stop : labels.send
  return renderPart(
    'button',
    props,
    {
      type: 'submit',
      className: 'sluice-submit',
      'aria-label': name,
      'aria-disabled': isInert || undefined,
      title: isInert ? labels.nothingToSend : name,
      onClick: (event: MouseEvent) => {
        if (!isBusy) return
        event.preventDefault()
        stop()
      },
      children: (
        <>
          <Icon of={ArrowUp} />
          <Icon of={Square} />
        </>
      ),
    },
    { action: isBusy ? 'stop' : 'send' },
  )
}
