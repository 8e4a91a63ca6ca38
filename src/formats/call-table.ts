import type { EventBody, ToolOutcome } from '../protocol/events.ts'
import { parseJson, type ProviderMetadata } from '../protocol/json.ts'
import { wellFormed } from './well-formed.ts'

/** How a call begins. */
export interface CallStart {
  /** The wire's id. A blank or repeated one is replaced. */
  readonly id?: string | undefined
  readonly name: string
  readonly kind?: 'json' | 'text' | undefined
  readonly runs?: 'client' | 'server' | 'provider' | undefined
  readonly dynamic?: boolean | undefined
  readonly meta?: ProviderMetadata | undefined
}

/** What became of a call. */
export interface CallResult {
  readonly state: ToolOutcome
  readonly output?: unknown
  readonly error?: string | undefined
  readonly preliminary?: boolean | undefined
  readonly meta?: ProviderMetadata | undefined
}

/** The tool calls of one stream, by whatever key its format knows them. */
export interface CallTable {
  /** Whether this key has opened a call. */
  hasCall(key: string): boolean
  /** Opens a call, unless the key has one. */
  callStart(key: string, call: CallStart): void
  /** A piece of the arguments. */
  callDelta(key: string, piece: string): void
  /** The arguments are whole. `whole` replaces what came in pieces. */
  callComplete(key: string, whole?: string, meta?: ProviderMetadata): void
  /** The arguments came as a value. */
  callValue(key: string, value: unknown): void
  /** The vendor says that the arguments are broken. */
  callBroken(key: string, whole: string, error: string): void
  /** By the call's key, or by the wire's id where that is another; it may belong to an earlier stream's call. */
  callResult(key: string, result: CallResult): void
  approval(key: string, approvalId: string, expiresAt?: number): void
}

/** What the calls say of the stream's end. */
export interface CallsAtEnd {
  /** A person must decide. */
  readonly asked: boolean
  /** A call waits for the client to run it. */
  readonly waiting: boolean
  /** A call can't be run, since its arguments do not parse. */
  readonly broken: boolean
}

interface Call {
  readonly id: string
  readonly kind: 'json' | 'text'
  readonly runs: 'client' | 'server' | 'provider'
  args: string
  /** Half a character that waits for its other half. */
  held: string
  state: 'open' | 'runnable' | 'broken'
  settled: boolean
  awaitsApproval: boolean
}

/** Makes an empty table. `onOpen` is told the part of each new call. */
export function createCallTable(
  send: (event: EventBody) => void,
  createId: () => string,
  onOpen: (part: string, key: string) => void,
): CallTable & { forget(key: string): void; atEnd(): CallsAtEnd } {
  const calls = new Map<string, Call>()
  const ids = new Set<string>()

  function freshId(wanted: string | undefined): string {
    let id = wanted === undefined || wanted.trim() === '' ? '' : wanted
    while (id === '' || ids.has(id)) id = `call_${createId()}`
    ids.add(id)
    return id
  }

  function find(key: string): Call | undefined {
    return calls.get(key) ?? [...calls.values()].find((call) => call.id === key)
  }

  function complete(call: Call, value: unknown, meta: ProviderMetadata | undefined): void {
    if (call.state !== 'open') return
    if (call.held !== '') call.args += '\ufffd'
    // No piece at all is how several vendors send an empty object.
    if (call.kind === 'json' && call.args.trim() === '') call.args = '{}'
    const args = call.kind === 'text' ? call.args : (value ?? parseJson(call.args))
    call.state = args === undefined ? 'broken' : 'runnable'
    send({
      type: 'tool_complete',
      toolCallId: call.id,
      argsText: call.args,
      ...(args !== undefined && { args }),
      ...(meta !== undefined && { meta }),
    })
  }

  function open(key: string): Call | undefined {
    const call = calls.get(key)
    return call?.state === 'open' ? call : undefined
  }

  return {
    hasCall: (key) => calls.has(key),
    callStart(key, { id, name, kind = 'json', runs = 'client', dynamic, meta }) {
      if (calls.has(key)) return
      const toolCallId = freshId(id)
      calls.set(key, {
        id: toolCallId,
        kind,
        runs,
        args: '',
        held: '',
        state: 'open',
        settled: false,
        awaitsApproval: false,
      })
      const part = `call:${toolCallId}`
      onOpen(part, key)
      send({
        type: 'tool_start',
        part,
        toolCallId,
        name,
        inputKind: kind,
        runs,
        ...(dynamic !== undefined && { dynamic }),
        ...(meta !== undefined && { meta }),
      })
    },
    callDelta(key, piece) {
      const call = open(key)
      if (call === undefined || piece === '') return
      const argsText = wellFormed(call, piece)
      call.args += argsText
      if (argsText !== '') send({ type: 'tool_delta', toolCallId: call.id, argsText })
    },
    callComplete(key, whole, meta) {
      const call = open(key)
      if (call === undefined) return
      if (whole !== undefined) replaceArgs(call, whole)
      complete(call, undefined, meta)
    },
    callValue(key, value) {
      const call = open(key)
      if (call === undefined) return
      const asText =
        call.kind === 'text' && typeof value === 'string' ? value : (JSON.stringify(value) ?? '{}')
      // Pieces that say the same are kept as they came: the application may show or hash the raw text.
      if (call.args.trim() === '' || !sameJson(call.args, asText)) replaceArgs(call, asText)
      complete(call, call.kind === 'text' ? undefined : (value ?? {}), undefined)
    },
    callBroken(key, whole, error) {
      const call = open(key)
      if (call === undefined) return
      replaceArgs(call, whole)
      call.state = 'broken'
      call.settled = true
      send({ type: 'tool_complete', toolCallId: call.id, argsText: call.args })
      send({ type: 'tool_result', toolCallId: call.id, state: 'failed', error, trusted: false })
    },
    callResult(key, { state, output, error, preliminary, meta }) {
      const call = find(key)
      if (call !== undefined) {
        complete(call, undefined, undefined)
        if (preliminary !== true) {
          call.settled = true
          call.awaitsApproval = false
        }
      }
      send({
        type: 'tool_result',
        toolCallId: call?.id ?? key,
        state,
        ...(output !== undefined && { output }),
        ...(error !== undefined && { error }),
        ...(preliminary !== undefined && { preliminary }),
        ...(meta !== undefined && { meta }),
        trusted: false,
      })
    },
    approval(key, approvalId, expiresAt) {
      const call = find(key)
      if (call !== undefined) call.awaitsApproval = true
      const toolCallId = call?.id ?? key
      send({
        type: 'tool_approval',
        toolCallId,
        approvalId,
        ...(expiresAt !== undefined && { expiresAt }),
      })
    },
    forget: (key) => void calls.delete(key),
    atEnd() {
      let asked = false
      let waiting = false
      let broken = false
      for (const call of calls.values()) {
        complete(call, undefined, undefined)
        if (call.awaitsApproval) asked = true
        else if (call.runs === 'client' && !call.settled) {
          if (call.state === 'runnable') waiting = true
          else broken = true
        }
      }
      return { asked, waiting, broken }
    },
  }
}

function replaceArgs(call: Call, whole: string): void {
  call.args = whole.toWellFormed()
  call.held = ''
}

function sameJson(a: string, b: string): boolean {
  return a === b || JSON.stringify(parseJson(a)) === b
}
