import type { SavedStream } from '../generation/record.ts'
import { isTerminal } from '../protocol/events.ts'
import { isRecord, type JsonObject } from '../protocol/json.ts'
import type { ChatMessage } from '../protocol/message.ts'
import type { MessageDraft } from './chat-types.ts'

/** One message as it is kept: what was given as it is, an answer as the streams whose fold it is (protocol §3). */
export interface SavedEntry {
  readonly id: string
  /** The message before it; absent: it stands at the beginning. */
  readonly parent?: string | undefined
  /** Oldest first; the message is the fold of the last one. */
  readonly streams?: readonly SavedStream[] | undefined
  /** The message that an answer goes on from. */
  readonly continues?: string | undefined
  /** A message of which no stream was recorded. */
  readonly message?: ChatMessage | undefined
}

/** The newest request of a conversation: enough to go on with it in another page. Headers are not kept. */
export interface SavedRun {
  readonly messageId: string
  /** The person's message that it answers. */
  readonly userId?: string | undefined
  /** Request id of the stream that it goes on from. */
  readonly continues?: string | undefined
  readonly body?: JsonObject | undefined
  readonly metadata?: unknown
}

/** A conversation as it is kept, with all its branches. Survives JSON and structured cloning. */
export interface SavedThread {
  readonly schema: typeof THREAD_SCHEMA
  /** In order of creation: a parent comes before what follows it. */
  readonly entries: readonly SavedEntry[]
  /** Of each group of branches the one that is shown. */
  readonly selected: readonly string[]
  readonly run?: SavedRun | undefined
  readonly queue: readonly { readonly id: string; readonly draft: MessageDraft }[]
}

/** What there is in a piece of stored data. */
export type ReadThread =
  | { readonly type: 'thread'; readonly thread: SavedThread }
  /** Written by a later version of this package. */
  | { readonly type: 'newer'; readonly problem: string }
  | { readonly type: 'damaged'; readonly problem: string }

/** Version of the form in which threads are kept. */
export const THREAD_SCHEMA = 2

/** From each earlier version to the next one. */
const migrations: Readonly<Record<number, (data: JsonLike) => JsonLike>> = {
  // 1: a transcript, which is one line without branches.
  1: ({ entries }) => {
    const line = (Array.isArray(entries) ? entries : []).filter(isRecord)
    const idOf = (entry: JsonLike | undefined): unknown =>
      isRecord(entry?.['message']) ? entry['message']['id'] : undefined
    return {
      schema: 2,
      entries: line.map(({ message, streams }, place) => ({
        id: idOf({ message }),
        ...(place > 0 && { parent: idOf(line[place - 1]) }),
        ...(streams === undefined ? { message } : { streams }),
      })),
      selected: line.map(idOf),
      queue: [],
    }
  },
}

type JsonLike = Readonly<Record<string, unknown>>

/** Reads stored data of any version. Never throws, and never guesses: what can't be read as a whole is told, not mended. */
export function readThread(stored: unknown): ReadThread {
  if (!isRecord(stored)) return damaged('it is not an object')
  let data = stored
  if (data['format'] === 'sluice-transcript') data = { ...data, schema: data['version'] }
  const { schema } = data
  if (typeof schema !== 'number') return damaged('its version is missing')
  if (schema > THREAD_SCHEMA) {
    return {
      type: 'newer',
      problem: `This conversation was saved by a newer version (${schema}; this page reads up to ${THREAD_SCHEMA}). It is kept as it is. Reload the page, or update sluice.`,
    }
  }
  for (let version = schema; version < THREAD_SCHEMA; version++) {
    const migrate = migrations[version]
    if (migrate === undefined) return damaged(`no version ${version} is known`)
    data = migrate(data)
  }
  const why = problemIn(data)
  return why === undefined
    ? { type: 'thread', thread: data as unknown as SavedThread }
    : damaged(why)
}

