// npm run bench -- server: one process under load. 1,000 streams of 50 tokens a second, 10,000 readers of a stream that
// says nothing, and readers that never read; the memory that each costs. A minute and more, ten with --full.
import { fork } from 'node:child_process'
import { Agent, createServer, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createId } from 'sluice/core'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'

const STREAMS = 1_000
const TOKENS_PER_SECOND = 50
/** So long is an answer: 20 s. Whoever has had one asks for the next. */
const ANSWER_TOKENS = 1_000
const IDLE_READERS = 10_000
const NEVER_READERS = 20
const FLOOD_BYTES = 16 * 1024 * 1024
const LOAD_MS = process.argv.includes('--full') ? 600_000 : 75_000
/** The log has as many ended runs as it keeps after so long. */
const WARM_UP_MS = 45_000

const agent = new Agent({ maxSockets: Infinity })
const headers = { 'content-type': 'application/json' }

/** @typedef {{ rss: number, live: number, cpuMs: number }} Use */

if (process.argv[2] === '--server') serve()
else await measure()

/** The process under load. */
function serve() {
  /** @type {import('sluice/server').Model} */
  const model = async function* ({ body }, { signal }) {
    const began = performance.now()
    const tokens = Number(body['tokens'] ?? 0)
    for (let n = 0; n < tokens && !signal.aborted; n += 1) {
      // As a vendor's tokens come: on time, however busy this process is.
      const wait = began + (n * 1_000) / TOKENS_PER_SECOND - performance.now()
      if (wait > 0) await sleep(wait)
      yield { type: 'text_delta', part: 'p', text: `token${n % 10} ` }
    }
    const flood = Number(body['flood'] ?? 0)
    const block = 'x'.repeat(1_024)
    for (let bytes = 0; bytes < flood && !signal.aborted; bytes += block.length) {
      yield { type: 'text_delta', part: 'p', text: block }
    }
    if (body['waits'] === true) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    yield { type: 'done', finishReason: 'stop' }
  }
  const log = memoryEventLog({ retentionMs: 20_000, maxRunBytes: 2 * FLOOD_BYTES })
  const kept = toNodeListener(createStreamHandler({ model, log, detach: true }))
  const passedOn = toNodeListener(createStreamHandler({ model, base: '/api/pass' }))
  const server = createServer((incoming, outgoing) =>
    (incoming.url?.startsWith('/api/pass') ? passedOn : kept)(incoming, outgoing),
  )
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
    const address = server.address()
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
  })
  process.on('message', () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    process.send?.({ rss, live: heapUsed + external, cpuMs: (user + system) / 1_000 })
  })
  process.on('disconnect', () => process.exit())
}

