'use client'
import type { ReactElement, ReactNode } from 'react'
import type { Labels } from '../react/labels/labels.ts'
import { LabelsProvider, useLabels } from '../react/labels/context.tsx'
import { useChat } from '../react/use-chat.ts'
import { useSettings } from '../react/settings.ts'
import type { UseAnnouncerOptions } from '../react/use-announcer.ts'
import { useChatSource, type ChatSource } from '../react/use-chat-source.ts'
import { AnnouncerProvider } from './announcer/announcer-provider.tsx'
import { LiveAnnouncer } from './announcer/live-announcer.tsx'
import { ComposerHint } from './composer/composer-hint.tsx'
import { ComposerInput } from './composer/composer-input.tsx'
import { ComposerRoot } from './composer/composer-root.tsx'
import { ComposerSubmit } from './composer/composer-submit.tsx'
import type { Rendering } from './rendering.ts'
import { SettingsButton } from './settings/settings-button.tsx'
import { JumpToLatest } from './thread/jump-to-latest.tsx'
import type { ThreadKeys } from './thread/keys.ts'
import { ThreadEmpty } from './thread/thread-empty.tsx'
import { ThreadMessages } from './thread/thread-messages.tsx'
import { ThreadRoot } from './thread/thread-root.tsx'
import { ThreadSuggestions, type Suggestion } from './thread/thread-suggestions.tsx'
import { ThreadViewport } from './thread/thread-viewport.tsx'

/** Props of {@link Chat}. */
export type ChatProps = ChatSource &
  Rendering &
  Pick<UseAnnouncerOptions, 'verbosity'> & {
    /** Strings of the interface. Default: those around, else English. */
    readonly labels?: Labels | undefined
    /** Things worth asking, while nothing was said yet; the best four first. */
    readonly suggestions?: readonly Suggestion[] | undefined
    /** Keys to map otherwise, or to turn off. */
    readonly keys?: Partial<ThreadKeys> | undefined
    /** What stands in the empty page in place of the greeting. */
    readonly greeting?: ReactNode
  }

/**
 * A whole chat page. It fills the element around it, which must have a height.
 *
 * @example
 * ```tsx
 * <Chat url="/api/chat" />
 * ```
 */
export function Chat({
  labels,
  suggestions = [],
  keys,
  greeting,
  verbosity,
  renderers,
  extensions,
  onRenderError,
  ...source
}: ChatProps): ReactElement {
  const around = useLabels()
  const chat = useChat(useChatSource(source))
  const [settings] = useSettings()
  return (
    <LabelsProvider labels={labels ?? around}>
      <AnnouncerProvider verbosity={verbosity ?? settings.verbosity}>
        <LiveAnnouncer stream={chat.chat} />
        <ThreadRoot
          chat={chat}
          keys={keys}
          renderers={renderers}
          extensions={extensions}
          onRenderError={onRenderError}
        >
          <ThreadViewport>
            {greeting === undefined ? <ThreadEmpty /> : <ThreadEmpty>{greeting}</ThreadEmpty>}
            <ThreadMessages />
          </ThreadViewport>
          <div className="sluice-foot">
            <JumpToLatest />
            <ComposerRoot>
              <ComposerInput />
              <ComposerSubmit />
            </ComposerRoot>
            <div className="sluice-foot-line">
              <ComposerHint />
              <SettingsButton />
            </div>
          </div>
          <ThreadSuggestions suggestions={suggestions} />
        </ThreadRoot>
      </AnnouncerProvider>
    </LabelsProvider>
  )
}
