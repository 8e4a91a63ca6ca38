import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ActionLog, ActionRecord } from 'sluice/server'
import { manualClock, type ManualClock } from 'sluice/testing'
import { createId } from '../../src/protocol/ids.ts'

/** A log under test. */
export interface ActionLogUnderTest {
  readonly log: ActionLog
  /** Lets time pass where it is not told by `clock` alone. */
  readonly age?: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** A record in its first version. */
export function recordOf(
  requestId: string,
  toolCallId = 'c',
): Extract<ActionRecord, { readonly state: 'pending' }> {
  return {
    key: `${requestId}:${toolCallId}`,
    requestId,
    toolCallId,
    kind: 'run',
    name: 'pay',
    runs: 'server',
    args: { amount: 5, note: '10 50 {} "水門" \u2028' },
    hash: 'h1',
    state: 'pending',
    until: 1_000,
    version: 1,
  }
}

/** What every action log must do, whatever it is kept in. */
export function actionLogContract(
  name: string,
  make: (options: {
    readonly clock: ManualClock
    readonly retentionMs: number
  }) => Promise<ActionLogUnderTest>,
): void {
  describe(`${name} keeps the contract`, () => {
    let clock: ManualClock
    let under: ActionLogUnderTest
    let log: ActionLog
    let id: string

    const pass = async (ms: number): Promise<void> => {
      await clock.advance(ms)
      await under.age?.(ms)
    }

    beforeEach(async () => {
      clock = manualClock(1_000_000)
      under = await make({ clock, retentionMs: 60_000 })
      log = under.log
      id = createId()
    })
    afterEach(() => under.close())

    test('of a stream it does not know it has nothing', async () => {
      expect(await log.read(id)).toEqual([])
    })

    test('gives back what was written, to the letter', async () => {
      const first = recordOf(id)
      const { until: _, ...action } = first
      const second: ActionRecord = {
        ...action,
        approval: { id: 'a', approved: true, reason: 'yes' },
        state: 'succeeded',
        output: { text: '3 4 {"key":"value"}', empty: null },
        version: 2,
      }
      expect(await log.write(first)).toBe(true)
      expect(await log.read(id)).toEqual([first])
      expect(await log.write(second)).toBe(true)
      expect(await log.read(id)).toEqual([second])
    })

    test('a version is written once', async () => {
      expect(await log.write({ ...recordOf(id), version: 2 })).toBe(false)
      expect(await log.write(recordOf(id))).toBe(true)
      expect(await log.write({ ...recordOf(id), hash: 'h2' })).toBe(false)
      expect(await log.write({ ...recordOf(id), version: 3 })).toBe(false)
      expect(await log.read(id)).toEqual([recordOf(id)])
    })

    test('of many who write the same version at once one has', async () => {
      for (const version of [1, 2, 3]) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            log.write({ ...recordOf(id), hash: `${version}:${n}`, version }),
          ),
        )
        expect(answers.filter(Boolean)).toHaveLength(1)
        expect(await log.read(id)).toMatchObject([
          { hash: `${version}:${answers.indexOf(true)}`, version },
        ])
      }
    })

    test('keeps the order in which actions were first written', async () => {
      const calls = Array.from({ length: 12 }, (_, n) => `call-${(n * 7) % 12}`)
      for (const call of calls) await log.write(recordOf(id, call))
      for (const call of calls.toReversed()) await log.write({ ...recordOf(id, call), version: 2 })
      expect((await log.read(id)).map(({ toolCallId }) => toolCallId)).toEqual(calls)
    })

    test('streams are apart, and so are an action and what undoes it', async () => {
      const other = createId()
      await log.write(recordOf(id, 'x'))
      await log.write({ ...recordOf(id, 'x'), key: `${id}/compensate:x`, kind: 'compensate' })
      await log.write(recordOf(other, 'x'))
      expect((await log.read(id)).map(({ kind }) => kind)).toEqual(['run', 'compensate'])
      expect(await log.read(other)).toHaveLength(1)
    })

    test('tool call ids may be anything', async () => {
      for (const call of ['', '~', '!', '\uffff', '🛑', 'a b:c\n', '1 2 3']) {
        expect(await log.write(recordOf(id, call))).toBe(true)
        expect(await log.write(recordOf(id, call))).toBe(false)
      }
      expect(await log.read(id)).toHaveLength(7)
    })

    test('what it gave out does not change what it keeps', async () => {
      const record = recordOf(id)
      await log.write(record)
      ;(record.args as { amount: number }).amount = 500
      expect(await log.read(id)).toEqual([recordOf(id)])
    })

    test('keeps a stream’s actions for as long as it was told after the last writing', async () => {
      await log.write(recordOf(id, 'first'))
      await pass(50_000)
      await log.write(recordOf(id, 'second'))
      await pass(50_000)
      expect(await log.read(id)).toHaveLength(2)
      await pass(11_000)
      expect(await log.read(id)).toEqual([])
      expect(await log.write(recordOf(id, 'first'))).toBe(true)
      expect(await log.read(id)).toHaveLength(1)
    })
  })
}
