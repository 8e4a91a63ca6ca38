import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { manualClock } from 'sluice/testing'
import { tool, type Tool } from 'sluice/server'
import { passGates, type Passage } from '../../src/actions/gates.ts'

const context = { key: 'r:c', requestId: 'r', toolCallId: 'c', headers: new Headers() }

function pass(
  of: Tool | undefined,
  args: unknown,
  more: {
    approved?: boolean
    onError?: (error: unknown) => void
    signal?: AbortSignal
    clock?: ReturnType<typeof manualClock>
  } = {},
): Promise<Passage> {
  const onError =
    more.onError ??
    ((error: unknown) => {
      throw error
    })
  return passGates(
    { tool: of, args, approved: more.approved ?? false },
    {
      context,
      clock: more.clock ?? manualClock(),
      signal: more.signal ?? new AbortController().signal,
      onError,
    },
  )
}

describe.each<[string, Tool]>([
  [
    'zod',
    tool({
      input: z.object({ city: z.string(), days: z.number().default(3) }),
      run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
    }),
  ],
  [
    'valibot',
    tool({
      input: v.object({ city: v.string(), days: v.optional(v.number(), 3) }),
      run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
    }),
  ],
  [
    'arktype',
    tool({
      input: type({ city: 'string', days: 'number = 3' }),
      run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
    }),
  ],
])('a schema of %s', (_, forecast) => {
  test('passes what holds, as the schema gives it', async () => {
    expect(await pass(forecast, { city: 'Ulm' })).toEqual({
      type: 'passed',
      input: { city: 'Ulm', days: 3 },
    })
  })

  test('refuses what does not, and says where', async () => {
    const refused = await pass(forecast, { city: 7 })
    expect(refused).toMatchObject({ type: 'refused', gate: 'schema' })
    expect(refused).toHaveProperty('error', expect.stringMatching(/^Refused by the schema: .*city/))
  })

  test('types what the tool is given', () => {
    expect(
      forecast.run?.(
        { city: 'Ulm', days: 2 },
        { ...context, signal: new AbortController().signal },
      ),
    ).toBe('ULM 2')
  })
})

const input = z.object({ amount: z.number() })
const args = { amount: 5 }

test('an asynchronous schema is awaited', async () => {
  const checked = tool({ input: input.refine(async ({ amount }) => amount < 3, 'too much') })
  expect(await pass(checked, { amount: 2 })).toMatchObject({ type: 'passed' })
  expect(await pass(checked, args)).toMatchObject({
    gate: 'schema',
    error: 'Refused by the schema: too much',
  })
})

test.each<[string, Tool | undefined, unknown, string, string]>([
  ['tool', undefined, args, 'tool', 'Refused by the list of tools: There is no such tool.'],
  [
    'parse',
    tool({ input }),
    undefined,
    'parse',
    'Refused by the parser: The arguments are not whole, or not JSON.',
  ],
  [
    'facts',
    tool({ input, facts: () => 'The account is closed.' }),
    args,
    'facts',
    'Refused by the check of the facts: The account is closed.',
  ],
  [
    'permission',
    tool({ input, permit: () => false }),
    args,
    'permission',
    'Refused by the check of permission: This is not permitted.',
  ],
])('the gate %s refuses by its name', async (_, of, given, gate, error) => {
  expect(await pass(of, given)).toEqual({ type: 'refused', gate, error })
})

describe('approval', () => {
  test('is asked for after all else, by a value or by the input', async () => {
    const careful = tool({ input, approval: ({ amount }) => amount > 3 })
    expect(await pass(careful, { amount: 2 })).toMatchObject({ type: 'passed' })
    expect(await pass(careful, args)).toMatchObject({ type: 'ask', input: args })
    expect(await pass(tool({ input, approval: true }), args)).toMatchObject({ type: 'ask' })
    expect(await pass(tool({ input, approval: true, permit: () => false }), args)).toMatchObject({
      gate: 'permission',
    })
  })

  test('is not asked for again once it is given; every other gate is', async () => {
    const paid = tool({ input, approval: true, facts: ({ amount }) => amount < 6 })
    expect(await pass(paid, args, { approved: true })).toMatchObject({ type: 'passed' })
    expect(await pass(paid, { amount: 7 }, { approved: true })).toMatchObject({ gate: 'facts' })
  })
})

test('the gates are in order, and what is refused goes no further', async () => {
  const seen: string[] = []
  const note = (gate: string, verdict: boolean) => (): boolean => {
    seen.push(gate)
    return verdict
  }
  await pass(
    tool({
      input,
      facts: note('facts', true),
      permit: note('permit', true),
      approval: note('approval', false),
    }),
    args,
  )
  expect(seen).toEqual(['facts', 'permit', 'approval'])
  seen.length = 0
  await pass(tool({ input, facts: note('facts', false), permit: note('permit', true) }), args)
  expect(seen).toEqual(['facts'])
})

test.each(['facts', 'permit', 'approval'] as const)(
  'a check (%s) that throws refuses, and its words stay here',
  async (check) => {
    const onError = vi.fn()
    const cause = new Error('password=hunter2')
    const broken = tool({
      input,
      [check]: () => {
        throw cause
      },
    })
    const refused = await pass(broken, args, { onError })
    expect(refused.type).toBe('refused')
    expect(JSON.stringify(refused)).not.toContain('hunter2')
    expect(onError).toHaveBeenCalledWith(cause)
  },
)

test('a check that never answers refuses once the time is over', async () => {
  const clock = manualClock()
  const onError = vi.fn()
  const slow = tool({ input, permit: () => new Promise<boolean>(() => {}), timeoutMs: 500 })
  const passage = pass(slow, args, { clock, onError })
  await clock.advance(2_000)
  expect(await passage).toMatchObject({ type: 'refused', gate: 'permission' })
  expect(onError).toHaveBeenCalledTimes(1)
})

test('a tool can’t be reached by the name of something that every object has', async () => {
  const { toolNamed } = await import('../../src/actions/tool.ts')
  expect(toolNamed({}, 'constructor')).toBeUndefined()
  expect(toolNamed({ constructor: tool({ input }) }, 'constructor')).toBeDefined()
})
