import { SluiceError } from '../protocol/errors.ts'
import { isRecord, type JsonObject } from '../protocol/json.ts'
import type { ToolDescription } from '../protocol/transport.ts'
import type { Tool, Tools } from './tool.ts'

/** The tools as a model is told of them. Throws for a schema that JSON can't express. */
export function descriptionsOf(tools: Tools): readonly ToolDescription[] {
  return Object.entries(tools).map(([name, tool]) => {
    const inputSchema = jsonSchemaOf(name, tool)
    return {
      name,
      ...(tool.description !== undefined && { description: tool.description }),
      ...(inputSchema !== undefined && { inputSchema }),
    }
  })
}

function jsonSchemaOf(name: string, { input }: Tool): JsonObject | undefined {
  const standard: object = input['~standard']
  // Standard JSON Schema, which not every library offers.
  const { jsonSchema } = standard as { readonly jsonSchema?: unknown }
  if (!isRecord(jsonSchema) || typeof jsonSchema['input'] !== 'function') return undefined
  try {
    return jsonSchema['input']({ target: 'draft-2020-12' }) as JsonObject
  } catch (cause) {
    throw new SluiceError(
      'invalid-options',
      `The input of the tool ${name} has no form in JSON, so that no model can be told of it: use types that JSON has.`,
      { cause },
    )
  }
}
