'use client'
import { useCallback, useMemo, useRef, type KeyboardEvent, type ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { useSettings } from '../../react/settings.ts'
import { useStickToBottom } from '../../react/use-stick-to-bottom.ts'
import { CommandsProvider, useStableCommands } from '../commands.ts'
import { isComposing } from '../composing.ts'
import { useMergedRef } from '../merged-ref.ts'
import { renderPart, type PartProps } from '../part.ts'
import { RenderingProvider, useShallow, type Rendering } from '../rendering.ts'
import { Sounds } from '../settings/sounds.tsx'
import { isBusy } from '../stop-button.tsx'
import { commandOf, type ThreadCommand, type ThreadKeys } from './keys.ts'
import { ThreadProvider, type ThreadSource, type ThreadValue } from './thread-context.ts'

/** State of {@link ThreadRoot}, as `data-*`. */
export type ThreadRootState = {
  readonly status: string
  readonly empty: boolean
  /** The reader has asked for less motion than their system does. */
  readonly motion: 'reduced' | undefined
}

/** Props of {@link ThreadRoot}. */
export type ThreadRootProps = PartProps<'main', ThreadRootState> &
  Rendering & {
    /** The value of `useChat`, or anything with its fields. */
    readonly chat: ThreadSource
    /** Keys to map otherwise, or to turn off. */
    readonly keys?: Partial<ThreadKeys> | undefined
  }

const isInDialog = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('dialog') !== null

function focusMessage(root: HTMLElement, step: 1 | -1): void {
  const messages = [...root.querySelectorAll<HTMLElement>('[data-role]')]
  const current = messages.findIndex((message) => message.contains(document.activeElement))
  const from = current === -1 ? messages.length : current
  const target = messages[Math.min(Math.max(from + step, 0), messages.length - 1)]
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
}

/** A conversation and the ways to act on it: gives the parts below it their state and the keyboard its commands. */
export function ThreadRoot({
  chat,
  keys,
  renderers,
  extensions,
  onRenderError,
  ref: given,
  children,
  ...props
}: ThreadRootProps): ReactElement {
  const labels = useLabels()
  const [{ motion }] = useSettings()
  const root = useRef<HTMLElement>(null)
  const ref = useMergedRef(root, given)
  const follow = useStickToBottom()
  const { jumpToLatest } = follow
  const { sendMessage } = chat

  const send = useCallback(
    (text: string) => {
      void sendMessage?.({ text })
      jumpToLatest()
    },
    [sendMessage, jumpToLatest],
  )
  const focusComposer = useCallback(() => {
    const wanted = matchMedia('(pointer: coarse)').matches ? '.sluice-viewport' : 'textarea'
    root.current?.querySelector<HTMLElement>(wanted)?.focus({ preventScroll: true })
  }, [])
  const value = useMemo<ThreadValue>(
    () => ({ source: chat, follow, send, focusComposer }),
    [chat, follow, send, focusComposer],
  )
  const rendering = useShallow<Rendering>({
    renderers: useShallow(renderers ?? {}),
    extensions: useShallow(extensions ?? []),
    onRenderError,
  })

  const run = (command: ThreadCommand, element: HTMLElement): boolean => {
    switch (command) {
      case 'stop':
        if (!isBusy(chat) || chat.stop === undefined) return false
        void chat.stop()
        return true
      case 'previous':
      case 'next':
        focusMessage(element, command === 'next' ? 1 : -1)
        return true
      case 'latest':
        jumpToLatest()
        return true
      case 'compose':
        element.querySelector('textarea')?.focus()
        return true
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // In a dialog, Escape and the like belong to the dialog.
    if (isComposing(event) || isInDialog(event.target)) return
    const command = commandOf(event, keys)
    if (command === undefined) return
    // In a text box, End belongs to the text.
    if (command === 'latest' && event.target instanceof HTMLTextAreaElement) return
    if (run(command, event.currentTarget)) event.preventDefault()
  }

  return (
    <ThreadProvider value={value}>
      <CommandsProvider value={useStableCommands(chat)}>
        <RenderingProvider value={rendering}>
          {renderPart(
            'main',
            props,
            {
              ref,
              className: 'sluice-thread',
              dir: labels.dir,
              lang: labels.locale,
              onKeyDown,
              children: (
                <>
                  <h1 className="sluice-hidden">{labels.thread.title}</h1>
                  <Sounds />
                  {children}
                </>
              ),
            },
            {
              status: chat.status,
              empty: chat.messages.length === 0,
              motion: motion === 'reduced' ? motion : undefined,
            },
          )}
        </RenderingProvider>
      </CommandsProvider>
    </ThreadProvider>
  )
}
