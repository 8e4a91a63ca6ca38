import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectMessage, createModelStream, httpTransport, textOf } from 'sluice/core'
import { redisEventLog, type RedisEventLog } from 'sluice/redis'
import { isTerminal, type StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'
import { balancer } from '../support/balancer.ts'
import { allEvents, ask, question, sseEvents, textIn } from '../support/chat-server.ts'
import { compile, startChild, type Child } from '../support/child.ts'
import { hasRedis, startRedis, type TestRedis, type TestRedisClient } from '../support/redis.ts'
import { FIRST, SECOND, type FromOwner, type ToOwner } from './processes/owner-protocol.ts'

// Two server processes over one Redis, of which one, with two answers in the making, is killed or stopped at a random
// moment: one answer is read by our client, the other, which goes on from an approved action, by hand. Whoever wants
// the approved action again, at a third process, must not get it twice.

const isFull = process.env['SLUICE_FULL'] === '1'
const KILLS = isFull ? 200 : 6
/** So many pairs of processes at a time. */
const LANES = isFull ? 4 : 3
const LEASE_MS = 2_000
const seed = isFull ? Math.floor(Math.random() * 2 ** 31) : 7

interface Owner {
  readonly child: Child<ToOwner, FromOwner>
  readonly port: number
}

/** What became of one stream whose owner was killed. */
interface Outcome {
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  readonly requestId: string
  readonly state: string | undefined
  readonly action: string | undefined
  /** From the kill to the first event, and to the end, that the other process gave. */
  readonly resumedMs: number | undefined
  readonly endedMs: number
}

describe.skipIf(!hasRedis)('two processes over Redis (needs redis-server)', () => {
  const prefix = createId()
  const owners = new Set<Owner>()
  const lanes: [Owner, Owner][] = []
  let redis: TestRedis
  let client: TestRedisClient
  let log: RedisEventLog
  let program: string
  /** Not killed before all is over. */
  let third: Owner

  const startOwner = async (): Promise<Owner> => {
    const child = startChild<ToOwner, FromOwner>(program, { REDIS: redis.path, PREFIX: prefix })
    const said = await child.hear()
    if (said.type !== 'ready') throw new Error(`Not ready but ${said.type}.`)
    const owner = { child, port: said.port }
    owners.add(owner)
    return owner
  }

  const end = (owner: Owner): void => {
    owners.delete(owner)
    owner.child.process.kill('SIGKILL')
  }

  beforeAll(async () => {
    redis = await startRedis()
    client = await redis.connect()
    log = redisEventLog({ client, prefix })
    program = await compile('test/server/processes/owner.ts', 'owner')
    third = await startOwner()
    const made = Array.from({ length: LANES }, async () => {
      lanes.push(await Promise.all([startOwner(), startOwner()]))
    })
    await Promise.all(made)
  }, 60_000)

  afterAll(async () => {
    for (const owner of owners) end(owner)
    log.close()
    await redis.stop()
  })

  const urlOf = (port: number): string => `http://127.0.0.1:${port}/api/chat`

  const effectsOf = async (requestId: string): Promise<number> =>
    Number((await client.get(`effects:${requestId}:c1`)) ?? 0)

  /** An action that a person has approved, and what an answer that goes on from it is asked for with. */
  const approved = async (url: string): Promise<{ requestId: string; body: object }> => {
    const requestId = createId()
    const events = await allEvents(await ask(url, { requestId, asks: true }))
    const approval = events.find((event) => event.type === 'tool_approval')
    if (approval?.type !== 'tool_approval') throw new Error('No approval was asked for.')
    await fetch(`${url}/${requestId}/actions/c1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ approvalId: approval.approvalId, approved: true }),
    })
    const message = await collectMessage(events)
    const messages = [question(), message]
    return { requestId, body: { continues: requestId, messageId: message.id, messages } }
  }

  /** Reads a stream to its end, over as many connections as it takes. */
  const readByHand = async (
    url: string,
    requestId: string,
    body: object,
    onEvent: (event: StreamEvent) => void,
  ): Promise<void> => {
    let last = 0
    let isOver = false
    let connect = (): Promise<Response> => ask(url, { requestId, ...body })
    while (!isOver) {
      try {
        for await (const event of sseEvents(await connect())) {
          // Once, whole, and in order.
          expect(event.from ?? event.seq).toBe(last + 1)
          last = event.seq
          isOver = isTerminal(event)
          onEvent(event)
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
      // The same request again finds the run that there is.
      if (last > 0) connect = () => fetch(`${url}/${requestId}/events?after=${last}`)
      if (!isOver) await sleep(20)
    }
  }

  /** Wants the action once more, and in the sample does not wait for what comes of it. */
  const askAgain = async (body: object): Promise<readonly StreamEvent[]> => {
    const response = await ask(urlOf(third.port), { ...body })
    if (isFull) return allEvents(response)
    for await (const event of sseEvents(response)) return [event]
    return []
  }

  const round = async (
    pair: [Owner, Owner],
    n: number,
    random: () => number,
    retries: Promise<readonly StreamEvent[]>[],
  ): Promise<readonly Outcome[]> => {
    const signal = n % 2 === 0 ? 'SIGKILL' : 'SIGSTOP'
    const place = random() < 0.5 ? 0 : 1
    const [owner, survivor] = [pair[place], pair[1 - place]] as [Owner, Owner]
    const action = await approved(urlOf(survivor.port))
    const front = await balancer(owner.port)
    const url = urlOf(front.port)

    const began: Promise<void>[] = []
    let killedAt = Infinity
    const watch = (): { seen: () => void; resumedAt: () => number | undefined } => {
      let resumedAt: number | undefined
      let first = (): void => {}
      began.push(new Promise((resolve) => (first = resolve)))
      return {
        seen: () => {
          first()
          if (performance.now() > killedAt) resumedAt ??= performance.now()
        },
        resumedAt: () => resumedAt,
      }
    }

    // One by our client …
    const stream = createModelStream({ transport: httpTransport({ url }) })
    const watched = watch()
    let ownId = ''
    let seq = 0
    const outOfOrder: StreamEvent[] = []
    stream.observe({
      event: (event) => {
        ownId = event.requestId
        if ((event.from ?? event.seq) !== seq + 1) outOfOrder.push(event)
        seq = event.seq
        watched.seen()
      },
    })
    const own = stream.start('Hello').then((message) => ({ message, at: performance.now() }))
    // … and one by hand.
    const byHandId = createId()
    const byHand: StreamEvent[] = []
    const watchedByHand = watch()
    const other = readByHand(url, byHandId, action.body, (event) => {
      byHand.push(event)
      watchedByHand.seen()
    }).then(() => performance.now())

    await Promise.all(began)
    await sleep(random() * 1_000)
    killedAt = performance.now()
    owner.child.process.kill(signal)
    front.route(survivor.port)

    const [{ message, at }, otherAt] = await Promise.all([own, other])
    const logs = (): Promise<unknown> => Promise.all([log.read(ownId, 0), log.read(byHandId, 0)])
    const left = await logs()
    retries.push(askAgain(action.body))
    if (signal === 'SIGKILL') {
      end(owner)
      pair[place] = await startOwner()
    } else {
      owner.child.process.kill('SIGCONT')
      owner.child.say({ type: 'settle' })
      await owner.child.hear()
      // What it still had to say is refused.
      expect(await logs()).toEqual(left)
    }

    const outcomeOf = async (
      requestId: string,
      resumedAt: number | undefined,
      endedAt: number,
    ): Promise<Outcome> => {
      const response = await fetch(`${urlOf(third.port)}/${requestId}`)
      const { state, actions } = (await response.json()) as {
        state?: string
        actions: { state: string }[]
      }
      return {
        signal,
        requestId,
        state,
        action: actions[0]?.state,
        resumedMs: resumedAt === undefined ? undefined : resumedAt - killedAt,
        endedMs: endedAt - killedAt,
      }
    }
    const outcomes = [
      await outcomeOf(ownId, watched.resumedAt(), at),
      await outcomeOf(byHandId, watchedByHand.resumedAt(), otherAt),
    ] as const

    expect(outOfOrder).toEqual([])
    const whole = FIRST + SECOND
    if (outcomes[0].state === 'completed') {
      expect(message.status).toEqual({ type: 'complete', reason: 'stop' })
      expect(textOf(message)).toBe(whole)
    } else {
      expect(message.status).toMatchObject({ type: 'incomplete', reason: 'interrupted' })
      expect(whole.startsWith(textOf(message))).toBe(true)
      expect(stream.getSnapshot().status).toBe('error')
    }
    expect(byHand.at(-1)?.type).toBe(outcomes[1].state === 'completed' ? 'done' : 'interrupted')
    expect(SECOND.startsWith(textIn(byHand))).toBe(true)
    for (const { state, endedMs, action: told, requestId } of outcomes) {
      expect(['unknown', 'completed']).toContain(state)
      expect(endedMs).toBeLessThan(2 * LEASE_MS)
      if (told === 'succeeded') {
        expect(await effectsOf(requestId === byHandId ? action.requestId : requestId)).toBe(1)
      }
    }
    stream.dispose()
    await front.close()
    return outcomes
  }

  test(`${KILLS} kills and stops of the owner at random moments (seed ${seed})`, async () => {
    const retries: Promise<readonly StreamEvent[]>[] = []
    const outcomes: Outcome[] = []
    let next = 0
    const work = async (pair: [Owner, Owner], place: number): Promise<void> => {
      const random = seeded(seed + place)
      while (next < KILLS) {
        const n = next
        next += 1
        outcomes.push(...(await round(pair, n, random, retries)))
      }
    }
    await Promise.all(lanes.map(work))
    // What was begun and never told is waited for until it must be over, which the sample does not sit through.
    const asked = isFull ? await Promise.all(retries) : []
    for (const events of asked) {
      expect(events.at(-1)?.type).toBe('done')
      const result = events.find((event) => event.type === 'tool_result')
      if (result?.type !== 'tool_result') throw new Error('The action was not told of.')
      expect(['succeeded', 'unknown']).toContain(result.state)
    }
    const keys = await client.keys('effects:*')
    const effects = await Promise.all(keys.map((key) => client.get(key)))
    expect(effects.filter((count) => count !== '1')).toEqual([])
    expect(outcomes).toHaveLength(2 * KILLS)
    expect(outcomes.some(({ state }) => state === 'unknown')).toBe(true)
    if (isFull) console.log(report(outcomes, effects.length))
  }, 1_200_000)
})

function report(outcomes: readonly Outcome[], effects: number): string {
  const count = (is: (outcome: Outcome) => boolean): number => outcomes.filter(is).length
  const quantiles = (values: readonly number[]): string => {
    const sorted = values.toSorted((one, other) => one - other)
    const at = (q: number): number => Math.round(sorted[Math.ceil(q * sorted.length) - 1] ?? 0)
    return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`
  }
  const unknown = outcomes.filter(({ state }) => state === 'unknown')
  const resumed = outcomes.flatMap(({ resumedMs }) => (resumedMs === undefined ? [] : [resumedMs]))
  return [
    `${outcomes.length / 2} kills (${count(({ signal }) => signal === 'SIGKILL') / 2} SIGKILL, ${count(({ signal }) => signal === 'SIGSTOP') / 2} SIGSTOP), ${outcomes.length} streams, lease ${LEASE_MS} ms`,
    `ended: ${count(({ state }) => state === 'completed')} completed, ${unknown.length} unknown`,
    `kill to first event from the other process: ${quantiles(resumed)}`,
    `kill to the end of a stream left unknown: ${quantiles(unknown.map(({ endedMs }) => endedMs))}`,
    `actions that took effect: ${effects}, each once`,
  ].join('\n')
}

/** The same numbers for the same seed. */
function seeded(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
