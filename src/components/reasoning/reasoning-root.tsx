'use client'
import {
  memo,
  useEffect,
  useMemo,
  useState,
  type NamedExoticComponent,
  type ReactElement,
} from 'react'
import type { ReasoningPart } from '../../protocol/message.ts'
import { renderPart, type PartProps } from '../part.ts'
import { ReasoningBody } from './reasoning-body.tsx'
import { ReasoningProvider } from './reasoning-context.ts'
import { ReasoningSummary } from './reasoning-summary.tsx'

const second = 1000

/** How long the thinking was watched, in whole seconds as milliseconds; `undefined` where it was over when first seen. */
function useWatchedTime(isRunning: boolean): number | undefined {
  const [begun] = useState(() => Date.now())
  const [watched, setWatched] = useState<number>()
  useEffect(() => {
    if (!isRunning) return undefined
    return () => setWatched(Date.now() - begun)
  }, [isRunning, begun])
  return watched === undefined ? undefined : Math.max(1, Math.round(watched / second)) * second
}

/** State of {@link ReasoningRoot}, as `data-*`. */
export type ReasoningRootState = {
  readonly part: 'reasoning'
  readonly state: 'streaming' | 'done'
}

/** Props of {@link ReasoningRoot}. */
export type ReasoningRootProps = PartProps<'details', ReasoningRootState> & {
  readonly part: ReasoningPart
}

/** What the model thought: one quiet line, open while it thinks unless the reader closed it. */
export const ReasoningRoot: NamedExoticComponent<ReasoningRootProps> = memo(function ReasoningRoot({
  part,
  ...props
}: ReasoningRootProps): ReactElement | null {
  const isThinking = part.state === 'streaming'
  const watched = useWatchedTime(isThinking)
  const [chosen, choose] = useState<boolean>()
  const reasoning = useMemo(() => ({ part, isThinking, watched }), [part, isThinking, watched])
  const isOpen = chosen ?? isThinking
  if (part.text === '' && !isThinking) return null
  return (
    <ReasoningProvider value={reasoning}>
      {renderPart(
        'details',
        props,
        {
          className: 'sluice-step',
          open: isOpen,
          onToggle: ({ currentTarget }) => {
            if (currentTarget.open !== isOpen) choose(currentTarget.open)
          },
          children: (
            <>
              <ReasoningSummary />
              <ReasoningBody />
            </>
          ),
        },
        { part: 'reasoning', state: isThinking ? 'streaming' : 'done' },
      )}
    </ReasoningProvider>
  )
})
