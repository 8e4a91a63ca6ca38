import {
  PROTOCOL_VERSION,
  isTerminal,
  type EventBody,
  type StreamEvent,
} from '../protocol/events.ts'
import type { RecordReader, StreamFailure, StreamFormat } from '../protocol/format.ts'
import { isRecord } from '../protocol/json.ts'
import { MALFORMED_RECORD, parseRecord } from './record.ts'

/** Our own protocol, in each of its framings. */
export const sluice: StreamFormat = { name: 'sluice', framing: 'any', createReader }

function createReader(emit: (event: EventBody | StreamEvent) => void): RecordReader {
  let ended = false
  let skipped = 0

  function fail(failure: StreamFailure): void {
    if (ended) return
    ended = true
    emit({ type: 'error', ...failure })
  }

  function readObject(value: Readonly<Record<string, unknown>>): void {
    const { v, type, seq, requestId } = value
    if (type === 'ping' || type === 'ack') return
    if (typeof v === 'number' && v > PROTOCOL_VERSION) {
      return fail({
        code: 'unsupported-version',
        message: `The server speaks version ${v} of the stream protocol; this client knows ${PROTOCOL_VERSION}.`,
        retryable: false,
      })
    }
    if (typeof type !== 'string' || typeof requestId !== 'string' || !Number.isSafeInteger(seq)) {
      // A bare error, as servers and proxies answer before a stream begins.
      if (isRecord(value['error']))
        return fail({ ...MALFORMED_RECORD, message: 'The server sent no event but an error.' })
      skipped += 1
      return
    }
    // An unknown type goes on: its `seq` counts, and whoever folds it skips it.
    const event = value as unknown as StreamEvent
    if (isTerminal(event)) ended = true
    emit(event)
  }

  return {
    get skipped() {
      return skipped
    },
    read(record) {
      parseRecord(record, (parsed) => {
        if (ended) return
        if (parsed.kind === 'object') readObject(parsed.value)
        else if (parsed.kind === 'malformed') fail(MALFORMED_RECORD)
      })
    },
    fail,
    end() {
      if (ended) return
      ended = true
      emit({ type: 'interrupted', sentinel: false })
    },
  }
}
