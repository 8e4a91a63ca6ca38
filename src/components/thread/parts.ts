/** The parts of a thread. @module */
export { ThreadRoot as Root, type ThreadRootProps as RootProps } from './thread-root.tsx'
export { ThreadViewport as Viewport } from './thread-viewport.tsx'
export { ThreadMessages as Messages } from './thread-messages.tsx'
export { ThreadEmpty as Empty } from './thread-empty.tsx'
export {
  ThreadSuggestions as Suggestions,
  type Suggestion,
  type ThreadSuggestionsProps as SuggestionsProps,
} from './thread-suggestions.tsx'
export { JumpToLatest } from './jump-to-latest.tsx'
