// npm run bench -- sse: how much of the physical limit (TextDecoder and JSON.parse alone) reading a stream leaves.
import { readModelStream } from 'sluice/core'
import { openaiChat } from 'sluice/formats'

// What is shipped is measured; before the first build there is nothing to take types from.
const shipped = new URL('../../dist/transport/sse.js', import.meta.url).href
/** @type {typeof import('../../src/transport/sse.ts')} */
const { createSseDecoder } = await import(shipped)

/** @type {Readonly<Record<string, readonly number[]>>} */
const TARGETS = { frames: [0.9, 0.6], readModelStream: [0.5, 0.4] }
const REPEATS = process.argv.includes('--full') ? 25 : 9

/**
 * A generator that gives the same numbers in each run.
 * @param {number} seed
 */
function seeded(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 4294967296
  }
}

/** @param {number} size */
function makeStream(size) {
  const random = seeded(3)
  const words = [
    'the ',
    'harbour',
    ' lies',
    ' open,',
    '\n\n',
    ' **tide** ',
    '北の',
    ' `code`',
    ' and',
    ' then',
  ]
  const blocks = []
  let length = 0
  let events = 0
  while (length < size) {
    const content = words[Math.floor(random() * words.length)]
    const block = `data: ${JSON.stringify({ id: 'chatcmpl-bench0000000000000000000', object: 'chat.completion.chunk', created: 1790000000, model: 'bench-model-2026', system_fingerprint: 'fp_bench', choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] })}\n\n`
    blocks.push(block)
    length += block.length
    events += 1
  }
  blocks.push(
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
    'data: [DONE]\n\n',
  )
  return { bytes: new TextEncoder().encode(blocks.join('')), events }
}

/**
 * @param {Uint8Array} bytes
 * @param {() => number} sizeOf
 */
function cut(bytes, sizeOf) {
  const chunks = []
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + sizeOf())
    chunks.push(bytes.subarray(at, end))
    at = end
  }
  return chunks
}

/**
 * The cheapest source there is: a generator would cost more by the chunk than all of the reading.
 * @param {readonly Uint8Array[]} chunks
 * @returns {AsyncIterable<Uint8Array>}
 */
function sourceOf(chunks) {
  const iterator = chunks.values()
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(iterator.next()) }) }
}

/** @type {Readonly<Record<string, (chunks: readonly Uint8Array[], payloads: readonly string[]) => number | Promise<number>>>} */
const contenders = {
  limit(chunks, payloads) {
    const decoder = new TextDecoder()
    let seen = 0
    for (const chunk of chunks) seen += decoder.decode(chunk, { stream: true }).length
    let events = 0
    for (const payload of payloads) if (JSON.parse(payload).choices !== undefined) events += 1
    return seen > 0 ? events : 0
  },
  frames(chunks) {
    let events = 0
    const decoder = createSseDecoder({
      onRecord({ data }) {
        if (data !== '[DONE]' && JSON.parse(data).choices !== undefined) events += 1
      },
    })
    for (const chunk of chunks) decoder.push(chunk)
    decoder.end()
    return events
  },
  async readModelStream(chunks) {
    let events = 0
    for await (const event of readModelStream(sourceOf(chunks), { format: openaiChat })) {
      if (event.type === 'text_delta') events += 1
    }
    return events
  },
}

/**
 * The fastest round: what else runs on the machine only ever adds time.
 * @param {readonly number[]} times
 */
function fastest(times) {
  return Math.min(...times)
}

let isFine = true
const random = seeded(11)
/** @type {readonly (readonly [string, number, () => number])[]} */
const shapes = [
  ['16 KB chunks', 20e6, () => 16384],
  ['1 to 64 byte chunks', 8e6, () => 1 + Math.floor(random() * 64)],
]
for (const [index, [shape, size, sizeOf]] of shapes.entries()) {
  const { bytes, events } = makeStream(size)
  const chunks = cut(bytes, sizeOf)
  const payloads = new TextDecoder()
    .decode(bytes)
    .split('\n\n')
    .map((block) => block.slice(6))
    .filter((data) => data.startsWith('{'))
  /** @type {Record<string, number[]>} */
  const times = {}
  for (let round = 0; round <= REPEATS; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      globalThis.gc?.()
      const from = performance.now()
      const seen = await run(chunks, payloads)
      if (Math.abs(seen - events) > 1) throw new Error(`${name} saw ${seen} of ${events} events.`)
      // The first round warms up.
      if (round > 0) (times[name] ??= []).push(performance.now() - from)
    }
  }
  console.log(
    `${shape}: limit ${(bytes.length / 1e3 / fastest(times['limit'] ?? [])).toFixed(0)} MB/s`,
  )
  for (const name of ['frames', 'readModelStream']) {
    const ratio = fastest(times['limit'] ?? []) / fastest(times[name] ?? [])
    const target = TARGETS[name]?.[index] ?? Infinity
    if (ratio < target) isFine = false
    console.log(`  ${name.padEnd(16)} ${ratio.toFixed(2)} of the limit (at least ${target})`)
  }
}
process.exit(isFine ? 0 : 1)
