import { SluiceError } from '../protocol/errors.ts'
import type { StreamFormat } from '../protocol/format.ts'

/** The formats by name. Compatible servers (Azure, vLLM, Groq …) speak `openai-chat`. */
export type FormatName =
  | 'sluice'
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'gemini-interactions'
  | 'ollama'
  | 'ai-sdk-ui'
  | 'ag-ui'
  | 'tanstack'
  | 'auto'

const FORMATS: Readonly<Record<FormatName, () => Promise<StreamFormat>>> = {
  sluice: async () => (await import('../formats/sluice.ts')).sluice,
  'openai-chat': async () => (await import('../formats/openai-chat.ts')).openaiChat,
  'openai-responses': async () => (await import('../formats/openai-responses.ts')).openaiResponses,
  anthropic: async () => (await import('../formats/anthropic.ts')).anthropic,
  gemini: async () => (await import('../formats/gemini.ts')).gemini,
  'gemini-interactions': async () =>
    (await import('../formats/gemini-interactions.ts')).geminiInteractions,
  ollama: async () => (await import('../formats/ollama.ts')).ollama,
  'ai-sdk-ui': async () => (await import('../formats/ai-sdk-ui.ts')).aiSdkUi,
  'ag-ui': async () => (await import('../formats/ag-ui.ts')).agUi,
  tanstack: async () => (await import('../formats/ag-ui.ts')).tanstack,
  auto: async () => (await import('../formats/auto.ts')).auto,
}

/** Loads a format when it is first named, so that nobody carries all of them. */
export async function namedFormat(format: FormatName | StreamFormat): Promise<StreamFormat> {
  if (typeof format !== 'string') return format
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format]()
  throw new SluiceError(
    'invalid-options',
    `There is no format "${format}". The names are: ${Object.keys(FORMATS).join(', ')}.`,
  )
}
