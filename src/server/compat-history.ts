import { isRecord, parseJson } from '../protocol/json.ts'
import type { ChatMessage, ChatMessageInput, MessagePart } from '../protocol/message.ts'
import { toChatMessage } from '../protocol/settle.ts'

type Fields = Readonly<Record<string, unknown>>

/** A history in a vendor's shape as ours, or what in it is not understood. */
export type ReadHistory = (body: Fields) => readonly ChatMessage[] | string

/** Reads Chat Completions' `messages`. */
export const fromChat: ReadHistory = ({ messages }) => {
  if (!Array.isArray(messages)) return 'messages must be an array.'
  const history = createHistory()
  for (const message of messages) {
    if (!isRecord(message)) return 'Each message must be an object.'
    const { role, content, tool_calls: calls, tool_call_id: callId } = message
    if (role === 'tool') {
      history.result(textIn(callId), textOf(content))
      continue
    }
    const own = roleOf(role)
    if (own === undefined) return `There is no role ${String(role)}.`
    const problem = history.content(own, content)
    if (problem !== undefined) return problem
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isRecord(call) || !isRecord(call['function'])) return 'A tool call has no function.'
      const { name, arguments: args } = call['function']
      history.call(textIn(call['id']), textIn(name), parseJson(textIn(args)))
    }
  }
  return history.messages()
}

/** Reads Responses' `instructions` and `input`. */
export const fromResponses: ReadHistory = ({ instructions, input }) => {
  const history = createHistory()
  if (typeof instructions === 'string') history.content('system', instructions)
  if (typeof input === 'string') history.content('user', input)
  else if (!Array.isArray(input)) return 'input must be a text or an array of items.'
  for (const item of Array.isArray(input) ? input : []) {
    if (!isRecord(item)) return 'Each item of input must be an object.'
    if (item['type'] === 'function_call') {
      const { call_id: id, name, arguments: args } = item
      history.call(textIn(id), textIn(name), parseJson(textIn(args)))
    } else if (item['type'] === 'function_call_output') {
      history.result(textIn(item['call_id']), textOf(item['output']))
    } else if (item['type'] !== 'reasoning') {
      const role = roleOf(item['role'])
      if (role === undefined) return `Items of type ${String(item['type'])} are not understood.`
      const problem = history.content(role, item['content'])
      if (problem !== undefined) return problem
    }
  }
  return history.messages()
}

/** Reads Messages' `system` and `messages`. */
export const fromAnthropic: ReadHistory = ({ system, messages }) => {
  if (!Array.isArray(messages)) return 'messages must be an array.'
  const history = createHistory()
  if (system !== undefined) history.content('system', system)
  for (const message of messages) {
    const role = isRecord(message) ? roleOf(message['role']) : undefined
    if (!isRecord(message) || role === undefined) return 'Each message must have a role.'
    const problem = history.content(role, message['content'])
    if (problem !== undefined) return problem
  }
  return history.messages()
}

/** Reads AI SDK's UI messages, which are ours. */
export const fromUi: ReadHistory = ({ messages }) => {
  const isMessage = (value: unknown): value is ChatMessageInput =>
    isRecord(value) && roleOf(value['role']) === value['role'] && Array.isArray(value['parts'])
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    return 'messages must be an array of { id, role, parts }.'
  }
  return messages.map((message): ChatMessage => toChatMessage(message))
}

type Role = ChatMessage['role']

interface History {
  /** Adds a text or a vendor's parts; resolves to what was not understood. */
  content(role: Role, content: unknown): string | undefined
  call(id: string, name: string, input: unknown): void
  result(id: string, output: string): void
  messages(): readonly ChatMessage[]
}

function createHistory(): History {
  const turns: { readonly role: Role; readonly parts: MessagePart[] }[] = []

  const add = (role: Role, part: MessagePart): void => {
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(part)
    else turns.push({ role, parts: [part] })
  }

  const part = (role: Role, value: unknown): string | undefined => {
    if (!isRecord(value)) return 'Each part of a content must be an object.'
    switch (value['type']) {
      case 'text':
      case 'input_text':
      case 'output_text':
        add(role, { type: 'text', text: textIn(value['text']) })
        return undefined
      case 'image_url':
      case 'input_image':
      case 'image': {
        const url = imageIn(value)
        if (url === undefined) return 'An image needs a URL.'
        add(role, { type: 'file', mediaType: mediaTypeOf(url), url })
        return undefined
      }
      case 'tool_use':
        history.call(textIn(value['id']), textIn(value['name']), value['input'])
        return undefined
      case 'tool_result':
        history.result(textIn(value['tool_use_id']), textOf(value['content']))
        return undefined
      case 'thinking':
      case 'redacted_thinking':
        // Signed for the vendor that thought it; another model has no use for it.
        return undefined
      default:
        return `Parts of type ${String(value['type'])} are not understood.`
    }
  }

  const history: History = {
    content(role, content) {
      if (typeof content === 'string') {
        if (content !== '') add(role, { type: 'text', text: content })
        return undefined
      }
      for (const value of Array.isArray(content) ? content : []) {
        const problem = part(role, value)
        if (problem !== undefined) return problem
      }
      return undefined
    },
    call(toolCallId, name, input) {
      add('assistant', {
        type: 'dynamic-tool',
        toolName: name,
        toolCallId,
        state: 'input-available',
        input,
      })
    },
    result(toolCallId, output) {
      for (const { parts } of turns) {
        const place = parts.findIndex(
          (item) => 'toolCallId' in item && item.toolCallId === toolCallId,
        )
        const called = parts[place]
        if (called?.type === 'dynamic-tool' && called.state === 'input-available') {
          parts[place] = { ...called, state: 'output-available', output }
        }
      }
    },
    messages: () =>
      turns.map(({ role, parts }, place) => toChatMessage({ id: `h${place + 1}`, role, parts })),
  }
  return history
}

function roleOf(role: unknown): Role | undefined {
  if (role === 'developer') return 'system'
  return role === 'system' || role === 'user' || role === 'assistant' ? role : undefined
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A content as plain text: itself, or its text parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content)
  return content.map((part) => (isRecord(part) ? textIn(part['text']) : '')).join('')
}

function imageIn({ image_url: image, source }: Fields): string | undefined {
  if (typeof image === 'string') return image
  if (isRecord(image) && typeof image['url'] === 'string') return image['url']
  if (!isRecord(source)) return undefined
  if (typeof source['url'] === 'string') return source['url']
  const { media_type: type, data } = source
  return typeof data === 'string' ? `data:${textIn(type)};base64,${data}` : undefined
}

const mediaTypeOf = (url: string): string => /^data:([^;,]+)/.exec(url)?.[1] ?? 'image/*'
