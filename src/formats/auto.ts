import type { EventBody, StreamEvent } from '../protocol/events.ts'
import type {
  ReaderContext,
  RecordReader,
  StreamFailure,
  StreamFormat,
  WireRecord,
} from '../protocol/format.ts'
import { isRecord } from '../protocol/json.ts'
import { agUi, tanstack } from './ag-ui.ts'
import { aiSdkUi } from './ai-sdk-ui.ts'
import { anthropic } from './anthropic.ts'
import { string, type Fields } from './fields.ts'
import { gemini } from './gemini.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { parseRecord } from './record.ts'
import { sluice } from './sluice.ts'

/** Recognises a stream's format from its first record. Carries every format; name the one you use where size matters. */
export const auto: StreamFormat = { name: 'auto', framing: 'any', createReader }

function createReader(
  emit: (event: EventBody | StreamEvent) => void,
  context: ReaderContext,
): RecordReader {
  let reader: RecordReader | undefined
  const waiting: WireRecord[] = []

  /** Settles on a format; what came before its first telling record is read by it too. */
  function settle(format: StreamFormat): RecordReader {
    const chosen = format.createReader(emit, context)
    reader = chosen
    for (const record of waiting) chosen.read(record)
    waiting.length = 0
    return chosen
  }

  return {
    get skipped() {
      return reader?.skipped ?? waiting.length
    },
    read(record) {
      if (reader !== undefined) return reader.read(record)
      const format = recognise(record)
      if (format === undefined && waiting.length < MOST_WAITING) waiting.push(record)
      else settle(format ?? openaiChat).read(record)
    },
    fail(failure: StreamFailure) {
      const chosen = reader ?? settle(openaiChat)
      chosen.fail(failure)
    },
    end() {
      const chosen = reader ?? settle(openaiChat)
      chosen.end()
    },
  }
}

/** Records that tell nothing, as a gateway may send before the stream's own. */
const MOST_WAITING = 16

function recognise(record: WireRecord): StreamFormat | undefined {
  let found: StreamFormat | undefined
  parseRecord(record, (parsed) => {
    if (parsed.kind === 'object') found ??= formatOf(parsed.value, record.event)
    else if (parsed.kind === 'malformed' && record.event === undefined) found ??= openaiChat
  })
  return found
}

function formatOf(value: Fields, event: string | undefined): StreamFormat | undefined {
  if (isRecord(value['chunk']) && AG_UI.test(string(value['chunk']['type']))) return tanstack
  const type = string(value['type'])
  if (typeof value['seq'] === 'number' && typeof value['requestId'] === 'string') return sluice
  if (string(value['event_type']) !== '') return geminiInteractions
  if (AG_UI.test(type))
    return isRecord(value['metadata']) && 'tanstack' in value['metadata'] ? tanstack : agUi
  if (type.startsWith('response.') || event?.startsWith('response.') === true)
    return openaiResponses
  if (ANTHROPIC.test(type) || (type === '' && ANTHROPIC.test(event ?? ''))) return anthropic
  if (type === 'error') return errorFormat(value)
  if (AI_SDK.test(type)) return aiSdkUi
  if ('candidates' in value || 'promptFeedback' in value || 'usageMetadata' in value) return gemini
  if (
    'choices' in value ||
    'x_groq' in value ||
    string(value['object']).startsWith('chat.completion')
  )
    return openaiChat
  if (typeof value['done'] === 'boolean') return ollama
  return value['error'] != null ? openaiChat : undefined
}

/** Three vendors begin an error in the same way. */
function errorFormat(value: Fields): StreamFormat {
  if ('errorText' in value) return aiSdkUi
  return isRecord(value['error']) && !('sequence_number' in value) ? anthropic : openaiResponses
}

const ANTHROPIC = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping)$/
const AG_UI = /^[A-Z]+(_[A-Z]+)+$/
const AI_SDK =
  /^(start|abort|finish|file|custom|(start|finish|reset)-step|(text|reasoning)-(start|delta|end)|tool-.+|source-.+|data-.+|message-metadata)$/
