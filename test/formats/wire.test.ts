import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  readModelStream,
  type EventBody,
  type StreamEvent,
  type StreamSource,
  type WireFormat,
} from 'sluice/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBodyReader } from '../../src/transport/body.ts'
import { namedFormat } from '../../src/transport/named-format.ts'
import { bodyOf, chunked, cuttings } from '../support/cuts.ts'
import { comparable, problemsOf, samplesOf, vendors, type Sample } from './samples.ts'

// `npm test -- --full` takes every cut over HTTP too; the usual run takes some of each sample.
const isFull = process.env['SLUICE_FULL'] === '1'

const WAYS = ['whole', 'recognised', 'every cut', 'over HTTP'] as const
const passed = new Map<string, number>()

function count(vendor: string, way: (typeof WAYS)[number]): void {
  passed.set(`${vendor} ${way}`, (passed.get(`${vendor} ${way}`) ?? 0) + 1)
}

afterAll(() => {
  const rows = vendors.map((vendor) => {
    const total = samplesOf(vendor).length
    const cells = WAYS.flatMap((way) => {
      const number = passed.get(`${vendor} ${way}`)
      return number === undefined ? [] : [`${way} ${number} of ${total}`.padEnd(22)]
    })
    return `  ${vendor.padEnd(20)} ${cells.join('')}`
  })
  process.stdout.write(`\nSamples read as expected:\n${rows.join('\n')}\n`)
})

/** What a format makes of a body, without the machinery around it: so many cuts would take minutes through it. */
function bodiesOf(format: WireFormat, chunks: readonly Uint8Array[]): string {
  const events: unknown[] = []
  let made = 0
  const context = { messageId: 'message', createId: () => `${(made += 1)}` }
  const reader = format.createReader(
    (event: EventBody | StreamEvent) => events.push(event),
    context,
  )
  const body = createBodyReader(reader, { framing: format.framing })
  for (const chunk of chunks) body.push(chunk)
  body.end()
  reader.end()
  return JSON.stringify(events)
}

async function read(
  { format: own }: Sample,
  source: StreamSource,
  format: Sample['format'] = own,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  const options = { format, requestId: 'request', messageId: 'message' }
  for await (const event of readModelStream(source, options)) events.push(event)
  return events
}

function response({ expected: { http } }: Sample, body: BodyInit): Response {
  return new Response(body, { status: http.status, headers: { 'content-type': http.contentType } })
}

function whole(sample: Sample): StreamSource {
  if (sample.vendor !== 'openai-responses-ws') return response(sample, new Uint8Array(sample.bytes))
  // One text frame a line.
  return chunked(new TextDecoder().decode(sample.bytes).trim().split('\n'))
}

describe.each(vendors)('%s', (vendor) => {
  const samples = samplesOf(vendor)

  test.each(samples)('$name', async (sample) => {
    expect(await problemsOf(await read(sample, whole(sample)), sample.expected)).toEqual([])
    count(vendor, 'whole')
  })

  test.each(samples)('$name, recognised by itself', async (sample) => {
    const events = await read(sample, whole(sample), 'auto')
    expect(await problemsOf(events, sample.expected)).toEqual([])
    count(vendor, 'recognised')
  })
})

// Text frames are never cut.
describe.each(vendors.filter((vendor) => vendor !== 'openai-responses-ws'))('%s', (vendor) => {
  const samples = samplesOf(vendor)
  let server: Server
  let address = ''
  let serving: { readonly sample: Sample; readonly chunks: readonly Uint8Array[] } | undefined

  beforeAll(async () => {
    server = createServer((_request, answer) => {
      if (serving === undefined) return answer.destroy()
      const { status, contentType } = serving.sample.expected.http
      answer.writeHead(status, { 'content-type': contentType })
      const rest = serving.chunks.values()
      const next = (): void => {
        const { value, done } = rest.next()
        if (done === true) answer.end()
        else answer.write(value, () => setImmediate(next))
      }
      next()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each(samples)('$name at every cut', { timeout: 60_000 }, async (sample) => {
    const format = await namedFormat(sample.format)
    const expected = bodiesOf(format, [sample.bytes])
    for (const chunks of cuttings(sample.bytes)) {
      const got = bodiesOf(format, chunks)
      if (got !== expected) expect(got, `cut at ${chunks[0]?.length}`).toBe(expected)
    }
    const events = comparable(await read(sample, whole(sample)))
    for (const chunks of cuttings(sample.bytes, { small: 0, random: 3 })) {
      expect(comparable(await read(sample, response(sample, bodyOf(chunks))))).toBe(events)
    }
    count(vendor, 'every cut')
  })

  test.each(samples)('$name over HTTP', { timeout: 300_000 }, async (sample) => {
    const expected = comparable(await read(sample, whole(sample)))
    // Compared by hand: an assertion for each of very many cuts would take longer than the reading.
    const seen = new Set([expected])
    const every = isFull ? 1 : Math.max(1, Math.ceil(sample.bytes.length / 3))
    for (const chunks of cuttings(sample.bytes, {
      every,
      random: isFull ? 200 : 3,
      bytewise: isFull,
    })) {
      serving = { sample, chunks: chunks.filter(({ length }) => length > 0) }
      seen.add(comparable(await read(sample, await fetch(address))))
    }
    expect([...seen]).toEqual([expected])
    count(vendor, 'over HTTP')
  })
})
