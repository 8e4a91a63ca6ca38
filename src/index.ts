/**
 * A chat page for streaming model answers: components, hooks and their types.
 *
 * @module
 */
export { Chat, type ChatProps } from './components/chat.tsx'
export * as Thread from './components/thread/parts.ts'
export * as Message from './components/message/parts.ts'
export * as Composer from './components/composer/parts.ts'
export { MessageList, type MessageListProps } from './components/message/message-list.tsx'
export { StatusBadge, type StatusBadgeProps } from './components/message/status-badge.tsx'
export { StopButton, type StopButtonProps, type Stoppable } from './components/stop-button.tsx'
export * as Reasoning from './components/reasoning/parts.ts'
export * as Tool from './components/tool/parts.ts'
export * as Approval from './components/approval/parts.ts'
export { Markdown, type MarkdownProps } from './components/markdown/markdown.tsx'
export type { MarkdownExtension } from './components/markdown/view.ts'
export { LiveAnnouncer, type LiveAnnouncerProps } from './components/announcer/live-announcer.tsx'
export {
  AnnouncerProvider,
  type AnnouncerProviderProps,
} from './components/announcer/announcer-provider.tsx'
export { SettingsButton } from './components/settings/settings-button.tsx'
export {
  createSettings,
  defaultSettings,
  SettingsProvider,
  useSettings,
  type Settings,
  type SettingsOptions,
  type SettingsProviderProps,
  type SettingsStore,
} from './react/settings.ts'
export { useSmoothText, type SmoothTextOptions } from './react/use-smooth-text.ts'
export type { Suggestion } from './components/thread/thread-suggestions.tsx'
export type { ThreadSource } from './components/thread/thread-context.ts'
export type { ThreadCommand, ThreadKeys } from './components/thread/keys.ts'
export type { AnswerCommands } from './components/commands.ts'
export type { PartPlace, PartRenderer, PartRenderers, Rendering } from './components/rendering.ts'
export type { PartProps, PartState, RenderProp } from './components/part.ts'
export { LabelsProvider, useLabels } from './react/labels/context.tsx'
export type { Labels } from './react/labels/labels.ts'
export { useAnnouncer, type UseAnnouncerOptions } from './react/use-announcer.ts'
export { useChat, type UseChat } from './react/use-chat.ts'
export { useModelStream, type UseModelStream } from './react/use-model-stream.ts'
export { useStickToBottom, type StickToBottom } from './react/use-stick-to-bottom.ts'
export type { ChatSource } from './react/use-chat-source.ts'
