// npm run bench -- timeline [--runs N]: the worked example, measured against its formula.
// Queue 120 ms, prefill 280 ms, 40 tokens of 50 ms: first text at 400 ms, the end at 2,350 ms. In Chromium, from the click
// to the text in the page, unless a row says otherwise.
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { scriptedModel } from 'sluice/testing'
import { findChromium } from '../../scripts/chromium.mjs'
import { buildPages } from '../../scripts/pages.mjs'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, full: { type: 'boolean' } },
})
const runs = Number(values.runs)
const [queueMs, prefillMs, tokenMs, tokens] = [120, 280, 50, 40]
const text = Array.from({ length: tokens }, (_, place) => `word${place}`).join(' ')
const pace = { text, queueMs, prefillMs, tokenMs }

/** @param {readonly number[]} samples @param {number} share */
const quantile = (samples, share) =>
  samples.toSorted((a, b) => a - b)[Math.ceil(samples.length * share) - 1] ?? NaN

/** @type {import('sluice/testing').ScriptedModel} */
let scripted
let loopEnded = 0
/** How long the model's waits took: the queue, the prefill, then a token each. @type {number[]} */
let waits = []
/** @type {import('sluice/core').Clock} */
const clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout(run, ms) {
    const from = performance.now()
    return setTimeout(() => {
      waits.push(performance.now() - from)
      run()
    }, ms)
  },
  clearTimeout: (handle) => clearTimeout(/** @type {NodeJS.Timeout} */ (handle)),
}
/** @type {import('sluice/server').Model} */
const model = async function* (request, io) {
  waits = []
  try {
    const events = await scripted(request, io)
    if (events instanceof Response) throw new Error('A scripted model makes its own events.')
    yield* events
  } finally {
    loopEnded = Date.now()
  }
}

process.env['SLUICE_DIST'] = '1'
const pages = await buildPages('production')
const listener = toNodeListener(createStreamHandler({ model, log: memoryEventLog() }))
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const site = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/api/chat')) {
    listener(request, response)
    return
  }
  const file = createReadStream(join(pages, pathname))
  file.on('error', () => response.writeHead(404).end())
  const type = Object.entries(types).find(([end]) => end === extname(pathname))?.[1]
  response.setHeader('content-type', type ?? 'application/octet-stream')
  file.pipe(response)
})
await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)))
const where = site.address()
if (where === null || typeof where === 'string') throw new Error('The site has no port.')
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
})
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${where.port}/timeline.html`)

/** One answer, drawn as it comes. */
async function streamed() {
  scripted = scriptedModel({ ...pace, clock })
  /** @type {Awaited<ReturnType<import('../browser/pages/timeline.tsx').TimelinePage['streamed']>>} */
  const sample = await page.evaluate('timeline.streamed()')
  return {
    queue: waits[0] ?? NaN,
    prefill: waits[1] ?? NaN,
    first: sample.inDomMs,
    perToken: sample.tpotMs ?? NaN,
    end: sample.e2eMs ?? NaN,
    rest: (sample.e2eMs ?? NaN) - sample.inDomMs - (tokens - 1) * (sample.tpotMs ?? NaN),
  }
}

/** The same answer, sent when it is whole. */
async function whole() {
  const alone = scriptedModel(pace)
  const server = createServer(async (_, response) => {
    let answer = ''
    const request = { messages: [], messageId: 'm', body: {} }
    const events = await alone(request, { signal: new AbortController().signal, requestId: 'r' })
    if (events instanceof Response) throw new Error('A scripted model makes its own events.')
    for await (const event of events) if (event.type === 'text_delta') answer += event.text
    response.end(answer)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const begun = performance.now()
  await (await fetch(`http://127.0.0.1:${address.port}`)).text()
  server.close()
  return performance.now() - begun
}

/** Stop 1,000 ms after the answer was asked for. */
async function stopped() {
  scripted = scriptedModel({ ...pace, clock })
  /** @type {Awaited<ReturnType<import('../browser/pages/timeline.tsx').TimelinePage['stopped']>>} */
  const outcome = await page.evaluate('timeline.stopped(1000)')
  const generated = scripted.generated
  await new Promise((resolve) => setTimeout(resolve, 500))
  return {
    known: outcome.knownMs ?? NaN,
    propagation: loopEnded - outcome.clickedAt,
    told: outcome.outputTokens,
    generated,
    later: scripted.generated,
  }
}

const answers = []
const wholes = []
const stops = []
// One after the other: a machine that is busy with its own benchmark measures that.
for (let run = 0; run < runs; run += 1) {
  answers.push(await streamed())
  wholes.push(await whole())
  stops.push(await stopped())
}

/** @param {string} name @param {number} expected @param {readonly number[]} samples */
const row = (name, expected, samples) => ({
  what: name,
  formula: expected,
  p50: Number(quantile(samples, 0.5).toFixed(1)),
  p95: Number(quantile(samples, 0.95).toFixed(1)),
})
const endMs = queueMs + prefillMs + (tokens - 1) * tokenMs
console.log(`The worked example in Chromium, over HTTP on loopback, ${runs} runs, milliseconds:`)
console.table([
  row(
    'queue',
    queueMs,
    answers.map(({ queue }) => queue),
  ),
  row(
    'prefill',
    prefillMs,
    answers.map(({ prefill }) => prefill),
  ),
  row(
    'TTFT: first text in the page',
    queueMs + prefillMs,
    answers.map(({ first }) => first),
  ),
  row(
    'TPOT',
    tokenMs,
    answers.map(({ perToken }) => perToken),
  ),
  row(
    'E2E',
    endMs,
    answers.map(({ end }) => end),
  ),
  row(
    'X = E2E − TTFT − (N − 1) · TPOT',
    0,
    answers.map(({ rest }) => rest),
  ),
  row('E2E of the same answer, not streamed', endMs, wholes),
  row(
    'stop → model loop ended',
    0,
    stops.map(({ propagation }) => propagation),
  ),
  row(
    'stop → end known',
    0,
    stops.map(({ known }) => known),
  ),
])
const counts = stops.map(({ told, generated, later }) => `${told}/${generated}/${later}`)
console.log(
  `Tokens at the stop, told / generated / generated 500 ms later (formula 12 ± 1): ${counts.join('  ')}`,
)
await browser.close()
site.close()
site.closeAllConnections()
