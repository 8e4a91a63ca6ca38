'use client'
import { useEffect, useRef } from 'react'
import { useSettings } from '../../react/settings.ts'
import { isBusy } from '../stop-button.tsx'
import { useThread } from '../thread/thread-context.ts'

/** Tells by a tone that an answer has ended, where the reader wants it; none for an answer that they stopped. */
export function Sounds(): null {
  const [{ sounds }] = useSettings()
  const { source } = useThread()
  const busy = isBusy(source)
  const was = useRef(busy)
  const status = source.messages.at(-1)?.status

  useEffect(() => {
    const hasEnded = was.current && !busy
    was.current = busy
    if (!hasEnded || !sounds || status === undefined) return
    const isCut = status.type === 'incomplete'
    if (isCut && status.reason === 'cancelled') return
    import('./play-sound.ts')
      .then(({ playSound }) => playSound(isCut ? 'failed' : 'complete'))
      .catch(reportError)
  }, [busy, sounds, status])
  return null
}
