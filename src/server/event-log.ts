import type { StreamEvent } from '../protocol/events.ts'
import type { StreamState } from '../protocol/transport.ts'

/** How a run stands in a log. */
export type RunState = StreamState['state']

/** The answer to {@link EventLog.create}. */
export type Created =
  /** The run is new and the caller's own. `cancelled`: its Stop came first, so the model must not be called. */
  | { readonly role: 'owner'; readonly epoch: number; readonly cancelled: boolean }
  /** The same request is already known: read its events. */
  | { readonly role: 'attached' }
  /** Another request has this id. */
  | { readonly role: 'conflict' }
  /** The log holds as many running streams as it may. */
  | { readonly role: 'full' }

/**
 * The answer to {@link EventLog.append}. `duplicate`: all of it is there already; `gap`: an event before it is missing;
 * `fenced`: another process owns the run by now; `closed`: a terminal event is there; `full`: the run's limit is
 * reached, and only a terminal event is still taken; `gone`: no such run.
 */
export type Appended = 'ok' | 'duplicate' | 'gap' | 'fenced' | 'closed' | 'full' | 'gone'

/** Some of a run's events, and how the run stands. */
export interface Page {
  readonly state: RunState
  /** The events after the cursor, by rising seq. One may stand for `from..seq`. */
  readonly events: readonly StreamEvent[]
  readonly lastSeq: number
  /** The first seq that can still be read; `lastSeq + 1` where the events are gone. */
  readonly firstSeq: number
}

/** What a log tells those who watch a run. A hint: it may be lost or come twice; the log itself is the truth. */
export type Hint = 'events' | 'cancel'

/**
 * Where the events of running and recent streams are kept, so that any reader, in any process, can have them again.
 * Every method is atomic. None waits for something to happen.
 */
export interface EventLog {
  /**
   * How often, in milliseconds, readers look without being told, because hints can be lost or an owner can die apart
   * from its readers. Absent: neither can happen.
   */
  readonly pollMs?: number | undefined
  /**
   * Claims an id for a request, or finds the run that has it.
   *
   * @param fingerprint tells one request from another under the same id.
   * @param leaseMs how long the owner may be silent before the run counts as abandoned.
   */
  create(
    id: string,
    claim: { readonly fingerprint: string; readonly leaseMs: number },
  ): Promise<Created>
  /** Adds events in order. A terminal one closes the run: whoever appends it first wins. */
  append(id: string, epoch: number, events: readonly StreamEvent[]): Promise<Appended>
  /** Reads what came after a seq, at most about `limit` bytes of it. `undefined`: no such run. */
  read(id: string, after: number, limit?: number | undefined): Promise<Page | undefined>
  /** Calls `hint` until `signal` is aborted. Resolves once it really watches. */
  watch(id: string, hint: (hint: Hint) => void, signal: AbortSignal): Promise<void>
  /** Keeps the owner's claim, and tells it what it should know. */
  renew(id: string, epoch: number, leaseMs: number): Promise<'ok' | 'cancel' | 'fenced' | 'gone'>
  /**
   * Asks the owner to stop. Of an id that is not known it keeps the wish for 60 s, so that a request which its Stop
   * has overtaken never begins. Resolves to the run's state before, `undefined` for an unknown id.
   */
  requestCancel(id: string): Promise<RunState | undefined>
  /** Ends the run as `interrupted` if its owner's lease has run out. Resolves to its state, `undefined` if unknown. */
  sweep(id: string): Promise<RunState | undefined>
}