async function measure() {
  const child = fork(fileURLToPath(import.meta.url), ['--server'], { execArgv: ['--expose-gc'] })
  /** @returns {Promise<any>} */
  const hear = () => new Promise((resolve) => child.once('message', resolve))
  /** @type {number} */
  const port = await hear()
  /** @returns {Promise<Use>} */
  const usage = () => {
    const heard = hear()
    child.send('use')
    return heard
  }
  /** @type {string[]} */
  const misses = []
  /**
   * @param {string} name
   * @param {string} value
   * @param {boolean} isMet
   */
  const report = (name, value, isMet) => {
    console.log(`${isMet ? ' ' : '!'} ${name.padEnd(58)} ${value}`)
    if (!isMet) misses.push(name)
  }
  const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(0)} KB`

  // So that the compiler's own memory counts for nobody.
  await Promise.all(Array.from({ length: 50 }, () => read(port, { tokens: 100 })))
  await sleep(500)
  const base = await usage()

  await idle(port, usage, base, report, kb)
  await never(port, usage, report, kb)
  await load(port, usage, report, kb)

  child.disconnect()
  if (misses.length > 0) {
    console.log(`\nMissed: ${misses.join('; ')}`)
    process.exitCode = 1
  }
}

/** @typedef {(name: string, value: string, isMet: boolean) => void} Report */
/** @typedef {() => Promise<Use>} Ask */
/** @typedef {(bytes: number) => string} Format */

/**
 * @param {number} port
 * @param {Ask} usage
 * @param {Use} base
 * @param {Report} report
 * @param {Format} kb
 */
async function idle(port, usage, base, report, kb) {
  const requestId = createId()
  const owner = open(port, 'POST', '/api/chat', { requestId, waits: true })
  await owner.first
  const readers = []
  for (let n = 0; n < IDLE_READERS; n += 1) {
    readers.push(open(port, 'GET', `/api/chat/${requestId}/events?after=0`))
    if (n % 200 === 199) await readers.at(-1)?.first
  }
  await Promise.all(readers.map(({ first }) => first))
  const before = readers.map(({ bytes }) => bytes())
  // Two heartbeats.
  await sleep(12_000)
  const { live, rss } = await usage()
  const connected = readers.filter(({ isOpen, bytes }, n) => isOpen() && bytes() > (before[n] ?? 0))
  report(
    `${IDLE_READERS} idle readers: connected and hearing heartbeats`,
    `${connected.length}`,
    connected.length === IDLE_READERS,
  )
  report(
    'memory of an idle reader (live; resident)',
    `${kb((live - base.live) / IDLE_READERS)}; ${kb((rss - base.rss) / IDLE_READERS)}`,
    live - base.live < IDLE_READERS * 150 * 1024,
  )
  for (const { leave } of [...readers, owner]) leave()
  await sleep(2_000)
}

/**
 * @param {number} port
 * @param {Ask} usage
 * @param {Report} report
 * @param {Format} kb
 */
async function never(port, usage, report, kb) {
  for (const [name, base] of [
    ['with a log', '/api/chat'],
    ['passed through', '/api/pass'],
  ]) {
    const requestId = createId()
    const isKept = base === '/api/chat'
    // What the log keeps of a stream it keeps for everybody: what one more reader costs is what comes on top.
    if (isKept) await read(port, { requestId, flood: FLOOD_BYTES })
    await sleep(500)
    const before = await usage()
    const readers = Array.from({ length: NEVER_READERS }, () =>
      isKept
        ? open(port, 'GET', `${base}/${requestId}/events?after=0`, undefined, true)
        : open(port, 'POST', `${base}`, { flood: FLOOD_BYTES }, true),
    )
    // What they can take without reading, their sockets have taken.
    await sleep(2_000)
    const alone = performance.now()
    const other = await read(port, { tokens: 150 })
    const took = performance.now() - alone
    const { live } = await usage()
    const each = (live - before.live) / NEVER_READERS
    report(`a reader that never reads, ${name} (live)`, kb(each), each <= 1024 * 1024)
    report(
      `another stream meanwhile, ${150 / TOKENS_PER_SECOND} s of tokens`,
      `${(took / 1_000).toFixed(2)} s, last token ${other.lateMs.toFixed(0)} ms late`,
      other.fault === undefined && took < 1_000 * (150 / TOKENS_PER_SECOND) + 250,
    )
    for (const { leave } of readers) leave()
    await sleep(500)
  }
}

/**
 * @param {number} port
 * @param {Ask} usage
 * @param {Report} report
 * @param {Format} kb
 */
async function load(port, usage, report, kb) {
  await sleep(15_000)
  const before = await usage()
  const end = performance.now() + LOAD_MS
  /** @type {Awaited<ReturnType<typeof read>>[]} */
  const answers = []
  const keepAsking = async (/** @type {number} */ n) => {
    // Not all in one moment.
    await sleep((n / STREAMS) * 5_000)
    while (performance.now() < end) answers.push(await read(port, { tokens: ANSWER_TOKENS }))
  }
  const asking = Promise.all(Array.from({ length: STREAMS }, (_, n) => keepAsking(n)))
  await sleep(WARM_UP_MS)
  /** @type {Use[]} */
  const uses = []
  const began = performance.now()
  const own = process.cpuUsage()
  for (; performance.now() < end - 5_000; await sleep(5_000)) uses.push(await usage())
  const [first, last] = [uses[0], uses.at(-1)]
  const seconds = (performance.now() - began) / 1_000
  await asking
  if (first === undefined || last === undefined) throw new Error('Too short.')

  const peak = Math.max(...uses.map(({ live }) => live))
  const third = Math.max(1, Math.floor(uses.length / 3))
  const mean = (/** @type {Use[]} */ some) =>
    some.reduce((sum, { live }) => sum + live, 0) / some.length
  const growth = mean(uses.slice(-third)) / mean(uses.slice(0, third)) - 1
  const late = answers.map(({ lateMs }) => lateMs).toSorted((one, other) => one - other)
  const quantile = (/** @type {number} */ q) =>
    (late[Math.ceil(q * late.length) - 1] ?? 0).toFixed(0)
  const faults = answers.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
  const whole = answers.length - faults.length
  report(
    `${STREAMS} streams × ${TOKENS_PER_SECOND} tokens/s, ${LOAD_MS / 1_000} s: answers whole, every seq once`,
    `${whole} of ${answers.length}`,
    whole === answers.length,
  )
  for (const fault of new Set(faults)) {
    console.log(`    ${faults.filter((each) => each === fault).length} × ${fault}`)
  }
  report(
    'last token of an answer after it was due (p50; p99)',
    `${quantile(0.5)} ms; ${quantile(0.99)} ms`,
    true,
  )
  report(
    'memory a stream (live; resident)',
    `${kb((peak - before.live) / STREAMS)}; ${kb((last.rss - before.rss) / STREAMS)}`,
    (peak - before.live) / STREAMS <= 150 * 1024,
  )
  report(
    `growth of live memory over ${seconds.toFixed(0)} s`,
    `${(growth * 100).toFixed(1)} %`,
    growth < 0.1,
  )
  const { user, system } = process.cpuUsage(own)
  console.log(
    `  of one core: the server used ${((last.cpuMs - first.cpuMs) / seconds / 10).toFixed(0)} %, the readers ${((user + system) / 1e4 / seconds).toFixed(0)} %`,
  )
}

/**
 * Reads an answer to its end.
 *
 * @param {number} port
 * @param {object} body
 * @returns {Promise<{ fault: string | undefined, lateMs: number }>} `fault`: why it is not whole; `lateMs`: how late the answer ended, were its tokens on time.
 */
function read(port, body) {
  const began = performance.now()
  const tokens = 'tokens' in body ? Number(body.tokens) : undefined
  return new Promise((resolve) => {
    let rest = ''
    let seq = 0
    /** @type {string | undefined} */
    let fault
    let hasEnded = false
    const call = request(
      { port, host: '127.0.0.1', method: 'POST', path: '/api/chat', headers, agent },
      (response) => {
        response.setEncoding('utf8')
        response.on('data', (text) => {
          rest += text
          let from = 0
          for (let to = rest.indexOf('\n\n'); to !== -1; to = rest.indexOf('\n\n', from)) {
            const data = rest.indexOf('data: ', from)
            if (data !== -1 && data < to) {
              // Not parsed whole: the load must not cost more than what is loaded.
              const event = rest.slice(data + 6, to)
              const last = Number(/"seq":(\d+)/.exec(event)?.[1])
              if (Number(/"from":(\d+)/.exec(event)?.[1] ?? last) !== seq + 1) fault ??= 'gap'
              seq = last
              hasEnded ||= event.includes('"type":"done"')
            }
            from = to + 2
          }
          rest = rest.slice(from)
        })
        response.on('close', () => {
          const due = ((tokens ?? 0) / TOKENS_PER_SECOND) * 1_000
          const isLong = tokens === undefined || seq === tokens + 2
          resolve({
            fault:
              fault ??
              (hasEnded && isLong ? undefined : `ended after ${seq} with ${response.statusCode}`),
            lateMs: performance.now() - began - due,
          })
        })
      },
    )
    call.on('error', (error) => resolve({ fault: error.message, lateMs: 0 }))
    call.end(question(body))
  })
}

/**
 * Opens a stream and takes what comes, or never takes anything.
 *
 * @param {number} port
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {boolean} [isDeaf]
 */
function open(port, method, path, body, isDeaf = false) {
  const socket = connect(port, '127.0.0.1')
  let bytes = 0
  let isOpen = true
  /** @type {(value?: unknown) => void} */
  let ready = () => {}
  const first = new Promise((resolve) => (ready = resolve))
  socket.on('error', () => {})
  socket.on('close', () => {
    isOpen = false
    ready()
  })
  if (isDeaf) socket.pause()
  else {
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > 400) ready()
    })
  }
  const text = body === undefined ? '' : question(body)
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  return { first, bytes: () => bytes, isOpen: () => isOpen, leave: () => socket.destroy() }
}

/** @param {object} body */
function question(body) {
  const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  return JSON.stringify({ requestId: createId(), messages, ...body })
}
