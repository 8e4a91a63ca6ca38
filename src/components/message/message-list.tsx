'use client'
import type { ReactElement } from 'react'
import type { ChatMessage } from '../../protocol/message.ts'
import {
  CommandsProvider,
  useCommands,
  useStableCommands,
  type AnswerCommands,
} from '../commands.ts'
import { useKeptFocus } from '../keep-focus.ts'
import { useMergedRef } from '../merged-ref.ts'
import { renderPart, type PartProps } from '../part.ts'
import { RenderingProvider, useRendering, useShallow, type Rendering } from '../rendering.ts'
import { LastMessageProvider } from './message-context.ts'
import { MessageGroups, type DrawMessage } from './message-groups.tsx'
import { MessageItem } from './message-item.tsx'

const drawItem: DrawMessage = (message) => <MessageItem message={message} />

/** Props of {@link MessageList}. */
export type MessageListProps = Omit<PartProps<'div'>, 'children'> &
  Rendering & {
    readonly messages: readonly ChatMessage[]
    /** Where Continue, Retry and the like go. Default: the thread around. */
    readonly stream?: AnswerCommands | undefined
    /** Draws one message in place of the ready-made one. Keep it outside of the component. */
    readonly children?: DrawMessage | undefined
  }

/** Messages in order. Works alone in any page: all that it needs are the messages. */
export function MessageList({
  messages,
  stream,
  renderers,
  extensions,
  onRenderError,
  children: draw = drawItem,
  ref: given,
  ...props
}: MessageListProps): ReactElement {
  const around = useRendering()
  const rendering = useShallow<Rendering>({
    renderers: useShallow(renderers ?? around.renderers ?? {}),
    extensions: useShallow(extensions ?? around.extensions ?? []),
    onRenderError: onRenderError ?? around.onRenderError,
  })
  const commands = useStableCommands(useCommands(stream))
  const ref = useMergedRef(useKeptFocus(), given)
  return (
    <CommandsProvider value={commands}>
      <RenderingProvider value={rendering}>
        <LastMessageProvider value={messages.at(-1)?.id}>
          {renderPart(
            'div',
            props,
            {
              ref,
              className: 'sluice-messages',
              // Another conversation begins anew.
              children: <MessageGroups key={messages[0]?.id} messages={messages} draw={draw} />,
            },
            {},
          )}
        </LastMessageProvider>
      </RenderingProvider>
    </CommandsProvider>
  )
}
