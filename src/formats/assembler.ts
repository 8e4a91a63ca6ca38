import type { EventBody, FinishReason, TerminalEvent, Usage } from '../protocol/events.ts'
import type { ReaderContext, StreamFailure } from '../protocol/format.ts'
import type { ProviderMetadata } from '../protocol/json.ts'
import { createCallTable, type CallTable } from './call-table.ts'
import { endingOf, type Ending } from './finish.ts'
import { sameUsage } from './usage.ts'
import { wellFormed } from './well-formed.ts'

/** The kinds of growing text. */
export type TextKind = 'text' | 'reasoning' | 'refusal'

/**
 * Turns what a vendor's translator understood into protocol events, and decides how the stream ended: the one place
 * where protocol §3 is applied, for all formats alike.
 */
export interface Assembler extends CallTable {
  /** The terminal event has been emitted; nothing more will be. */
  readonly ended: boolean
  readonly skipped: number
  /** A finish record was seen. */
  readonly finished: boolean
  /** Begins the stream, unless it has begun. */
  start(model?: string): void
  text(kind: TextKind, part: string, text: string, meta?: ProviderMetadata): void
  /** The whole text of a part, told again: adds what was missed. */
  settle(kind: TextKind, part: string, whole: string): void
  textOf(part: string): string
  partEnd(part: string, meta?: ProviderMetadata): void
  /** Anything else, in the protocol's own words. */
  emit(event: EventBody): void
  usage(usage: Usage): void
  /** The next model call begins in the same stream. `finishReason` of the one before, where no finish record told it. */
  step(finishReason?: FinishReason): void
  /** Parts that stand. */
  readonly partCount: number
  /** Withdraws all parts but the first `count`: the vendor retried a step. */
  resetSince(count: number): void
  /** A finish record, held until the stream ends, since usage and errors may follow. */
  finish(word: string | undefined, ending?: Ending, message?: string): void
  /** The stream's own end mark: nothing follows. */
  sentinel(): void
  /** Ends the stream as failed, at once. */
  fail(error: StreamFailure): void
  /** An error after which the vendor still tells usage and the like; decides the end. */
  failLater(error: StreamFailure): void
  end(): void
  /** Something this version does not know. */
  skip(): void
}

const DELTA = {
  text: 'text_delta',
  reasoning: 'reasoning_delta',
  refusal: 'refusal_delta',
} as const

