import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileActionLog } from 'sluice/server/node'
import { createId } from '../../src/protocol/ids.ts'
import { actionLogContract, recordOf } from '../server/action-log-contract.ts'

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'sluice-actions-'))

actionLogContract('fileActionLog', async (options) => {
  const log = fileActionLog({ ...options, dir: await newFolder() })
  return { log, close: () => log.close() }
})

test('after a restart it knows what was begun and what was done', async () => {
  const dir = await newFolder()
  const id = createId()
  const [begun, done] = [recordOf(id, 'begun'), recordOf(id, 'done')]
  const first = fileActionLog({ dir })
  await first.write(begun)
  await first.write(done)
  await first.write({ ...done, version: 2, hash: 'h2' })
  await first.close()

  const second = fileActionLog({ dir })
  expect(await second.read(id)).toMatchObject([
    { toolCallId: 'begun', state: 'pending', version: 1 },
    { toolCallId: 'done', version: 2 },
  ])
  expect(await second.write(begun)).toBe(false)
  expect(await second.write({ ...begun, version: 2 })).toBe(true)
  await second.close()
})

test('what is too old is taken off the disk', async () => {
  const dir = await newFolder()
  let now = 0
  const clock = { now: () => now, setTimeout: () => undefined, clearTimeout: () => {} }
  const ids = Array.from({ length: 20 }, createId)
  const first = fileActionLog({ dir, clock, retentionMs: 1_000 })
  for (const id of ids) await first.write(recordOf(id))
  await first.close()

  now = 100_000
  const second = fileActionLog({ dir, clock, retentionMs: 1_000 })
  await second.write(recordOf(createId()))
  await second.close()

  // Were anything left, it would be there again for a log that keeps things longer.
  const third = fileActionLog({ dir, clock, retentionMs: 1_000_000 })
  for (const id of ids) expect(await third.read(id)).toEqual([])
  await third.close()
})

test('a folder is one process’s at a time, and the error says so', async () => {
  const dir = await newFolder()
  const first = fileActionLog({ dir })
  await first.read(createId())
  await expect(fileActionLog({ dir }).write(recordOf(createId()))).rejects.toMatchObject({
    message: expect.stringContaining('another process'),
  })
  await first.close()
})
