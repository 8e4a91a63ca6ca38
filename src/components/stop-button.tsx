'use client'
import { Square } from 'lucide-react'
import type { ReactElement } from 'react'
import { useLabels } from '../react/labels/context.tsx'
import { Icon } from './icon.tsx'
import { renderPart, type PartProps } from './part.ts'

/** Anything that streams and can be stopped: the value of `useModelStream`, of `useChat`, or your own. */
export interface Stoppable {
  readonly status: string
  stop(): unknown
}

/** Whether an answer is on its way. */
export const isBusy = ({ status }: { readonly status: string }): boolean =>
  status === 'submitted' || status === 'streaming'

/** Props of {@link StopButton}. */
export type StopButtonProps = PartProps<'button', { readonly busy: boolean }> & {
  readonly stream: Stoppable
}

/** Stops the answer. Stays in place while there is none, without effect, so that focus is never dropped. */
export function StopButton({ stream, ...props }: StopButtonProps): ReactElement {
  const labels = useLabels()
  const busy = isBusy(stream)
  return renderPart(
    'button',
    props,
    {
      type: 'button',
      className: 'sluice-button sluice-stop',
      'aria-disabled': busy ? undefined : true,
      onClick: () => {
        if (busy) void stream.stop()
      },
      children: (
        <>
          <Icon of={Square} />
          {labels.composer.stop}
        </>
      ),
    },
    { busy },
  )
}
