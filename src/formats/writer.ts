import type { EventBody } from '../protocol/events.ts'
import type { WireRecord } from '../protocol/format.ts'

/** Writes one answer in a vendor's format, for clients that know no other. */
export interface RecordWriter {
  /** The records that tell this event; none for what the format has no word for. */
  write(event: EventBody): readonly WireRecord[]
}

/** What every record of one answer repeats. */
export interface WriterContext {
  readonly id: string
  readonly model: string
  /** Seconds since the epoch. */
  readonly created: number
}

/** A vendor's format as something that can be written. */
export interface WritableFormat {
  readonly name: string
  /** Headers of the answer beside the content type. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  createWriter(context: WriterContext): RecordWriter
}

/** One record as a block of an event stream. Data that has line ends goes over several lines, as the grammar demands. */
export function encodeSse({ data, event, id }: WireRecord): string {
  const head =
    (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`)
  const lines = /[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/) : [data]
  return `${head}${lines.map((line) => `data: ${line}\n`).join('')}\n`
}

/** The record with which OpenAI and AI SDK end a stream. */
export const DONE: WireRecord = { data: '[DONE]' }

/** A JSON value as a record. */
export function jsonRecord(value: unknown, event?: string): WireRecord {
  return event === undefined
    ? { data: JSON.stringify(value) }
    : { data: JSON.stringify(value), event }
}

/** How an answer that was cut is told to a client whose format has no word for it: as an error, never as success. */
export const CUT_MESSAGE = 'The answer was cut off before it was complete.'
