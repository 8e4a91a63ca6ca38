import type { StreamEvent } from '../protocol/events.ts'
import type { StreamFormat } from '../protocol/format.ts'
import { namedFormat, type FormatName } from './named-format.ts'
import type { ReadLimits } from './limits.ts'
import { readEvents, type EventStream } from './read.ts'
import type { StreamSource } from './source.ts'

/** How {@link readModelStream} reads. */
export interface ReadModelStreamOptions {
  /** A format's name, or its value from `sluice/formats`. Default: `auto`, recognised from the first record. */
  readonly format?: FormatName | StreamFormat | undefined
  /** Id that the events carry. Default: made up; our own format brings its own. */
  readonly requestId?: string | undefined
  /** Id of the message that the events make. Default: made up; our own format brings its own. */
  readonly messageId?: string | undefined
  /** Aborting ends the stream as `cancelled` by the user, whatever the source does then. */
  readonly signal?: AbortSignal | undefined
  /** How much the stream may make its reader hold. */
  readonly limits?: ReadLimits | undefined
}

/**
 * Reads a model's answer, in any format, from a response, a stream of bytes, or chunks of bytes or text frames. The last event
 * is always a terminal one: the iteration never throws for what the wire says, an HTTP error and a cut connection
 * included. Chunks are asked for only as fast as events are taken. Can be iterated once.
 *
 * @example
 * for await (const event of readModelStream(await fetch(url, init), { format: 'anthropic' })) …
 */
export function readModelStream(
  source: StreamSource,
  options: ReadModelStreamOptions = {},
): EventStream {
  const { format = 'auto', ...rest } = options
  if (typeof format !== 'string') return readEvents(source, format, rest)
  let events: EventStream | undefined
  return {
    get skipped() {
      return events?.skipped ?? 0
    },
    [Symbol.asyncIterator]() {
      let iterator: AsyncIterator<StreamEvent> | undefined
      const open = namedFormat(format).then((value) => {
        events = readEvents(source, value, rest)
        iterator = events[Symbol.asyncIterator]()
        return iterator
      })
      return {
        next: () =>
          iterator === undefined ? open.then((opened) => opened.next()) : iterator.next(),
        return: async () => (await open).return?.() ?? { done: true, value: undefined },
      }
    },
  }
}
