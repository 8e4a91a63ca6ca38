import { isToolPart, type ChatMessage, type MessagePart } from '../protocol/message.ts'
import { wholeText } from '../protocol/whole-text.ts'
import { createPreviewParser, type PreviewParser } from './preview.ts'

interface Reading {
  readonly parser: PreviewParser
  /** How much of the arguments was read, and the last of it. */
  readonly length: number
  readonly tail: string
  readonly part: MessagePart
  readonly shown: MessagePart
}

/** Enough of a text's end to know it again. */
const TAIL = 32

/**
 * Makes what is shown of a message that still grows: arguments get a preview, no text ends in half a character. Called
 * once for each snapshot, not for each event; reads only what has come since. Other parts keep their identity.
 */
export function createGrowing(): (message: ChatMessage) => ChatMessage {
  const readings = new Map<string, Reading>()

  function show(part: MessagePart): MessagePart {
    if (part.type === 'text' || part.type === 'reasoning') {
      const text = wholeText(part.text)
      return text.length === part.text.length ? part : { ...part, text }
    }
    if (!isToolPart(part) || part.state !== 'input-streaming') return part
    const { toolCallId, argsText = '' } = part
    const before = readings.get(toolCallId)
    if (before?.part === part) return before.shown
    const goesOn =
      before !== undefined &&
      argsText.slice(before.length - before.tail.length, before.length) === before.tail
    const parser = goesOn ? before.parser : createPreviewParser()
    parser.push(goesOn ? argsText.slice(before.length) : argsText)
    const value = part.inputEncoding === 'text' ? wholeText(argsText) : parser.value()
    const shown: MessagePart =
      value === undefined ? part : { ...part, preview: { __preview: 'for display only', value } }
    const tail = argsText.slice(-TAIL)
    readings.set(toolCallId, { parser, length: argsText.length, tail, part, shown })
    return shown
  }

  return (message) => {
    if (message.status.type !== 'running') {
      readings.clear()
      return message
    }
    const parts = message.parts.map(show)
    return parts.every((part, place) => part === message.parts[place])
      ? message
      : { ...message, parts }
  }
}
