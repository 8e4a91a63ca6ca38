import type { EventBody, FinishReason, Model, ModelRequest } from 'sluice/core'

/** A model whose calls are written down, one script a call; the last one is repeated. */
export interface ToolModel extends Model {
  readonly requests: readonly ModelRequest[]
}

/** Makes one. */
export function toolModel(...scripts: readonly (readonly EventBody[])[]): ToolModel {
  const requests: ModelRequest[] = []
  async function* answer(request: ModelRequest): AsyncGenerator<EventBody, void> {
    const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? []
    requests.push(request)
    yield* script
  }
  return Object.assign(answer, { requests })
}

/** A call of a tool, and the end of the model call that makes it. */
export function calls(
  ...made: readonly (readonly [name: string, args: unknown, id?: string])[]
): EventBody[] {
  return [
    ...made.flatMap(([name, args, id], place): EventBody[] => {
      const toolCallId = id ?? `c${place + 1}`
      const part = `call:${toolCallId}`
      return [
        { type: 'tool_start', part, toolCallId, name, inputKind: 'json', runs: 'client' },
        args === undefined
          ? { type: 'tool_complete', toolCallId, argsText: '{"ci' }
          : { type: 'tool_complete', toolCallId, argsText: JSON.stringify(args), args },
      ]
    }),
    ended('tool-calls', 10),
  ]
}

/** Some text, and the end of the model call. */
export function says(text: string, outputTokens = 5): EventBody[] {
  return [{ type: 'text_delta', part: 't', text }, ended('stop', outputTokens)]
}

function ended(finishReason: FinishReason, outputTokens: number): EventBody {
  return { type: 'done', finishReason, usage: { inputTokens: 100, outputTokens } }
}
