import type { StreamStorage } from '../generation/stream-types.ts'
import type { ToolAnswer } from '../protocol/transport.ts'
import type { QueuedMessage } from './chat-types.ts'
import type { SavedRun } from './saved-thread.ts'
import type { Tree } from './tree.ts'

/** What a conversation tells its record, and asks it at its creation. `threadRecord` makes one. */
export interface ChatRecord {
  /** What there was before. */
  readonly initial:
    | {
        readonly tree: Tree
        /** Its newest request: where its stream was cut, it goes on. */
        readonly run: SavedRun | undefined
        readonly queue: readonly QueuedMessage[]
      }
    | undefined
  bind(inside: ChatInside): void
  /** A request is about to be sent. */
  began(run: SavedRun): void
  /** Where the stream of a message is recorded. `isKept`: it begins with what is recorded already. */
  storageOf(messageId: string, isKept: boolean): StreamStorage
  /** A call in a message was answered. */
  answered(messageId: string, answer: ToolAnswer): void
  /** The application put other messages in the place of these. */
  replaced(before: Tree): void
}

/** A conversation from within. */
export interface ChatInside {
  tree(): Tree
  queue(): readonly QueuedMessage[]
  isBusy(): boolean
  /** Shows another version of the conversation; an answer that runs goes on in it. */
  replace(tree: Tree): void
  /** Takes up a recorded stream, and reads what follows. */
  adopt(run: SavedRun): void
}
