import type { EventBody } from '../protocol/events.ts'
import { textOf } from '../protocol/message.ts'
import type { ModelRequest } from '../protocol/transport.ts'
import * as answers from './demo-answers.ts'
import { demoScripts } from './demo-scripts.ts'
import {
  scriptedBy,
  textEvents,
  tokensOf,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedPace,
} from './scripted-model.ts'

/** Options of {@link demoModel}: its pace, which is a pleasant one unless given, and its clock. */
export type DemoModelOptions = ScriptedPace & Pick<ScriptedModelOptions, 'clock'>

/**
 * The scripted model behind the example: knows an answer to each of {@link demoScripts}, goes on where an answer was cut
 * off or stopped, and says what it is to anything else.
 */
export function demoModel(options: DemoModelOptions = {}): ScriptedModel {
  return scriptedBy(answerTo, { queueMs: 120, prefillMs: 280, tokenMs: 30, ...options })
}

/** Whether a request is the one whose connection is to be dropped on the way. */
export function isDropped(request: Pick<ModelRequest, 'messages'>): boolean {
  return scriptOf(request) === 'drop'
}

function scriptOf({ messages }: Pick<ModelRequest, 'messages'>): string | undefined {
  const asked = messages.findLast(({ role }) => role === 'user')
  const prompt = asked && textOf(asked).trim()
  return demoScripts.find((script) => script.prompt === prompt)?.id
}

function answerTo(request: ModelRequest): readonly EventBody[] {
  const id = scriptOf(request)
  const last = request.messages.at(-1)
  // The history ends with an answer that is not whole: what is asked for is the rest of it.
  if (last?.role === 'assistant') return [...text(restOf(id, textOf(last)))]
  switch (id) {
    case 'prose':
      return text(answers.prose)
    case 'table':
      return text(answers.table)
    case 'code':
      return text(answers.code)
    case 'list':
      return text(answers.list)
    case 'japanese':
      return text(answers.japanese)
    case 'reasoning':
      return [
        ...textEvents(tokensOf(answers.reasoning.thought), 'reasoning_delta', 'thought'),
        ...text(answers.reasoning.answer),
      ]
    case 'tool':
      return tool(request)
    case 'refusal':
      return [
        ...textEvents(tokensOf(answers.refusal), 'refusal_delta', 'refusal'),
        { type: 'done', finishReason: 'refusal' },
      ]
    case 'length':
      return [...text(answers.length.shown), { type: 'done', finishReason: 'length' }]
    case 'drop':
      return text(answers.wheel)
    case 'interrupted':
      return [
        ...textEvents(tokensOf(firstHalf(answers.wheel))),
        { type: 'interrupted', sentinel: false },
      ]
    case 'error':
      return [
        {
          type: 'error',
          code: 'rate-limit',
          message: 'The model is out of capacity for the moment.',
          retryable: true,
          retryAfterMs: 20_000,
          status: 429,
        },
      ]
    default:
      return text(fallback())
  }
}

const text = (answer: string): EventBody[] => textEvents(tokensOf(answer))

const wholeAnswers: Readonly<Record<string, string>> = {
  prose: answers.prose,
  table: answers.table,
  code: answers.code,
  list: answers.list,
  japanese: answers.japanese,
  reasoning: answers.reasoning.answer,
  tool: answers.tool.after,
  length: answers.length.shown + answers.length.rest,
  drop: answers.wheel,
  interrupted: answers.wheel,
}

function restOf(id: string | undefined, written: string): string {
  const whole = id === undefined ? fallback() : (wholeAnswers[id] ?? fallback())
  const { before } = answers.tool
  // What was said before the call is no part of what comes after it.
  const shown = id === 'tool' && written.startsWith(before) ? written.slice(before.length) : written
  if (whole.startsWith(shown) && whole.length > shown.length) return whole.slice(shown.length)
  return 'There is nothing left of that answer to go on with. Ask me something else.'
}

function firstHalf(answer: string): string {
  return answer.slice(0, answer.indexOf(' ', answer.length / 2))
}

/** Asks for the tool where the server has it; else tells its result as a tool of the model's own. */
function tool({ tools = [] }: ModelRequest): EventBody[] {
  const { name, input, output, before, after } = answers.tool
  const toolCallId = 'tide-1'
  const argsText = JSON.stringify(input)
  const isServed = tools.some((each) => each.name === name)
  const runs = isServed ? 'server' : 'provider'
  const call: EventBody[] = [
    ...textEvents(tokensOf(before), 'text_delta', 'before'),
    { type: 'tool_start', part: 'tool', toolCallId, name, inputKind: 'json', runs },
    ...tokensOf(argsText, 1).map((piece) => ({
      type: 'tool_delta' as const,
      toolCallId,
      argsText: piece,
    })),
    { type: 'tool_complete', toolCallId, argsText, args: input },
  ]
  return isServed
    ? [...call, { type: 'done', finishReason: 'tool-calls' }]
    : [
        ...call,
        { type: 'tool_result', toolCallId, state: 'succeeded', output, trusted: false },
        ...text(after),
      ]
}

function fallback(): string {
  const prompts = demoScripts.map(({ prompt, shows }) => `- *${prompt}* (${shows})`)
  const model = 'To talk to a real model, start the server with `--model` and `--base-url`.'
  return `${answers.unknown}\n\nAsk me one of these:\n\n${prompts.join('\n')}\n\n${model}`
}
