import type { JsonObject } from '../protocol/json.ts'
import type { Model } from '../protocol/transport.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { bearer, vendorModel, type VendorModelOptions } from './vendor-model.ts'

/** A model behind OpenAI's Chat Completions API, or a server that imitates it. `baseURL` ends in `/v1`. */
export function openAIChatModel(options: VendorModelOptions): Model {
  return vendorModel(
    {
      format: openaiChat,
      baseURL: 'https://api.openai.com/v1',
      keyName: 'OPENAI_API_KEY',
      url: (base) => `${base}/chat/completions`,
      headers: bearer,
      modelField: true,
      tool: functionTool,
    },
    options,
  )
}

/** A model behind OpenAI's Responses API. `baseURL` ends in `/v1`. */
export function openAIResponsesModel(options: VendorModelOptions): Model {
  return vendorModel(
    {
      format: openaiResponses,
      baseURL: 'https://api.openai.com/v1',
      keyName: 'OPENAI_API_KEY',
      url: (base) => `${base}/responses`,
      headers: bearer,
      modelField: true,
      // Not strict: that takes a dialect of JSON Schema that few schemas are in.
      tool: (name, parameters, description) => ({
        type: 'function',
        name,
        ...(description !== undefined && { description }),
        parameters,
        strict: false,
      }),
    },
    options,
  )
}

/** A model behind Anthropic's Messages API. `max_tokens` is 8192 unless `body` says otherwise. */
export function anthropicModel(options: VendorModelOptions): Model {
  return vendorModel(
    {
      format: anthropic,
      baseURL: 'https://api.anthropic.com',
      keyName: 'ANTHROPIC_API_KEY',
      url: (base) => `${base.replace(/\/v1$/, '')}/v1/messages`,
      headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
      modelField: true,
      tool: (name, schema, description) => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: schema,
      }),
    },
    options,
  )
}

/** A model behind Gemini's `streamGenerateContent`. `baseURL` ends in the API's version. */
export function geminiModel(options: VendorModelOptions): Model {
  return vendorModel(
    {
      format: gemini,
      baseURL: 'https://generativelanguage.googleapis.com/v1beta',
      keyName: 'GEMINI_API_KEY',
      url: (base, model) => `${base}/models/${model}:streamGenerateContent?alt=sse`,
      headers: (key) => ({ 'x-goog-api-key': key }),
      modelField: false,
      tool: (name, schema, description) => ({
        name,
        ...(description !== undefined && { description }),
        parametersJsonSchema: schema,
      }),
      toolList: (functionDeclarations) => [{ functionDeclarations: [...functionDeclarations] }],
    },
    options,
  )
}

/** A model behind Ollama's own API; by default on this machine. */
export function ollamaModel(options: VendorModelOptions): Model {
  return vendorModel(
    {
      format: ollama,
      baseURL: 'http://127.0.0.1:11434',
      url: (base) => `${base}/api/chat`,
      headers: bearer,
      modelField: true,
      tool: functionTool,
    },
    options,
  )
}

/** A function as OpenAI's Chat Completions and Ollama describe it. */
function functionTool(
  name: string,
  parameters: JsonObject,
  description: string | undefined,
): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }
}
