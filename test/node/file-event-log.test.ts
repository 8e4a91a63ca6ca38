import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStreamHandler } from 'sluice/server'
import { fileEventLog } from 'sluice/server/node'
import { scriptedModel } from 'sluice/testing'
import type { StreamEvent } from '../../src/protocol/events.ts'
import { createId } from '../../src/protocol/ids.ts'
import { allEvents, question, textIn } from '../support/chat-server.ts'
import { eventLogContract } from '../server/event-log-contract.ts'

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'sluice-log-'))
const claim = { fingerprint: 'f', leaseMs: 15_000 }

eventLogContract('fileEventLog', async (limits) => {
  const log = fileEventLog({ ...limits, dir: await newFolder() })
  return { log, close: () => log.close() }
})

test('what was said survives a restart, and a run that was going on ends as interrupted', async () => {
  const dir = await newFolder()
  const [ended, running] = [createId(), createId()]
  const event = (id: string, seq: number): StreamEvent => ({
    v: 1,
    requestId: id,
    seq,
    type: 'text_delta',
    part: 'p',
    text: `${seq}`,
  })
  const first = fileEventLog({ dir })
  await first.create(ended, claim)
  await first.create(running, claim)
  await first.append(ended, 1, [
    event(ended, 1),
    { v: 1, requestId: ended, seq: 2, type: 'done', finishReason: 'stop' },
  ])
  await first.append(running, 1, [event(running, 1), event(running, 2)])
  await first.close()

  const second = fileEventLog({ dir })
  expect(await second.read(ended, 0)).toMatchObject({ state: 'completed', lastSeq: 2 })
  expect(await second.create(ended, claim)).toEqual({ role: 'attached' })
  const page = await second.read(running, 0)
  expect(page?.state).toBe('unknown')
  expect(page?.events.map(({ type }) => type)).toEqual(['text_delta', 'text_delta', 'interrupted'])
  // The owner of before, should it still be somewhere, is not listened to.
  expect(await second.append(running, 1, [event(running, 3)])).toBe('fenced')
  await second.close()
})

test('a folder is one process’s at a time, and the error says so', async () => {
  const dir = await newFolder()
  const first = fileEventLog({ dir })
  await first.read(createId(), 0)
  await expect(fileEventLog({ dir }).read(createId(), 0)).rejects.toMatchObject({
    code: 'invalid-options',
    message: expect.stringContaining('another process'),
  })
  await first.close()
})

test('a handler over it replays after a restart', async () => {
  const dir = await newFolder()
  const text = 'The sluice stays shut until morning.'
  const requestId = createId()
  const first = fileEventLog({ dir })
  const post = await createStreamHandler({ model: scriptedModel({ text }), log: first })(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requestId, messages: [question()] }),
    }),
  )
  expect(textIn(await allEvents(post))).toBe(text)
  await first.close()

  const second = fileEventLog({ dir })
  const model = scriptedModel({ text: 'Never asked.' })
  const replay = await createStreamHandler({ model, log: second })(
    new Request(`http://localhost/api/chat/${requestId}/events`),
  )
  expect(textIn(await allEvents(replay))).toBe(text)
  expect(model.calls).toBe(0)
  await second.close()
})
