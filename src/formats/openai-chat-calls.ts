import { isRecord } from '../protocol/json.ts'
import type { Assembler } from './assembler.ts'

/** Reads `delta.tool_calls` into calls, whatever the labels are worth. */
export interface ChatCalls {
  read(item: unknown): void
  /** The deprecated `delta.function_call`: one call, without id and index. */
  readLegacy(item: unknown): void
}

interface OpenCall {
  readonly key: string
  readonly id: string
  index: number | undefined
  name: string
  /** Arguments that came before the name did. */
  early: string
  readonly json: ClosedJson
  readonly isText: boolean
  started: boolean
}

/**
 * Labels of calls are bad on many compatible servers: indices are missing, always 0, offset or huge; ids are missing, blank,
 * repeated, or change on the way. The rules: a known id goes on, unless another index and a name say that a new call begins
 * under a repeated id; an unknown id on a known index begins a call only with a name and a fresh start of arguments;
 * without an id the index decides; without both a name begins a call, and a piece without a name goes to the only open one. What
 * stays ambiguous is dropped and counted: a lost piece breaks one call, a piece in the wrong call breaks two.
 */
export function createChatCalls(assembler: Assembler): ChatCalls {
  const calls: OpenCall[] = []

  function open(id: string, index: number | undefined, isText: boolean): OpenCall {
    const call = {
      key: `${calls.length}`,
      id,
      index,
      name: '',
      early: '',
      json: createClosedJson(),
      isText,
      started: false,
    }
    calls.push(call)
    return call
  }

  function add(call: OpenCall, name: string, piece: string): void {
    call.json.push(piece)
    if (!call.started && name !== '') {
      call.name = name
      call.started = true
      assembler.callStart(call.key, { id: call.id, name, kind: call.isText ? 'text' : 'json' })
      assembler.callDelta(call.key, call.early)
    }
    if (call.started) assembler.callDelta(call.key, piece)
    else call.early += piece
  }

  function find(
    id: string,
    index: number | undefined,
    name: string,
    piece: string,
  ): OpenCall | 'new' | undefined {
    // The newest first: a label that was used again means the call that used it last.
    const byIndex = index === undefined ? undefined : calls.findLast((call) => call.index === index)
    const byId = id === '' ? undefined : calls.findLast((call) => call.id === id)
    if (id === '') {
      if (byIndex !== undefined) return name !== '' && startsOver(byIndex, piece) ? 'new' : byIndex
      return name === '' ? only() : 'new'
    }
    if (byId !== undefined) {
      const exact = calls.findLast(
        (call) => call.id === id && (index === undefined || call.index === index),
      )
      if (exact !== undefined) return name !== '' && startsOver(exact, piece) ? 'new' : exact
      return name === '' || byId.index === undefined ? byId : 'new'
    }
    if (byIndex !== undefined)
      return name !== '' && beginsAnew(byIndex, name, piece) ? 'new' : byIndex
    return name !== '' || index !== undefined || calls.length === 0 ? 'new' : only()
  }

  /** The call that a piece without any label belongs to. */
  function only(): OpenCall | undefined {
    if (calls.length === 1) return calls[0]
    const unfinished = calls.filter((call) => !call.json.closed)
    return unfinished.length === 1 ? unfinished[0] : undefined
  }

  return {
    read(item) {
      if (!isRecord(item)) return
      const source = isRecord(item['function'])
        ? item['function']
        : isRecord(item['custom'])
          ? item['custom']
          : {}
      const isText = isRecord(item['custom'])
      const id = typeof item['id'] === 'string' ? item['id'].trim() : ''
      const index = typeof item['index'] === 'number' ? item['index'] : undefined
      const name = typeof source['name'] === 'string' ? source['name'].trim() : ''
      const piece = argumentsOf(source['arguments'] ?? source['input'])
      if (id === '' && name === '' && piece === '') return
      const found = find(id, index, name, piece)
      if (found === undefined) return assembler.skip()
      add(found === 'new' ? open(id, index, isText) : found, name, piece)
    },
    readLegacy(item) {
      if (!isRecord(item)) return
      const name = typeof item['name'] === 'string' ? item['name'] : ''
      const call = calls[0] ?? (name === '' ? undefined : open('', undefined, false))
      if (call === undefined) return assembler.skip()
      add(call, name, argumentsOf(item['arguments']))
    },
  }
}

function beginsAnew(call: OpenCall, name: string, piece: string): boolean {
  if (startsFresh(piece)) return true
  return piece === '' && (call.json.closed || call.name !== name)
}

/** Nothing can follow closed arguments but another call. */
function startsOver(call: OpenCall, piece: string): boolean {
  return call.json.closed && startsFresh(piece)
}

function startsFresh(piece: string): boolean {
  return /^\s*[{[]/.test(piece)
}

interface ClosedJson {
  /** The outermost bracket has closed. Tells calls apart; never makes one runnable. */
  readonly closed: boolean
  push(piece: string): void
}

/** Watches growing JSON for the end of its outermost value, each character once. */
function createClosedJson(): ClosedJson {
  let depth = 0
  let opened = false
  let inString = false
  let escaped = false
  return {
    get closed() {
      return opened && depth === 0
    },
    push(piece) {
      for (const character of piece) {
        if (inString) {
          if (escaped) escaped = false
          else if (character === '\\') escaped = true
          else if (character === '"') inString = false
        } else if (character === '"') inString = true
        else if (character === '{' || character === '[') {
          depth += 1
          opened = true
        } else if (character === '}' || character === ']') depth -= 1
      }
    },
  }
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  // Mistral's type allows an object, which is then whole.
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : ''
}