/** Makes the assembler of one stream. */
export function createAssembler(
  emit: (event: EventBody) => void,
  context: ReaderContext,
): Assembler {
  const texts = new Map<string, { kind: TextKind; text: string; held: string }>()
  /** Keys of all parts, in the order of their opening; of a call, its key in the table. */
  const order = new Map<string, string | undefined>()
  const calls = createCallTable(
    send,
    () => context.createId(),
    (part, key) => order.set(part, key),
  )
  let started = false
  let ended = false
  let skipped = 0
  let usage: Usage = {}
  let failure: StreamFailure | undefined
  let finish: { word: string | undefined; ending: Ending; message: string | undefined } | undefined

  function start(model?: string): void {
    if (started || ended) return
    started = true
    const { messageId } = context
    emit({ type: 'start', messageId, ...(model && { model }), replayable: false, heartbeatMs: 0 })
  }

  function send(event: EventBody): void {
    if (ended) return
    start()
    emit(event)
  }

  function text(kind: TextKind, part: string, piece: string, meta?: ProviderMetadata): void {
    if (ended || (piece === '' && meta === undefined)) return
    let open = texts.get(part)
    if (open === undefined) {
      open = { kind, text: '', held: '' }
      texts.set(part, open)
      order.set(part, undefined)
    }
    const whole = wellFormed(open, piece)
    if (whole === '' && meta === undefined) return
    open.text += whole
    send(
      meta === undefined
        ? { type: DELTA[kind], part, text: whole }
        : { type: DELTA[kind], part, text: whole, meta },
    )
  }

  function release(part: string): void {
    const open = texts.get(part)
    if (open === undefined || open.held === '') return
    open.held = ''
    open.text += '\ufffd'
    send({ type: DELTA[open.kind], part, text: '\ufffd' })
  }

  function withdraw(part: string): void {
    let found = false
    for (const [opened, callKey] of order) {
      found ||= opened === part
      if (!found) continue
      order.delete(opened)
      texts.delete(opened)
      if (callKey !== undefined) calls.forget(callKey)
    }
    if (found) send({ type: 'reset', part })
  }

  function terminal(event: TerminalEvent): void {
    if (ended) return
    for (const part of texts.keys()) release(part)
    send(event)
    ended = true
  }

  /** Protocol §3, rules 3 to 5; an error record (rule 2) has ended the stream already. */
  function conclude(sentinel: boolean): void {
    if (ended) return
    if (failure !== undefined) return terminal({ type: 'error', ...failure })
    if (finish === undefined) return terminal({ type: 'interrupted', sentinel })
    const { word, ending, message } = finish
    if (ending === 'cancelled') return terminal({ type: 'cancelled', by: 'server' })
    if (ending === 'interrupted-by-vendor')
      return terminal({ type: 'interrupted', sentinel: false })
    if (typeof ending === 'object') {
      return terminal({
        type: 'error',
        code: ending.error,
        message: message ?? `The model server ended the answer with "${word ?? ending.error}".`,
        retryable: true,
      })
    }
    const finishReason = raise(ending)
    if (finishReason === 'broken-calls') {
      return terminal({
        type: 'error',
        code: 'invalid-tool-arguments',
        message: 'The model called a tool with arguments that are not valid JSON.',
        retryable: true,
      })
    }
    terminal({
      type: 'done',
      finishReason,
      ...(word !== undefined && { rawFinishReason: word }),
      ...(Object.keys(usage).length > 0 && { usage }),
    })
  }

  /** What the content says of the end, where the word alone would call it a plain one. */
  function raise(reason: FinishReason): FinishReason | 'broken-calls' {
    if (!['stop', 'stop-sequence', 'other', 'tool-calls'].includes(reason)) return reason
    const { asked, waiting, broken } = calls.atEnd()
    if (asked) return 'paused'
    if (waiting) return 'tool-calls'
    if (broken) return 'broken-calls'
    for (const open of texts.values()) if (open.kind === 'refusal') return 'refusal'
    return reason === 'tool-calls' ? 'stop' : reason
  }

  return {
    ...calls,
    get ended() {
      return ended
    },
    get skipped() {
      return skipped
    },
    get finished() {
      return finish !== undefined
    },
    start,
    text,
    settle(kind, part, whole) {
      const have = texts.get(part)
      const known = have === undefined ? '' : have.text + have.held
      if (known === whole) return
      if (whole.startsWith(known)) return text(kind, part, whole.slice(known.length))
      // What was missed lies before what was seen. Only the newest part can be told anew without harm to others.
      if ([...order.keys()].at(-1) !== part || !whole.endsWith(known)) return
      withdraw(part)
      text(kind, part, whole)
    },
    textOf: (part) => texts.get(part)?.text ?? '',
    partEnd(part, meta) {
      release(part)
      if (texts.has(part)) send({ type: 'part_end', part, ...(meta !== undefined && { meta }) })
    },
    emit: send,
    usage(more) {
      const next: Usage = { ...usage, ...more }
      if (ended || sameUsage(usage, next)) return
      usage = next
      send({ type: 'usage', ...usage })
    },
    step(finishReason = 'other') {
      const told = finish?.ending
      finish = undefined
      for (const part of texts.keys()) release(part)
      send({ type: 'step', finishReason: isReason(told) ? told : finishReason })
    },
    get partCount() {
      return order.size
    },
    resetSince(count) {
      const first = [...order.keys()][count]
      if (first !== undefined) withdraw(first)
    },
    finish(word, ending = word === undefined ? 'stop' : endingOf(word), message) {
      start()
      finish = { word, ending, message }
    },
    sentinel: () => conclude(true),
    fail(error) {
      terminal({ type: 'error', ...error })
    },
    failLater(error) {
      start()
      failure ??= error
    },
    end: () => conclude(false),
    skip() {
      skipped += 1
    },
  }
}

function isReason(ending: Ending | undefined): ending is FinishReason {
  return typeof ending === 'string' && ending !== 'cancelled' && ending !== 'interrupted-by-vendor'
}
