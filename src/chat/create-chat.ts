import { createModelStream } from '../generation/model-stream.ts'
import { guarded } from '../generation/guarded.ts'
import { IDLE_SNAPSHOT } from '../generation/snapshot.ts'
import type {
  FinishInfo,
  ModelStream,
  ModelStreamOptions,
  StreamInput,
  StreamObserver,
  StreamStorage,
} from '../generation/stream-types.ts'
import { isErrorCode, SluiceError, streamError, type StreamError } from '../protocol/errors.ts'
import { createId } from '../protocol/ids.ts'
import { isToolPart, type ChatMessage } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { ToolAnswer } from '../protocol/transport.ts'
import { afterAnswer } from './after-answer.ts'
import type {
  ChatOptions,
  ChatSnapshot,
  ChatStore,
  QueuedMessage,
  SendOptions,
} from './chat-types.ts'
import { relay } from './relay.ts'
import type { SavedRun } from './saved-thread.ts'
import {
  addMessage,
  branchesOf,
  onPath,
  pathTo,
  putMessage,
  removeMessage,
  select,
  treeOf,
  type Tree,
} from './tree.ts'
import { userMessage, withDelivery } from './user-message.ts'

/** One answer on its way. A late word of one run never touches another's message. */
interface Run {
  readonly stream: ModelStream
  readonly messageId: string
  /** The message that this answer goes on from, in the eyes of the reader. */
  readonly continues: string | undefined
  /** The person's message that it answers; its delivery is told by this run. */
  readonly userId: string | undefined
  /** It was begun in another page: what waits there is sent on by nobody but the person. */
  readonly isKept: boolean
  readonly off: () => void
}