function damaged(why: string): ReadThread {
  return {
    type: 'damaged',
    problem: `What is stored of this conversation cannot be read: ${why}. It is kept as it is, and nothing is written over it.`,
  }
}

function problemIn({ entries, selected, queue, run }: JsonLike): string | undefined {
  if (!Array.isArray(entries) || !Array.isArray(selected) || !Array.isArray(queue)) {
    return 'its list of messages is missing'
  }
  const known = new Set<unknown>([undefined])
  for (const entry of entries as unknown[]) {
    if (!isRecord(entry) || typeof entry['id'] !== 'string') return 'a message has no id'
    const { id, parent, message, streams } = entry
    if (known.has(id)) return `the message ${id} is there twice`
    if (!known.has(parent)) return `the message before ${id} is missing`
    const isWhole = streams === undefined ? isMessage(message, id) : areStreams(streams)
    if (!isWhole) return `the message ${id} is not whole`
    known.add(id)
  }
  if (run === undefined || (isRecord(run) && known.has(run['messageId']))) return undefined
  return 'its last answer is missing'
}

function isMessage(message: unknown, id: string): boolean {
  return isRecord(message) && message['id'] === id && Array.isArray(message['parts'])
}

function areStreams(streams: unknown): boolean {
  return Array.isArray(streams) && streams.length > 0 && streams.every(isStream)
}

function isStream(stream: unknown): boolean {
  if (!isRecord(stream) || !Array.isArray(stream['events']) || !Array.isArray(stream['facts']))
    return false
  const facts = stream['facts'] as unknown[]
  const isFact = (each: unknown): boolean =>
    isRecord(each) && typeof each['after'] === 'number' && isRecord(each['fact'])
  const isEvent = (each: unknown): boolean =>
    isRecord(each) && typeof each['seq'] === 'number' && typeof each['type'] === 'string'
  const [first] = facts as { readonly fact?: { readonly type?: unknown } }[]
  return facts.every(isFact) && first?.fact?.type === 'sent' && stream['events'].every(isEvent)
}

/** Whether a stream had neither ended nor been given up when it was saved: somebody may still be answering. */
export function isOpen({ streams }: SavedEntry): boolean {
  const last = streams?.at(-1)
  if (last === undefined || last.events.some(isTerminal)) return false
  return !last.facts.some(({ fact: { type } }) => type === 'concluded' || type === 'stop_answered')
}

/**
 * Puts what two pages saved of one conversation together: every message of either, and of one that both have the version that
 * is further on. What this page shows stays.
 */
export function mergeThreads(mine: SavedThread, theirs: SavedThread): SavedThread {
  const own = new Map(mine.entries.map((entry) => [entry.id, entry]))
  const common = theirs.entries.map((entry) => further(own.get(entry.id), entry))
  const known = new Set(common.map(({ id }) => id))
  return {
    ...mine,
    entries: [...common, ...mine.entries.filter(({ id }) => !known.has(id))],
    // The later word counts where both chose.
    selected: [...theirs.selected, ...mine.selected],
    run: mine.run ?? theirs.run,
  }
}

/** The version of a message that is further on; of equals the first, which keeps its identity. */
function further(mine: SavedEntry | undefined, theirs: SavedEntry): SavedEntry {
  if (mine === undefined) return theirs
  const [a, b] = [progressOf(mine), progressOf(theirs)]
  const place = a.findIndex((each, index) => each !== b[index])
  return place !== -1 && (a[place] ?? 0) < (b[place] ?? 0) ? theirs : mine
}

function progressOf(entry: SavedEntry): readonly number[] {
  const { streams = [], message } = entry
  const last = streams.at(-1)
  const seq = last?.events.at(-1)?.seq ?? 0
  const isSent = message !== undefined && message.delivery === undefined
  return [streams.length, seq, isOpen(entry) ? 0 : 1, last?.facts.length ?? 0, isSent ? 1 : 0]
}
