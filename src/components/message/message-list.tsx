'use client'
import { memo, useMemo, type ReactElement, type ReactNode } from 'react'
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
import { MessageItem } from './message-item.tsx'

const groupSize = 50

type DrawMessage = (message: ChatMessage) => ReactNode

const drawItem: DrawMessage = (message) => <MessageItem message={message} />

interface GroupProps {
  readonly messages: readonly ChatMessage[]
  readonly draw: DrawMessage
}

function isSameGroup(before: GroupProps, now: GroupProps): boolean {
  return (
    before.draw === now.draw &&
    before.messages.length === now.messages.length &&
    before.messages.every((message, index) => message === now.messages[index])
  )
}

/** A run of messages that the browser may leave undrawn while it is far from view. */
const MessageGroup = memo(function MessageGroup({ messages, draw }: GroupProps): ReactNode {
  return (
    <div className="sluice-message-group">
      {messages.map((message) => (
        <KeyedMessage key={message.id} message={message} draw={draw} />
      ))}
    </div>
  )
}, isSameGroup)

const KeyedMessage = memo(function KeyedMessage(props: {
  readonly message: ChatMessage
  readonly draw: DrawMessage
}): ReactNode {
  return props.draw(props.message)
})

function groupsOf(messages: readonly ChatMessage[]): readonly (readonly ChatMessage[])[] {
  const groups: (readonly ChatMessage[])[] = []
  for (let start = 0; start < messages.length; start += groupSize)
    groups.push(messages.slice(start, start + groupSize))
  return groups
}

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
  const groups = useMemo(() => groupsOf(messages), [messages])
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
              children: groups.map((group) => (
                <MessageGroup key={group[0]?.id} messages={group} draw={draw} />
              )),
            },
            {},
          )}
        </LastMessageProvider>
      </RenderingProvider>
    </CommandsProvider>
  )
}
