'use client'
import { createContext, use, useEffect, useState } from 'react'
import {
  createAnnouncer,
  type Announcer,
  type AnnouncerOptions,
  type Verbosity,
} from '../announcer/announcer.ts'
import { useLabels } from './labels/context.tsx'

/** The announcer that the parts of a page share. */
export const AnnouncerContext: React.Context<Announcer | undefined> = createContext<
  Announcer | undefined
>(undefined)

/** Options of {@link useAnnouncer}; all but `verbosity` count when the announcer is made. */
export interface UseAnnouncerOptions extends Pick<AnnouncerOptions, 'timings' | 'clock'> {
  /** How much is said; a change counts at once. Left out: what `setVerbosity` set last. */
  readonly verbosity?: Verbosity | undefined
}

/**
 * The announcer of the page: the nearest `AnnouncerProvider`'s, or one of the component's own, whose live regions are in the
 * page for as long as the component is. It speaks the language of the labels.
 *
 * @example
 * ```tsx
 * const announcer = useAnnouncer()
 * <button onClick={() => announcer.say('Saved.')}>Save</button>
 * ```
 */
export function useAnnouncer(options: UseAnnouncerOptions = {}): Announcer {
  const shared = use(AnnouncerContext)
  const { announcer: phrases, locale } = useLabels()
  const { verbosity } = options
  const [own] = useState(() => shared ?? createAnnouncer({ ...options, phrases, locale }))
  const announcer = shared ?? own

  useEffect(() => announcer.mount(), [announcer])
  useEffect(() => {
    if (shared === undefined) own.setLanguage({ phrases, locale })
  }, [own, shared, phrases, locale])
  useEffect(() => {
    if (verbosity !== undefined) announcer.setVerbosity(verbosity)
  }, [announcer, verbosity])
  return announcer
}
