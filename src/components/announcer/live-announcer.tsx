'use client'
import { useEffect } from 'react'
import type { AnswerSource } from '../../announcer/announcer.ts'
import type { ChatMessage } from '../../protocol/message.ts'
import { useAnnouncer, type UseAnnouncerOptions } from '../../react/use-announcer.ts'

/** Props of {@link LiveAnnouncer}: what to follow, and how to speak. */
export type LiveAnnouncerProps = UseAnnouncerOptions &
  (
    | {
        /** Anything with `getSnapshot` and `subscribe`: a `ModelStream`, a `ChatStore`. */
        readonly stream: AnswerSource
        readonly message?: undefined
      }
    | {
        /** The newest message, given anew as it grows. One that is over when it is first seen is silent. */
        readonly message: ChatMessage | undefined
        readonly stream?: undefined
      }
  )

/**
 * Says an answer to screen readers while it streams: settled sentences, in order, once, and how it ended. Draws nothing:
 * its live regions are at the end of the page's body, out of sight. Keep it mounted, outside the list of messages.
 */
export function LiveAnnouncer({ stream, message, ...options }: LiveAnnouncerProps): null {
  const announcer = useAnnouncer(options)
  useEffect(
    () => (stream === undefined ? undefined : announcer.follow(stream)),
    [announcer, stream],
  )
  useEffect(() => {
    if (message !== undefined) announcer.update({ message })
  }, [announcer, message])
  return null
}
