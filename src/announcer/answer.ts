import {
  isToolPart,
  refusalOf,
  toolNameOf,
  type ChatMessage,
  type MessagePart,
} from '../protocol/message.ts'
import { markdownReader, type MarkdownReader } from './markdown-reader.ts'
import type { MarkdownSyntax } from '../markdown/parser.ts'
import type { AnnouncerPhrases } from './phrases.ts'
import { unitReader, type Unit, type UnitReader } from './unit.ts'

/** What an answer has brought, beside its text, since it was last looked at. */
export interface AnswerNews {
  readonly thinking: boolean
  /** Names of the tools that began. */
  readonly tools: readonly string[]
  /** Names of the tools that ask for a decision. */
  readonly approvals: readonly string[]
}

/** Follows one growing message. */
export interface AnswerReader {
  news(message: ChatMessage): AnswerNews
  /** What of the text has become sure since the last call. `ended`: no more comes. */
  units(message: ChatMessage, ended: boolean): readonly Unit[]
}

interface TextReader {
  readonly blocks: MarkdownReader
  readonly units: UnitReader
  text: string
  done: boolean
}

/** Makes the reader of one message. */
export function answerReader(options: {
  readonly locale: string
  readonly phrases: AnnouncerPhrases
  readonly namesLinks: boolean
  readonly syntaxes: readonly MarkdownSyntax[]
}): AnswerReader {
  const { locale, phrases, namesLinks, syntaxes } = options
  const readers: TextReader[] = []
  const seen = new Set<string>()

  const isNews = (key: string): boolean => !seen.has(key) && seen.add(key).has(key)

  const readText = (index: number, text: string, ended: boolean): readonly Unit[] => {
    const reader = (readers[index] ??= {
      blocks: markdownReader({ phrases, namesLinks }, syntaxes),
      units: unitReader({ locale, phrases }),
      text: '',
      done: false,
    })
    // What was said is not withdrawn: a text that a review took back is read no further.
    if (reader.done || !text.startsWith(reader.text)) return []
    reader.text = text
    reader.done = ended
    return reader.units(reader.blocks(text, ended))
  }

  return {
    news({ parts }) {
      const tools: string[] = []
      const approvals: string[] = []
      let thinking = false
      for (const part of parts) {
        if (part.type === 'reasoning') thinking ||= isNews('reasoning')
        if (!isToolPart(part)) continue
        const name = part.title ?? toolNameOf(part)
        if (isNews(`tool ${part.toolCallId}`)) tools.push(name)
        const asks = part.state === 'approval-requested'
        if (asks && isNews(`approval ${part.toolCallId}`)) approvals.push(name)
      }
      return { thinking, tools, approvals }
    },
    units({ parts }, ended) {
      const units: Unit[] = []
      for (const [index, part] of parts.entries()) {
        const text = textOfPart(part)
        if (text === undefined) continue
        const whole = ended || isWhole(part, index === parts.length - 1)
        units.push(...readText(index, text, whole))
        // What follows a text that still grows has to wait for its turn.
        if (!whole) break
      }
      return units
    },
  }
}

function textOfPart(part: MessagePart): string | undefined {
  if (part.type === 'text') return (part as { text: string }).text
  if (part.type === 'data-refusal') return refusalOf({ parts: [part] })
  return undefined
}

/** Whether a text part grows no more. One that does not say is thought to grow while it is the last. */
function isWhole(part: MessagePart, isLast: boolean): boolean {
  const state = part.type === 'text' ? (part as { state?: string }).state : undefined
  return state === undefined ? !isLast : state === 'done'
}
