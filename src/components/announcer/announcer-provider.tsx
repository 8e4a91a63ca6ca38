'use client'
import type { ReactNode } from 'react'
import {
  AnnouncerContext,
  useAnnouncer,
  type UseAnnouncerOptions,
} from '../../react/use-announcer.ts'

/** Props of {@link AnnouncerProvider}. */
export interface AnnouncerProviderProps extends UseAnnouncerOptions {
  readonly children?: ReactNode
}

/** One announcer for all that is below: everything that a page says is in one queue. Put it at the root of the page. */
export function AnnouncerProvider({ children, ...options }: AnnouncerProviderProps): ReactNode {
  return <AnnouncerContext value={useAnnouncer(options)}>{children}</AnnouncerContext>
}
