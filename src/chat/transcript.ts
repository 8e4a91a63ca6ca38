import type { SavedStream } from '../generation/record.ts'
import type { ChatMessage, ChatMessageInput } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'

/** One message of a transcript, with its end state. */
export interface TranscriptEntry {
  readonly message: ChatMessage
  /** The streams that made it, oldest first, where they were recorded. */
  readonly streams?: readonly SavedStream[] | undefined
}

/** A conversation as data: what was said, in which events, and how each answer ended. Survives JSON. */
export interface Transcript {
  readonly format: 'sluice-transcript'
  readonly version: 1
  readonly entries: readonly TranscriptEntry[]
}

/** What has messages to export: a chat store does. */
export interface TranscriptSource {
  getSnapshot(): { readonly messages: readonly ChatMessageInput[] }
  /** The recorded streams of a message. */
  streamsOf?(messageId: string): readonly SavedStream[] | undefined
}

/**
 * Exports a conversation, or a list of messages. `only: 'complete'` leaves out every answer that is not complete (stopped,
 * cut, failed, refused, waiting for an action) and every message that never reached the server, so that none is taken for a
 * finished one; default `all`.
 */
export function exportTranscript(
  source: readonly ChatMessageInput[] | TranscriptSource,
  { only = 'all' }: { readonly only?: 'complete' | 'all' | undefined } = {},
): Transcript {
  const from: TranscriptSource =
    'getSnapshot' in source ? source : { getSnapshot: () => ({ messages: source }) }
  const entries: TranscriptEntry[] = []
  for (const input of from.getSnapshot().messages) {
    const message = toChatMessage(input)
    const isWhole = message.status.type === 'complete' && message.delivery === undefined
    if (only === 'complete' && !isWhole) continue
    const streams = from.streamsOf?.(message.id)
    entries.push({ message, ...(streams !== undefined && { streams }) })
  }
  return { format: 'sluice-transcript', version: 1, entries }
}
