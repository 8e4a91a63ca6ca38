import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { collectMessage, readModelStream } from 'sluice/core'

const folder = join(import.meta.dirname, '../fixtures/wire/http-errors')

interface Expected {
  readonly status: number
  readonly kind: string
  readonly retryable: boolean
  /** `until-date`: until the moment that the header names. */
  readonly waitMs: number | 'until-date' | null
}

const samples = readdirSync(folder).flatMap((file) => {
  if (!file.endsWith('.expected.json')) return []
  const name = file.slice(0, -'.expected.json'.length)
  const expected = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Expected
  const headers = readFileSync(join(folder, `${name}.headers`), 'utf8')
    .split(/\r?\n/)
    .flatMap((line): [string, string][] => {
      const [, field, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? []
      return field === undefined || value === undefined ? [] : [[field, value]]
    })
  return [{ name, expected, headers, body: readFileSync(join(folder, `${name}.body`)) }]
})

test('there are samples', () => expect(samples.length).toBeGreaterThan(35))

describe.each(samples)('$name', ({ expected, headers, body }) => {
  const response = (): Response => new Response(body, { status: expected.status, headers })

  test('is told by its kind, with whether and when to ask again', async () => {
    const until = headers.find(([field]) => field === 'retry-after')?.[1]
    const isDate = expected.waitMs === 'until-date' && until !== undefined
    if (isDate) vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(until) - 5000 })
    const message = await collectMessage(readModelStream(response()))
    expect(message.status).toMatchObject({
      type: 'incomplete',
      reason: 'error',
      error: { code: expected.kind.replaceAll('_', '-'), retryable: expected.retryable },
    })
    const { error } = message.status as { error: { retryAfterMs?: number; message: string } }
    expect(error.retryAfterMs ?? null).toBe(isDate ? 5000 : expected.waitMs)
    vi.useRealTimers()
    expect(error.message).not.toBe('')
    expect(error.message).not.toMatch(/<\/?[a-z]/i)
  })
})
