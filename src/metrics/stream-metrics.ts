import { isTerminal, type StreamEvent, type TerminalEvent } from '../protocol/events.ts'
import type { StreamCounters } from '../protocol/message.ts'

/** The figures of one stream. Times in milliseconds by the client's clock; absent while not known (what they mean: docs/metrics.md). */
export interface StreamSample {
  readonly requestId: string
  /** From `start()` to the frame in which answer text is in the DOM; without frames, to the first text applied. */
  readonly ttftMs?: number | undefined
  /** (last − first text delta) ÷ (output tokens − 1); absent where tokens are unknown. */
  readonly tpotMs?: number | undefined
  /** From `start()` to the terminal event applied. */
  readonly e2eMs?: number | undefined
  /** E2E − TTFT − (N − 1) · TPOT: transfer and drawing after the last token. */
  readonly overheadMs?: number | undefined
  /** Longest time between two events. */
  readonly longestGapMs: number
  /** From the click on Stop to the terminal state known. */
  readonly effectiveCancelMs?: number | undefined
  readonly outputTokens?: number | undefined
  /** The word of the terminal event; `open` while there is none, `lost` where the client gave up. */
  readonly end: TerminalEvent['type'] | 'open' | 'lost'
  readonly reconnects: number
  readonly duplicates: number
  readonly bytes: number
  readonly frames: number
  /** Most text that waited for one frame, in UTF-16 units. */
  readonly highWaterUnits: number
  /** What the caller's judge said of the answer, 0 to 1. */
  readonly quality?: number | undefined
}

/** A fact as the stream's store tells it; only the ones that carry a figure are looked at. */
interface FactLike {
  readonly type: string
}

/** A snapshot as the stream's store tells it. */
interface SnapshotLike {
  readonly text: string
  readonly message?: { readonly counters: StreamCounters } | undefined
}

/** Watches one stream: pass it to `observe()`. */
export interface StreamMetrics {
  event(event: StreamEvent, now: number): void
  fact(fact: FactLike, now: number): void
  frame(snapshot: SnapshotLike, now: number): void
  bytes(count: number, now: number): void
  /** The figures so far. */
  sample(): StreamSample
}

/** Begins to measure. One per stream; a second `sent` begins anew. */
export function createStreamMetrics(): StreamMetrics {
  let state = fresh('', 0)
  return {
    event(event, now) {
      if (state.requestId === '') state = fresh(event.requestId, now)
      if (state.lastEvent !== undefined) {
        state.longestGap = Math.max(state.longestGap, now - state.lastEvent)
      }
      state.lastEvent = now
      if (event.type === 'text_delta') {
        state.firstText ??= now
        state.lastText = now
        state.waiting += event.text.length
        state.highWater = Math.max(state.highWater, state.waiting)
      } else if (event.type === 'usage') {
        state.tokens = event.outputTokens ?? state.tokens
      } else if (isTerminal(event)) {
        state.end = event.type
        state.ended = now
        if (event.type === 'done') state.tokens = event.usage?.outputTokens ?? state.tokens
        if (event.type === 'cancelled') state.tokens = event.outputTokens ?? state.tokens
      }
    },
    fact(fact, now) {
      if (fact.type === 'sent') state = fresh((fact as { requestId?: string }).requestId ?? '', now)
      else if (fact.type === 'stopped') state.stopped = now
      else if (fact.type === 'stop_answered') {
        const { outcome } = fact as {
          outcome?: { state: string; outputTokens?: number | undefined }
        }
        state.stopKnown = now
        state.tokens = outcome?.outputTokens ?? state.tokens
        if (outcome?.state === 'cancelled') state.end = 'cancelled'
      } else if (fact.type === 'concluded') {
        state.end = 'lost'
        state.ended = now
      }
    },
    frame(snapshot, now) {
      state.frames++
      state.waiting = 0
      if (snapshot.text !== '') state.firstFrame ??= now
      state.counters = snapshot.message?.counters
    },
    bytes(count) {
      state.bytes += count
    },
    sample: () => sampleOf(state),
  }
}

interface State {
  readonly requestId: string
  readonly sent: number
  firstText?: number
  firstFrame?: number
  lastText?: number
  lastEvent?: number
  ended?: number
  stopped?: number
  stopKnown?: number
  tokens?: number | undefined
  counters?: StreamCounters | undefined
  end: StreamSample['end']
  longestGap: number
  bytes: number
  frames: number
  waiting: number
  highWater: number
}

function fresh(requestId: string, sent: number): State {
  return {
    requestId,
    sent,
    end: 'open',
    longestGap: 0,
    bytes: 0,
    frames: 0,
    waiting: 0,
    highWater: 0,
  }
}

function sampleOf(state: State): StreamSample {
  const { sent, firstText, firstFrame, lastText, ended, tokens } = state
  const seen = firstFrame ?? firstText
  const ttftMs = seen === undefined ? undefined : seen - sent
  const e2eMs = ended === undefined ? undefined : ended - sent
  const tpotMs =
    firstText === undefined || lastText === undefined || tokens === undefined || tokens < 2
      ? undefined
      : (lastText - firstText) / (tokens - 1)
  return {
    requestId: state.requestId,
    ttftMs,
    tpotMs,
    e2eMs,
    overheadMs:
      ttftMs === undefined || e2eMs === undefined || tpotMs === undefined || tokens === undefined
        ? undefined
        : e2eMs - ttftMs - (tokens - 1) * tpotMs,
    longestGapMs: state.longestGap,
    effectiveCancelMs:
      state.stopped === undefined || state.stopKnown === undefined
        ? undefined
        : state.stopKnown - state.stopped,
    outputTokens: tokens,
    end: state.end,
    reconnects: state.counters?.reconnects ?? 0,
    duplicates: state.counters?.duplicates ?? 0,
    bytes: state.bytes,
    frames: state.frames,
    highWaterUnits: state.highWater,
  }
}
