import type { RecordReader } from '../protocol/format.ts'
import type { Assembler } from './assembler.ts'
import type { Fields } from './fields.ts'
import { MALFORMED_RECORD, parseRecord } from './record.ts'
import { vendorError } from './vendor-error.ts'

/** What a vendor's translator does with one stream's records. */
export interface Translator {
  readObject(value: Fields, event: string | undefined): void
  /** Whether a record of this SSE event name may carry something else than JSON. Default: none may. */
  isForeign?(event: string): boolean
  /** Says what is still held back, before the end is decided. */
  settle?(): void
}

/** Makes the reader of a format whose records are JSON objects and which may end with `[DONE]`. */
export function createRecordReader(assembler: Assembler, translator: Translator): RecordReader {
  const { readObject, isForeign, settle } = translator
  return {
    get skipped() {
      return assembler.skipped
    },
    read(record) {
      if (assembler.ended) return
      const { event } = record
      parseRecord(record, (parsed) => {
        if (assembler.ended) return
        switch (parsed.kind) {
          case 'object':
            return readObject(parsed.value, event)
          case 'sentinel':
            settle?.()
            return assembler.sentinel()
          case 'malformed':
            if (event !== undefined && isForeign?.(event) === true) return assembler.skip()
            settle?.()
            // Some servers name an error and tell it in plain words.
            return assembler.fail(event === 'error' ? vendorError(record.data) : MALFORMED_RECORD)
          case 'nothing':
        }
      })
    },
    fail: assembler.fail,
    end() {
      if (!assembler.ended) settle?.()
      assembler.end()
    },
  }
}
