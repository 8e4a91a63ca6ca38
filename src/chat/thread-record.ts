import type { Fact } from '../generation/facts.ts'
import {
  createRecorder,
  replay,
  type SavedStream,
  type StreamRecorder,
} from '../generation/record.ts'
import { messageIn } from '../generation/state.ts'
import type { StreamStorage } from '../generation/stream-types.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { ToolAnswer } from '../protocol/transport.ts'
import type { ChatInside, ChatRecord } from './chat-record.ts'
import type { QueuedMessage } from './chat-types.ts'
import {
  isOpen,
  mergeThreads,
  THREAD_SCHEMA,
  type SavedEntry,
  type SavedRun,
  type SavedThread,
} from './saved-thread.ts'
import { pathTo, treeOfNodes, type Tree, type TreeNode } from './tree.ts'
import { withDelivery } from './user-message.ts'

/** Records one conversation as it is kept: pass it to `createChat` as `record`. */
export interface ThreadRecord extends ChatRecord {
  /** The conversation by now; `undefined` while nothing was said. */
  saved(): SavedThread | undefined
  /** The recorded streams of a message. */
  streamsOf(messageId: string): readonly SavedStream[] | undefined
  /** Takes in what another page saved of the same conversation: nothing of either is lost. */
  absorb(theirs: SavedThread): void
}

/** Options of {@link threadRecord}. */
export interface ThreadRecordOptions {
  /** What was kept; absent: a new conversation. */
  readonly saved?: SavedThread | undefined
  /** The application looks at whole answers: one that was never looked at counts as refused. */
  readonly mustValidate?: boolean | undefined
  /** Milliseconds, by the clock of the page. */
  now(): number
}

/** Makes the record of a conversation: what it was, made anew from its events, and all that comes after. */
export function threadRecord({
  saved,
  mustValidate = false,
  now,
}: ThreadRecordOptions): ThreadRecord {
  const recorders = new Map<string, StreamRecorder[]>()
  const known = new Map<string, readonly SavedStream[]>()
  let run: SavedRun | undefined = saved?.run
  let inside: ChatInside | undefined

  function streamsOf(messageId: string): readonly SavedStream[] | undefined {
    const before = known.get(messageId)
    if (before !== undefined) return before
    const streams = (recorders.get(messageId) ?? []).flatMap((each) => each.saved() ?? [])
    if (streams.length === 0) return undefined
    known.set(messageId, streams)
    return streams
  }

  function take({ id, streams }: SavedEntry): void {
    if (streams === undefined) return
    recorders.set(id, streams.map(createRecorder))
    known.set(id, streams)
  }

  /** The message that an entry amounts to. */
  function messageOf({ message, streams, continues }: SavedEntry): ChatMessage {
    const last = streams?.at(-1)
    const folded = last && messageIn(replay(last, now(), mustValidate).state)
    if (folded !== undefined) return continues === undefined ? folded : { ...folded, continues }
    const given = toChatMessage(message as ChatMessage)
    // Only the newest request can still bring the word that it arrived.
    return given.delivery === undefined || given.id === run?.userId
      ? given
      : withDelivery(given, 'failed')
  }

  function treeIn(thread: SavedThread, before?: Tree): Tree {
    const nodes = thread.entries.map((entry): TreeNode => {
      const own = before?.nodes.get(entry.id)
      // A message that did not change keeps its identity.
      const isSame = entry.streams === undefined || entry.streams === known.get(entry.id)
      const message = own !== undefined && isSame ? own.message : messageOf(entry)
      if (own === undefined || !isSame) take(entry)
      return { message, parent: entry.parent }
    })
    return treeOfNodes(nodes, thread.selected)
  }

  function entryOf({ message, parent }: TreeNode): SavedEntry {
    const { id, continues } = message
    const streams = streamsOf(id)
    return {
      id,
      ...(parent !== undefined && { parent }),
      ...(streams === undefined ? { message } : { streams }),
      ...(continues !== undefined && { continues }),
    }
  }

  function savedNow(): SavedThread | undefined {
    if (inside === undefined || inside.tree().nodes.size === 0) return undefined
    const { nodes, selected } = inside.tree()
    return {
      schema: THREAD_SCHEMA,
      entries: [...nodes.values()].map(entryOf),
      selected: [...selected.values()],
      ...(run !== undefined && nodes.has(run.messageId) && { run }),
      // Headers may hold keys, which are not kept.
      queue: inside.queue().map(({ id, draft }) => ({ id, draft })),
    }
  }

  const tree = saved && treeIn(saved)
  const queue = (saved?.queue ?? []).map((each): QueuedMessage => ({ ...each, options: undefined }))

  return {
    initial: tree && { tree, run, queue },
    bind(next) {
      inside = next
    },
    began(next) {
      run = next
    },
    replaced({ nodes }) {
      // Its events tell what was said, not what the application made of it.
      for (const message of inside?.tree().path ?? []) {
        if (nodes.get(message.id)?.message === message) continue
        recorders.delete(message.id)
        known.delete(message.id)
      }
    },
    answered(messageId: string, answer: ToolAnswer) {
      recorders.get(messageId)?.at(-1)?.fact({ type: 'answered', answer }, now())
      known.delete(messageId)
    },
    storageOf(messageId, isKept) {
      return { open: () => keeperOf(messageId, isKept) }
    },
    saved: savedNow,
    streamsOf,
    absorb(theirs) {
      const mine = savedNow()
      if (inside === undefined) return
      const merged = mine === undefined ? theirs : mergeThreads(mine, theirs)
      const isIdle = !inside.isBusy()
      if (isIdle) run = theirs.run ?? run
      inside.replace(treeIn(merged, inside.tree()))
      // Another page is being answered: this one reads along.
      const entry = merged.entries.find(({ id }) => id === theirs.run?.messageId)
      if (isIdle && run !== undefined && entry !== undefined && isOpen(entry)) inside.adopt(run)
    },
  }

  function keeperOf(messageId: string, isKept: boolean): ReturnType<StreamStorage['open']> {
    const list = recorders.get(messageId) ?? []
    recorders.set(messageId, list)
    let recorder = isKept ? list.at(-1) : undefined
    const stream = recorder?.saved()
    const learned = (tell: (recorder: StreamRecorder) => void): void => {
      if (recorder === undefined) return
      tell(recorder)
      known.delete(messageId)
    }
    return {
      saved: stream && { ...run, stream, messages: historyOf(messageId) },
      asked() {
        // Asked once more under the same id: what never arrived is replaced.
        if (recorder !== undefined) list.pop()
        recorder = createRecorder()
        list.push(recorder)
      },
      fact: (fact: Fact, at) => learned((each) => each.fact(fact, at)),
      event: (event, at) => learned((each) => each.event(event, at)),
    }
  }

  /** What a message answers. */
  function historyOf(messageId: string): readonly ChatMessage[] {
    const all = inside?.tree() ?? tree
    if (all === undefined) return []
    const history = pathTo(all, all.nodes.get(messageId)?.parent)
    return history.map((message) => withDelivery(message, undefined))
  }
}
