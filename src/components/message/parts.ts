/** The parts of a message, from its article to a single button. @module */
export { MessageRoot as Root, type MessageRootProps as RootProps } from './message-root.tsx'
export { MessageParts as Parts, type MessagePartsProps as PartsProps } from './message-parts.tsx'
export {
  MessageSources as Sources,
  type MessageSourcesProps as SourcesProps,
} from './message-sources.tsx'
export { StatusBadge as Status, type StatusBadgeProps as StatusProps } from './status-badge.tsx'
export {
  MessageActions as Actions,
  MessageCopy as Copy,
  MessageRegenerate as Regenerate,
  type MessageActionsProps as ActionsProps,
} from './message-actions.tsx'
