import { describe, expect, test } from 'vitest'
import { isToolPart, readModelStream, type ChatMessage, type StreamFormat } from 'sluice/core'
import { eachCut } from 'sluice/testing'
import { createGrowing } from '../../src/generation/growing.ts'
import { emptyFold, fold } from '../../src/protocol/fold.ts'
import { messageOf } from '../../src/protocol/settle.ts'

// Escapes of JSON, cut at every place: by the network in the midst of the record, and by the model, which sends its tokens'
// bytes, between the deltas. What is shown on the way is a beginning of what is said, without half a character.

const text = 'a\n"中" 😀\\end'
const args = { note: 'b\t中"😀\\', list: ['\u{1f600}é', 1] }
const argsText = JSON.stringify(args)
/** As models write it, every character beyond ASCII as an escape. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

interface Vendor {
  readonly format: StreamFormat
  readonly start: readonly object[]
  readonly text: (delta: string) => object
  readonly call: object | undefined
  readonly args: (delta: string) => object
  readonly end: readonly (object | string)[]
}

const chat = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const vendors: readonly Vendor[] = [
  {
    format: 'openai-chat',
    start: [chat({ role: 'assistant' })],
    text: (content) => chat({ content }),
    call: chat({
      tool_calls: [{ index: 0, id: 'c', function: { name: 'note', arguments: '' } }],
    }),
    args: (delta) => chat({ tool_calls: [{ index: 0, function: { arguments: delta } }] }),
    end: [chat({}, 'tool_calls'), '[DONE]'],
  },
  {
    format: 'openai-responses',
    start: [
      { type: 'response.created', response: {} },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } },
    ],
    text: (delta) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      item_id: 'm',
      delta,
    }),
    call: {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'f', call_id: 'c', name: 'note', arguments: '' },
    },
    args: (delta) => ({
      type: 'response.function_call_arguments.delta',
      output_index: 1,
      item_id: 'f',
      delta,
    }),
    end: [
      {
        type: 'response.function_call_arguments.done',
        output_index: 1,
        item_id: 'f',
        arguments: argsText,
      },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
  },
  {
    format: 'anthropic',
    start: [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    text: (delta) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: delta },
    }),
    call: {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'c', name: 'note', input: {} },
    },
    args: (delta) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: delta },
    }),
    end: [
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
  },
  {
    format: 'ai-sdk-ui',
    start: [{ type: 'start' }, { type: 'text-start', id: 't' }],
    text: (delta) => ({ type: 'text-delta', id: 't', delta }),
    call: { type: 'tool-input-start', toolCallId: 'c', toolName: 'note' },
    args: (delta) => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: delta }),
    end: [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'note', input: args },
      { type: 'finish', finishReason: 'tool-calls' },
      '[DONE]',
    ],
  },
  {
    format: 'ag-ui',
    start: [
      { type: 'RUN_STARTED' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    ],
    text: (delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }),
    call: { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'note' },
    args: (delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta }),
    end: [
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'RUN_FINISHED', outcome: { type: 'success' } },
    ],
  },
  {
    format: 'gemini',
    start: [],
    text: (delta) => ({ candidates: [{ content: { parts: [{ text: delta }] } }] }),
    // Its arguments come whole.
    call: undefined,
    args: () => ({}),
    end: [{ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] }],
  },
]

const frame = (record: object | string): string =>
  `data: ${typeof record === 'string' ? record : ascii(record)}\n\n`

function stream({ start, text: say, call, args: give, end }: Vendor, cut: number): string {
  const halves = (whole: string): string[] => [whole.slice(0, cut), whole.slice(cut)]
  return [
    ...start,
    ...halves(text).map(say),
    ...(call === undefined ? [] : [call, ...halves(argsText).map(give)]),
    ...end,
  ]
    .map(frame)
    .join('')
}

const textOf = ({ parts }: ChatMessage): string =>
  parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')

/** Every string in a value, in order, whatever holds them. */
const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : []

/** Reads it, and looks at what is shown after each event. */
async function watch({ format }: Vendor, chunks: readonly Uint8Array[]): Promise<ChatMessage> {
  const grow = createGrowing()
  const wanted = stringsOf(args)
  let state = emptyFold('m')
  const body = new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    }),
  )
  for await (const event of readModelStream(body, { format, messageId: 'm' })) {
    state = fold(state, event)
    const shown = grow(messageOf(state))
    const said = textOf(shown)
    if (!said.isWellFormed() || !text.startsWith(said)) throw new Error(`shows ${ascii(said)}`)
    const call = shown.parts.find(isToolPart)
    if (call === undefined || !('preview' in call)) continue
    for (const [place, value] of stringsOf(call.preview?.value).entries()) {
      if (!value.isWellFormed() || wanted[place]?.startsWith(value) !== true)
        throw new Error(`previews ${ascii(value)}`)
    }
  }
  return messageOf(state)
}

function check(vendor: Vendor, message: ChatMessage): void {
  expect(textOf(message)).toBe(text)
  if (vendor.call !== undefined) expect(message.parts.find(isToolPart)?.input).toEqual(args)
}

describe.each(vendors.map((vendor) => [vendor.format, vendor] as const))('%s', (_, vendor) => {
  test('escapes cut between the deltas, at every place', async () => {
    for (let cut = 0; cut <= Math.max(text.length, argsText.length); cut += 1) {
      const bytes = new TextEncoder().encode(stream(vendor, cut))
      check(vendor, await watch(vendor, [bytes]))
    }
  })

  test('escapes cut by the network, at every byte', async () => {
    await eachCut(stream(vendor, 5), async (chunks) => check(vendor, await watch(vendor, chunks)))
  })
})
