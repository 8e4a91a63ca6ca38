import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openAIChatModel,
  openAIResponsesModel,
  type VendorModelOptions,
} from 'sluice/formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Model } from '../../src/protocol/transport.ts'

let server: Server
let address: string
let body: Record<string, unknown>

beforeAll(async () => {
  server = createServer(async (request: IncomingMessage, response) => {
    body = JSON.parse(await text(request)) as Record<string, unknown>
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [
  { name: 'weather', description: 'The weather of a city.', inputSchema: schema },
  { name: 'noop' },
]

async function asked(
  make: (options: VendorModelOptions) => Model,
  options: Partial<VendorModelOptions> = {},
  told: typeof tools | undefined = tools,
): Promise<unknown> {
  const model = make({ baseURL: address, apiKey: 'k', model: 'm', ...options })
  const io = { signal: new AbortController().signal, requestId: 'r' }
  await model({ messages: [], messageId: 'a', body: {}, tools: told }, io)
  return body['tools']
}

const anything = { type: 'object' }
const description = 'The weather of a city.'

test.each([
  {
    vendor: 'Chat Completions',
    make: openAIChatModel,
    expected: [
      { type: 'function', function: { name: 'weather', description, parameters: schema } },
      { type: 'function', function: { name: 'noop', parameters: anything } },
    ],
  },
  {
    vendor: 'Responses',
    make: openAIResponsesModel,
    expected: [
      { type: 'function', name: 'weather', description, parameters: schema, strict: false },
      { type: 'function', name: 'noop', parameters: anything, strict: false },
    ],
  },
  {
    vendor: 'Anthropic',
    make: anthropicModel,
    expected: [
      { name: 'weather', description, input_schema: schema },
      { name: 'noop', input_schema: anything },
    ],
  },
  {
    vendor: 'Gemini',
    make: geminiModel,
    expected: [
      {
        functionDeclarations: [
          { name: 'weather', description, parametersJsonSchema: schema },
          { name: 'noop', parametersJsonSchema: anything },
        ],
      },
    ],
  },
  {
    vendor: 'Ollama',
    make: ollamaModel,
    expected: [
      { type: 'function', function: { name: 'weather', description, parameters: schema } },
      { type: 'function', function: { name: 'noop', parameters: anything } },
    ],
  },
])('$vendor is told of the server’s tools in its own words', async ({ make, expected }) => {
  expect(await asked(make)).toEqual(expected)
  expect(await asked(make, {}, [])).toBeUndefined()
  expect(await asked(make, { body: { tools: ['own'] } })).toEqual(['own'])
})
