import { systemClock } from '../protocol/clock.ts'
import { SluiceError } from '../protocol/errors.ts'
import type { StreamEvent } from '../protocol/events.ts'
import { createId } from '../protocol/ids.ts'
import type { ChatMessage } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'
import type { StreamRequest } from '../protocol/transport.ts'
import { createCallbacks } from './callbacks.ts'
import type { Fact } from './facts.ts'
import { createGrowing } from './growing.ts'
import { guarded } from './guarded.ts'
import { questionOf } from './input.ts'
import { pageLifecycle } from './lifecycle.ts'
import { createPressure } from './pressure.ts'
import { replay, type SavedRequest } from './record.ts'
import { createRun, type Run } from './run.ts'
import { frameScheduler, pageHost } from './scheduler.ts'
import { IDLE_SNAPSHOT, snapshotOf, type StreamSnapshot } from './snapshot.ts'
import { IDLE, isEnded, type GenerationState } from './state.ts'
import type {
  ModelStream,
  ModelStreamOptions,
  PressureOutcome,
  StreamKeeper,
  StreamObserver,
} from './stream-types.ts'

/** How long a replayable connection is kept without a subscriber, in milliseconds. */
const UNWATCHED_MS = 30_000

/** Creates the store of one answer. It makes no request, timer or listener before its first start. */
export function createModelStream(options: ModelStreamOptions): ModelStream {
  const clock = options.clock ?? systemClock
  const lifecycle = options.lifecycle ?? pageLifecycle()
  const generateId = options.generateId ?? createId
  const scheduler = options.scheduler ?? frameScheduler(pageHost(), clock)
  const listeners = new Set<() => void>()
  const observers = new Set<StreamObserver>()
  const callbacks = createCallbacks(options)
  const growing = createGrowing()
  const pressure = createPressure({
    clock,
    flush,
    isHidden: () => lifecycle.isHidden(),
    onPause: (units) => tellPressure('pause', units),
  })
  let run: Run | undefined
  let asked: { readonly request: StreamRequest; readonly onto: ChatMessage | undefined } | undefined
  let shown: GenerationState = IDLE
  let snapshot: StreamSnapshot = IDLE_SNAPSHOT
  let unshown = 0
  let unwatched: unknown
  let disposed = false

  let keeper: StreamKeeper | undefined
  let isOpen = false

  if (options.saved !== undefined) restore(options.saved)

  function restore({ stream, messages, ...more }: SavedRequest): Run {
    const { state, sent } = replay(stream, clock.now(), options.validate !== undefined)
    const { requestId, messageId, onto } = sent
    const request = { ...more, requestId, messageId, messages: messages.map(toChatMessage) }
    asked = { request, onto }
    const restored = newRun(request, state)
    run = restored
    draw(state)
    return restored
  }

  /** Takes up what was kept, once: not before anyone looks, so that a server and a first render see nothing of it. */
  function open(): void {
    if (isOpen) return
    isOpen = true
    keeper = options.storage?.open(clock)
    if (keeper === undefined) return
    observers.add(keeper)
    if (keeper.saved === undefined || run !== undefined) return
    const restored = restore(keeper.saved)
    if (restored.state.stop === 'requested') void restored.stop()
    else if (restored.canResume) restored.open('resume')
    // Whoever subscribes just now sees at once that it goes on.
    draw(restored.state)
  }

  function draw(state: GenerationState): void {
    shown = state
    snapshot = snapshotOf(state, options.display === 'validated', growing)
  }

  function flush(): void {
    scheduler.cancel()
    pressure.drawn()
    const state = run?.state ?? IDLE
    if (shown === state) return
    draw(state)
    if (unshown > 1) tellPressure('batch', unshown)
    unshown = 0
    for (const listener of listeners) guarded(listener)
    for (const observer of observers) guarded(() => observer.frame?.(snapshot, clock.now()))
  }

  function tellPressure(what: PressureOutcome, amount: number): void {
    for (const observer of observers) guarded(() => observer.pressure?.(what, amount, clock.now()))
  }

  function onStep(of: Run, before: GenerationState, input: StreamEvent | Fact): void {
    const now = clock.now()
    const { state } = of
    if (!('seq' in input))
      for (const observer of observers) guarded(() => observer.fact?.(input, now))
    for (const event of state.fresh) {
      for (const observer of observers) guarded(() => observer.event?.(event, now))
      if ('text' in event) pressure.add(event.text.length)
      if (event.from !== undefined) tellPressure('coalesce', event.seq - event.from + 1)
      if (event.type === 'cancelled' && event.by === 'backpressure') tellPressure('cancel', 1)
      callbacks.event(event)
    }
    if (of !== run) return
    unshown += state.fresh.length
    // An end is shown at once: what follows it (focus, the next send) must not wait for a frame that may not come.
    // So is what the person or the application did.
    const isUrgent = isEnded(state) !== isEnded(before) || state.stop !== before.stop
    if (isUrgent) flush()
    else scheduler.request(flush)
  }

  function newRun(request: StreamRequest, state: GenerationState): Run {
    return createRun({
      request,
      state,
      transport: options.transport,
      clock,
      lifecycle,
      limits: options.limits ?? {},
      validate: () => options.validate,
      onStep,
      onOver(of, message) {
        if (of === run) {
          flush()
          clock.clearTimeout(unwatched)
        }
        callbacks.over(of, message)
      },
      onBytes(count) {
        for (const observer of observers) guarded(() => observer.bytes?.(count, clock.now()))
      },
      pressure: (of) => (of === run ? pressure.wait() : undefined),
    })
  }

  function begin(request: StreamRequest, onto: ChatMessage | undefined): Promise<ChatMessage> {
    const { requestId, messageId } = request
    const begun = newRun(request, IDLE)
    run = begun
    asked = { request, onto }
    keeper?.asked(request)
    begun.learn({ type: 'sent', requestId, messageId, onto })
    flush()
    begun.open('start')
    return begun.over
  }

  return {
    getSnapshot: () => snapshot,
    getServerSnapshot: () => IDLE_SNAPSHOT,
    subscribe(listener) {
      listeners.add(listener)
      clock.clearTimeout(unwatched)
      open()
      if (run?.isParked === true) run.open('resume')
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        flush()
        clock.clearTimeout(unwatched)
        if (run !== undefined && !isEnded(run.state)) {
          unwatched = clock.setTimeout(park, UNWATCHED_MS)
        }
      }
    },
    observe(observer) {
      observers.add(observer)
      return () => void observers.delete(observer)
    },
    start(input, more = {}) {
      assertUsable()
      open()
      if (run !== undefined && !isEnded(run.state)) {
        throw new SluiceError(
          'busy',
          'This stream is still answering. Call stop() first, wait for start() to resolve, or use one stream per answer.',
        )
      }
      const { messages, messageId, onto, continues } = questionOf(input, generateId)
      return begin(
        {
          requestId: createId(),
          messageId: onto?.id ?? messageId ?? generateId(),
          messages,
          continues,
          headers: more.headers,
          body: more.body,
          metadata: more.metadata,
        },
        onto,
      )
    },
    stop: () => run?.stop() ?? Promise.resolve({ state: 'unknown', actions: [] }),
    async resume() {
      assertUsable()
      if (run?.canResume !== true) return undefined
      run.open('resume')
      flush()
      return run.over
    },
    async retry() {
      assertUsable()
      if (run === undefined || asked === undefined || !isEnded(run.state)) return undefined
      const { request, onto } = asked
      if (!run.hasArrived) return begin(request, onto)
      // A message of which nothing was shown is not left behind.
      const isEmpty = run.state.sequence.last === 0
      const messageId = onto?.id ?? (isEmpty ? request.messageId : generateId())
      return begin({ ...request, requestId: createId(), messageId }, onto)
    },
    dispose() {
      disposed = true
      clock.clearTimeout(unwatched)
      listeners.clear()
      run?.leave()
      scheduler.cancel()
      observers.clear()
    },
  }

  function park(): void {
    if (run === undefined || isEnded(run.state) || !run.state.replayable) return
    run.park()
  }

  function assertUsable(): void {
    if (disposed)
      throw new SluiceError(
        'disposed',
        'This stream was disposed. Create a new one with createModelStream().',
      )
  }
}
