import {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openAIChatModel,
  openAIResponsesModel,
} from '../formats/models.ts'
import type { VendorModelOptions } from '../formats/vendor-model.ts'
import type { Model } from '../protocol/transport.ts'
import { demoModel } from '../testing/demo-model.ts'

/** Where a model is and what opens it; keys come from the environment alone. */
export interface ModelSettings {
  readonly baseURL: string | undefined
  readonly model: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A model, or what is missing for one. */
type Maker = (settings: ModelSettings) => Model | string

/** All that `--model` takes. */
export const modelNames = [
  'scripted',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ollama',
] as const

/** A name that `--model` takes. */
export type ModelName = (typeof modelNames)[number]

const makers: Readonly<Record<ModelName, Maker>> = {
  scripted: () => demoModel(),
  'openai-chat': vendor(openAIChatModel, 'OPENAI_API_KEY'),
  'openai-responses': vendor(openAIResponsesModel, 'OPENAI_API_KEY'),
  anthropic: vendor(anthropicModel, 'ANTHROPIC_API_KEY'),
  gemini: vendor(geminiModel, 'GEMINI_API_KEY'),
  ollama: vendor(ollamaModel),
}

function vendor(make: (options: VendorModelOptions) => Model, keyName?: string): Maker {
  return ({ baseURL, model, env }) => {
    const apiKey = keyName === undefined ? undefined : env[keyName]
    if (model === undefined) return 'Say which model to ask, with --model-name.'
    // A server of one's own often needs none.
    if (keyName !== undefined && baseURL === undefined && apiKey === undefined) {
      return `Set ${keyName} in the environment, or name a server of your own with --base-url.`
    }
    return make({ model, baseURL, apiKey })
  }
}

/** Makes the model of that name, or tells what is missing. */
export function modelFrom(name: ModelName, settings: ModelSettings): Model | string {
  return makers[name](settings)
}
