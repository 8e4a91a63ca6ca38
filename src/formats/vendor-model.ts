import { SluiceError } from '../protocol/errors.ts'
import type { StreamFormat } from '../protocol/format.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Model, ToolDescription } from '../protocol/transport.ts'

/** Where a model is and what it is asked beside the history. */
export interface VendorModelOptions {
  /** Address of the API, without the last part of the path. Default: the vendor's own. */
  readonly baseURL?: string | undefined
  /** Never leaves this process but to the vendor. A server of your own may need none. */
  readonly apiKey?: string | undefined
  /** The model's name, as the vendor spells it. */
  readonly model: string
  /** Further fields of each request, in the vendor's own words: `{ temperature: 0 }`. They replace those made here, `tools` too. */
  readonly body?: JsonObject | undefined
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** What differs from vendor to vendor. */
export interface Vendor {
  readonly format: StreamFormat
  readonly baseURL: string
  /** What the key is called in advice to a developer. */
  readonly keyName?: string | undefined
  url(baseURL: string, model: string): string
  headers(apiKey: string): Readonly<Record<string, string>>
  /** Names the model in the body, where it is not in the address. */
  readonly modelField: boolean
  /** A tool in the vendor's words; `schema` is JSON Schema of its arguments. */
  tool(name: string, schema: JsonObject, description: string | undefined): JsonObject
  /** The tools as the vendor's field. Default: a list. */
  toolList?(tools: readonly JsonObject[]): readonly JsonObject[]
}

/** Hosts that answer nobody without a key. */
const KEYED =
  /(^|\.)(openai\.com|anthropic\.com|googleapis\.com|openrouter\.ai|deepseek\.com|groq\.com|mistral\.ai|x\.ai|together\.xyz)$/

/** Makes a model that asks a vendor over HTTP. Aborting the call aborts the vendor's too, which ends the generation. */
export function vendorModel(vendor: Vendor, options: VendorModelOptions): Model {
  const { apiKey = '', model, body, headers } = options
  const baseURL = (options.baseURL ?? vendor.baseURL).replace(/\/+$/, '')
  const { format } = vendor

  function toolFields(tools: readonly ToolDescription[] = []): JsonObject {
    if (tools.length === 0) return {}
    const list = tools.map(({ name, inputSchema, description }) =>
      // Without a schema from its library: an object of whatever the model thinks fit, which the tool's own check looks at.
      vendor.tool(name, inputSchema ?? { type: 'object' }, description),
    )
    return { tools: [...(vendor.toolList?.(list) ?? list)] }
  }

  const ask: Model = async ({ messages, tools }, { signal, requestId }) => {
    if (apiKey === '' && KEYED.test(new URL(baseURL).hostname)) {
      throw new SluiceError(
        'missing-key',
        `${new URL(baseURL).hostname} answers nobody without a key. Pass \`apiKey\`${vendor.keyName === undefined ? '' : `, for example from the environment variable ${vendor.keyName}`}.`,
      )
    }
    const request = options.fetch ?? fetch
    return request(vendor.url(baseURL, model), {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/x-ndjson, application/json',
        ...(apiKey !== '' && vendor.headers(apiKey)),
        ...headers,
      },
      body: JSON.stringify({
        ...(vendor.modelField && { model }),
        ...format.request?.(messages, { requestId }),
        ...toolFields(tools),
        ...body,
      }),
    })
  }
  return Object.assign(ask, { format })
}

/** The header that most vendors read their key from. */
export function bearer(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}` }
}