/** Creates the store of a conversation. It makes no request, timer or listener before its first send. */
export function createChat(options: ChatOptions): ChatStore {
  const generateId = options.generateId ?? createId
  const id = options.id ?? generateId()
  const listeners = new Set<() => void>()
  const observers = new Set<StreamObserver>()
  const { record } = options
  const kept = record?.initial
  let tree: Tree = kept?.tree ?? treeOf((options.messages ?? []).map(toChatMessage))
  let run: Run | undefined
  let queue: readonly QueuedMessage[] = kept?.queue ?? []
  let failure: StreamError | undefined
  let cleared: Run | undefined
  let snapshot = draw()
  const initial = snapshot
  let isKeptRunOpen = false

  function draw(): ChatSnapshot {
    const shown = run === undefined || run === cleared ? IDLE_SNAPSHOT : run.stream.getSnapshot()
    const { status, connection, stopState, metrics } = shown
    const message = run === undefined ? undefined : liveMessage(run)
    const error = failure ?? shown.error
    return {
      id,
      messages: message === undefined ? tree.path : onPath(tree.path, message),
      status: failure === undefined ? status : 'error',
      connection,
      stopState,
      error,
      queue,
      metrics,
    }
  }

  function notify(): void {
    snapshot = draw()
    for (const listener of listeners) guarded(listener)
  }

  function begin(
    input: StreamInput & {
      readonly messages: readonly ChatMessage[]
      readonly continues?: string | undefined
    },
    about: Pick<Run, 'messageId' | 'continues' | 'userId'>,
    request: SendOptions | undefined,
  ): Promise<void> {
    failure = undefined
    const { messageId, userId } = about
    const { body, metadata } = request ?? {}
    record?.began({ messageId, userId, continues: input.continues, body, metadata })
    const { stream } = newRun(about, false)
    const over = stream.start(input, request)
    notify()
    return over.then(() => {})
  }

  function newRun(about: Pick<Run, 'messageId' | 'continues' | 'userId'>, isKept: boolean): Run {
    run?.off()
    const storage = record?.storageOf(about.messageId, isKept)
    const stream = createModelStream(streamOptions(() => mine, storage))
    const offs = [stream.subscribe(() => onStream(mine)), stream.observe(relay(observers))]
    const mine: Run = { ...about, stream, isKept, off: () => offs.forEach((off) => off()) }
    run = mine
    return mine
  }

  /** Takes up what was kept: a stream that was cut goes on by itself. */
  function adopt({ messageId, userId }: SavedRun): void {
    const continues = tree.nodes.get(messageId)?.message.continues
    onStream(newRun({ messageId, userId, continues }, true))
  }

  /** The stream reads callbacks when it calls them, so the newest ones are called. */
  function streamOptions(ofRun: () => Run, storage: StreamStorage | undefined): ModelStreamOptions {
    return Object.create(options, {
      onFinish: { value: (info: FinishInfo) => onOver(ofRun(), info) },
      // These are of one stream, and a conversation has many.
      saved: { value: undefined },
      storage: { value: storage },
    }) as ModelStreamOptions
  }

  function liveMessage(of: Run): ChatMessage | undefined {
    const { message } = of.stream.getSnapshot()
    if (message === undefined || of.continues === undefined) return message
    return { ...message, continues: of.continues }
  }

  function onStream(of: Run): void {
    const { connection, status, message } = of.stream.getSnapshot()
    const arrived = connection === 'open' || (message?.counters.applied ?? 0) > 0
    const user = of.userId === undefined ? undefined : tree.nodes.get(of.userId)?.message
    if (user?.delivery === 'sending') {
      if (arrived) tree = putMessage(tree, withDelivery(user, undefined))
      else if (status === 'error') tree = putMessage(tree, withDelivery(user, 'failed'))
    } else if (user?.delivery === 'failed' && status === 'submitted') {
      tree = putMessage(tree, withDelivery(user, 'sending'))
    }
    if (of === run) notify()
  }

  function onOver(of: Run, info: FinishInfo): void {
    const message = liveMessage(of) ?? info.message
    tree = putMessage(tree, message)
    if (of === run) notify()
    guarded(() => options.onFinish?.({ ...info, message, messages: pathTo(tree, message.id) }))
    // What waits is sent on when the way is clear; after a failure it waits for the person.
    if (of === run && !info.isError && !of.isKept) sendNext()
  }

  function sendNext(): void {
    const [next, ...rest] = queue
    if (next === undefined || isBusy()) return
    queue = rest
    void send(next.draft, tree.path.at(-1)?.id, next.options)
  }

  function isBusy(): boolean {
    const status = run?.stream.getSnapshot().status
    return status === 'submitted' || status === 'streaming'
  }

  function send(
    draft: QueuedMessage['draft'],
    parent: string | undefined,
    more?: SendOptions,
  ): Promise<void> {
    const message = userMessage(generateId(), draft)
    tree = addMessage(tree, message, parent)
    return answer(message.id, more, message.id)
  }

  /** Begins a new answer under a message. */
  function answer(
    parent: string | undefined,
    more: SendOptions | undefined,
    userId?: string,
    continues?: string,
  ): Promise<void> {
    const messageId = generateId()
    const messages = pathTo(tree, parent).map((message) => withDelivery(message, undefined))
    const of =
      continues === undefined ? undefined : tree.nodes.get(continues)?.message.requestIds.at(-1)
    const placeholder = {
      ...toChatMessage({ id: messageId, role: 'assistant', parts: [] }),
      status: { type: 'running' as const },
    }
    tree = addMessage(tree, placeholder, parent)
    return begin({ messages, messageId, continues: of }, { messageId, continues, userId }, more)
  }

  async function answerCall(messageId: string, reply: ToolAnswer): Promise<void> {
    const requestId = tree.nodes.get(messageId)?.message.requestIds.at(-1)
    let isTaken = true
    try {
      const io = { signal: new AbortController().signal, onActivity: () => {} }
      if (requestId !== undefined) await options.transport.act?.(requestId, reply, io)
    } catch (cause) {
      // Decided already, in another tab or too late: the continuation tells what holds.
      isTaken = !(cause instanceof SluiceError && cause.code === 'conflict')
      if (isTaken) {
        failure = errorOf(cause)
        return notify()
      }
    }
    // Read now: while this answer was on its way another may have been taken.
    const message = tree.nodes.get(messageId)?.message
    if (message === undefined) return
    const { next, allowed, waits } = afterAnswer(message, reply, isTaken)
    failure = undefined
    tree = putMessage(tree, next)
    if (isTaken) record?.answered(messageId, reply)
    if (run?.messageId === messageId) {
      run.off()
      run = undefined
    }
    notify()
    if (allowed !== undefined) guarded(() => options.onToolCall?.(allowed))
    if (waits) return
    const history = [...pathTo(tree, tree.nodes.get(messageId)?.parent), next]
    await begin(
      { messages: history, onto: next, continues: requestId },
      { messageId, continues: next.continues, userId: undefined },
      undefined,
    )
  }

  function callOf(test: (part: ChatMessage['parts'][number]) => boolean): ChatMessage {
    const message = tree.path.findLast((each) => each.parts.some(test))
    if (message !== undefined) return message
    throw new SluiceError(
      'invalid-options',
      'No message of this conversation has such a tool call. Pass the toolCallId or approval id that the part carries.',
    )
  }

  record?.bind({
    tree: () => tree,
    queue: () => queue,
    isBusy,
    replace(next) {
      tree = next
      notify()
    },
    adopt,
  })

  return {
    getSnapshot: () => snapshot,
    getServerSnapshot: () => initial,
    subscribe(listener) {
      if (!isKeptRunOpen && kept?.run !== undefined && run === undefined) adopt(kept.run)
      isKeptRunOpen = true
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    observe(observer) {
      observers.add(observer)
      return () => void observers.delete(observer)
    },
    sendMessage(draft, more) {
      if (isBusy()) {
        queue = [...queue, { id: generateId(), draft, options: more }]
        notify()
        return Promise.resolve()
      }
      return send(draft, tree.path.at(-1)?.id, more)
    },
    async regenerate(more = {}) {
      const { messageId, ...rest } = more
      const old =
        messageId === undefined
          ? tree.path.findLast((message) => message.role === 'assistant')
          : tree.nodes.get(messageId)?.message
      const parent = old?.role === 'user' ? old.id : old && tree.nodes.get(old.id)?.parent
      if (old === undefined || isBusy()) return
      await answer(parent, rest)
    },
    stop: () => run?.stream.stop() ?? Promise.resolve({ state: 'unknown', actions: [] }),
    async resumeStream() {
      cleared = undefined
      await run?.stream.resume()
    },
    async continueResponse(more) {
      const last = tree.path.at(-1)
      if (last?.role !== 'assistant' || last.status.type !== 'incomplete' || isBusy()) return
      await answer(last.id, more, undefined, last.id)
    },
    async retry() {
      const last = tree.path.at(-1)
      if (isBusy() || last === undefined) return
      failure = undefined
      cleared = undefined
      if (last.id === run?.messageId) {
        if (await run.stream.resume()) return
        if (last.counters.applied === 0 && (await run.stream.retry())) return
      }
      const parent = last.role === 'user' ? last.id : tree.nodes.get(last.id)?.parent
      // An answer that never said anything is replaced; one with text stays, as a branch beside the new one.
      if (last.role === 'assistant' && last.parts.length === 0) tree = removeMessage(tree, last.id)
      await answer(parent, undefined)
    },
    async editMessage(messageId, draft, more) {
      const node = tree.nodes.get(messageId)
      if (node === undefined || isBusy()) return
      await send(draft, node.parent, more)
    },
    branchesOf: (messageId) => branchesOf(tree, messageId),
    selectBranch(messageId) {
      tree = select(tree, messageId)
      notify()
    },
    removeQueued(queued) {
      queue = queue.filter((each) => each.id !== queued)
      notify()
    },
    setMessages(next) {
      const messages = typeof next === 'function' ? next(snapshot.messages) : next
      const before = tree
      tree = treeOf(messages.map(toChatMessage))
      record?.replaced(before)
      if (run !== undefined && !tree.nodes.has(run.messageId)) {
        void run.stream.stop()
        run.off()
        run = undefined
      }
      notify()
    },
    clearError() {
      failure = undefined
      cleared = run
      notify()
    },
    async addToolOutput(output) {
      const { toolCallId } = output
      const message = callOf((part) => isToolPart(part) && part.toolCallId === toolCallId)
      await answerCall(
        message.id,
        'output' in output
          ? { toolCallId, state: 'succeeded', output: output.output }
          : { toolCallId, state: 'failed', error: output.errorText },
      )
    },
    async addToolApprovalResponse({ id: approvalId, ...decision }) {
      const test = (part: ChatMessage['parts'][number]): boolean =>
        isToolPart(part) && part.approval?.id === approvalId
      const message = callOf(test)
      const call = message.parts.find(test)
      if (call === undefined || !isToolPart(call)) return
      await answerCall(message.id, { toolCallId: call.toolCallId, approvalId, ...decision })
    },
    dispose() {
      listeners.clear()
      run?.off()
      run?.stream.dispose()
      run = undefined
    },
  }
}

function errorOf(cause: unknown): StreamError {
  const message = cause instanceof Error ? cause.message : 'The call failed.'
  return streamError(
    cause instanceof SluiceError && isErrorCode(cause.code) ? cause.code : 'network',
    message,
  )
}
