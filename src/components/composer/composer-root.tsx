'use client'
import { useCallback, useMemo, useState, type ReactElement, type SubmitEvent } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { useMergedRef } from '../merged-ref.ts'
import { renderPart, type PartProps } from '../part.ts'
import { isBusy as isStreamBusy } from '../stop-button.tsx'
import { useOptionalThread } from '../thread/thread-context.ts'
import { ComposerProvider, type ComposerValue } from './composer-context.ts'
import { createPressGuard } from './press-guard.ts'
import { useTravel } from './travel.ts'

/** A second press within this time was meant for Send, in milliseconds. */
const guardMs = 400

/** State of {@link ComposerRoot}, as `data-*`. */
export type ComposerRootState = { readonly busy: boolean; readonly empty: boolean }

/** Props of {@link ComposerRoot}. */
export type ComposerRootProps = PartProps<'form', ComposerRootState> & {
  /** The text, where the caller keeps it. */
  readonly value?: string | undefined
  readonly onValueChange?: ((value: string) => void) | undefined
  /** Takes what is sent. Default: the thread around. */
  readonly onSend?: ((text: string) => void) | undefined
  /** What Stop stops. Default: the thread around. */
  readonly stream?: { readonly status: string; stop?(): unknown } | undefined
}

/** A form that sends: the text box and one button, which is Send and Stop in one. */
export function ComposerRoot({
  value,
  onValueChange,
  onSend,
  stream,
  ref: given,
  children,
  ...props
}: ComposerRootProps): ReactElement {
  const labels = useLabels()
  const thread = useOptionalThread()
  const [ownText, setOwnText] = useState('')
  const [guard] = useState(() => createPressGuard(guardMs))

  const text = value ?? ownText
  const source = stream ?? thread?.source
  const isBusy = source !== undefined && isStreamBusy(source)
  const canQueue = onSend === undefined && thread?.source.queue !== undefined
  const canSend = text.trim() !== '' && (!isBusy || canQueue)
  const send = onSend ?? thread?.send

  const setText = useCallback(
    (next: string) => {
      setOwnText(next)
      onValueChange?.(next)
    },
    [onValueChange],
  )
  const submit = useCallback(() => {
    if (!canSend || guard.isRepeated(text)) return
    guard.press(text)
    setText('')
    send?.(text)
  }, [canSend, guard, send, setText, text])
  const stop = useCallback(() => {
    if (!guard.isHeld()) void source?.stop?.()
  }, [guard, source])

  const composer = useMemo<ComposerValue>(
    () => ({ text, setText, isBusy, canSend, submit, stop }),
    [text, setText, isBusy, canSend, submit, stop],
  )
  const travel = useTravel<HTMLFormElement>(thread?.source.messages.length === 0)
  const ref = useMergedRef(travel, given)

  return (
    <ComposerProvider value={composer}>
      {renderPart(
        'form',
        props,
        {
          ref,
          className: 'sluice-composer',
          'aria-label': labels.composer.form,
          onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
            event.preventDefault()
            submit()
          },
          children,
        },
        { busy: isBusy, empty: text === '' },
      )}
    </ComposerProvider>
  )
}
