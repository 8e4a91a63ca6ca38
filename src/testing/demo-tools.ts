import { sleep, systemClock } from '../protocol/clock.ts'
import { isRecord } from '../protocol/json.ts'
import type { StreamHandlerOptions } from '../server/create-stream-handler.ts'
import * as answers from './demo-answers.ts'

/** How long the gauge takes to answer, in milliseconds: long enough to be seen. */
const LOOKUP_MS = 700

const parameters = {
  type: 'object',
  properties: { station: { type: 'string' }, until: { type: 'string' } },
  required: ['station'],
}

// What a schema library gives, by hand: the package comes without one.
const standard = {
  version: 1 as const,
  vendor: 'sluice',
  validate: (value: unknown) =>
    isRecord(value) && typeof value['station'] === 'string'
      ? { value }
      : { issues: [{ message: 'expected a string', path: ['station'] }] },
  jsonSchema: { input: () => parameters, output: () => parameters },
}

/**
 * The tools of the demonstration, for `createStreamHandler({ model: demoModel(), tools: demoTools })`. Without them the
 * demonstration model tells a tool's result itself.
 */
export const demoTools: NonNullable<StreamHandlerOptions['tools']> = {
  [answers.tool.name]: {
    description: 'The tide at a station; invented.',
    input: { '~standard': standard },
    async run(_input, { signal }) {
      await sleep(systemClock, LOOKUP_MS, signal)
      signal.throwIfAborted()
      return answers.tool.output
    },
  },
}
