import type { EventBody, StreamEvent, Transport } from 'sluice/core'

/** One step of a script: an event, and how long it takes to come, in milliseconds. */
export interface ScriptStep {
  readonly after: number
  readonly event: EventBody
}

/** How a script is being played. */
export interface PlayerState {
  readonly isPlaying: boolean
  readonly speed: number
  readonly at: number
}

/** Plays scripts at a pace that a person can hold, slow down and take step by step. */
export interface Player {
  readonly transport: Transport
  play(): void
  pause(): void
  /** Lets one event through. */
  step(): void
  setSpeed(speed: number): void
  getSnapshot(): PlayerState
  subscribe(listener: () => void): () => void
}

/** Text in the pieces in which models send it. */
export function textSteps(text: string, after = 28, part = 'answer'): ScriptStep[] {
  const pieces = text.match(/\s*\S{1,7}/gu) ?? []
  return pieces.map((piece) => ({ after, event: { type: 'text_delta', part, text: piece } }))
}

/** A player whose transport answers the n-th request with the n-th script, and the last one ever after. */
export function createPlayer(
  scripts: readonly (readonly ScriptStep[])[],
  options: { readonly paused?: boolean; readonly speed?: number } = {},
): Player {
  let state: PlayerState = { isPlaying: options.paused !== true, speed: options.speed ?? 1, at: 0 }
  let asked = 0
  const listeners = new Set<() => void>()
  const waiting = new Set<() => void>()

  const set = (change: Partial<PlayerState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** Resolves when the step is due. While paused it waits for `play` or `step`. */
  async function due(after: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = state.isPlaying ? setTimeout(() => done(), after / state.speed) : undefined
      const done = (): void => {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
      waiting.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  const release = (): void => {
    for (const done of waiting) done()
  }

  const transport: Transport = {
    async *start(request, { signal, onActivity }) {
      const script = scripts[Math.min(asked, scripts.length - 1)] ?? []
      asked += 1
      let seq = 0
      const wrap = (event: EventBody): StreamEvent => {
        seq += 1
        return { ...event, v: 1, requestId: request.requestId, seq }
      }
      set({ at: 0 })
      yield wrap({
        type: 'start',
        messageId: request.messageId,
        replayable: false,
        heartbeatMs: 0,
      })
      for (const { after, event } of script) {
        await due(after, signal)
        if (signal.aborted) return
        onActivity(1)
        set({ at: state.at + 1 })
        yield wrap(event)
      }
    },
    cancel: () => Promise.resolve({ state: 'cancelled', outputTokens: state.at, actions: [] }),
  }

  return {
    transport,
    play: () => {
      set({ isPlaying: true })
      release()
    },
    pause: () => set({ isPlaying: false }),
    step: release,
    setSpeed: (speed) => set({ speed }),
    getSnapshot: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
