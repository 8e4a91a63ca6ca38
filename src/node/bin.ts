#!/usr/bin/env node
import { SluiceError } from '../protocol/errors.ts'
import { checkCommand, recordCommand } from './check-command.ts'
import { HELP, mistake } from './command-line.ts'
import { replayCommand } from './replay-command.ts'
import { serveCommand } from './serve-command.ts'

/** Each takes the arguments after its name, and resolves to the exit code. */
const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map([
  ['serve', serveCommand],
  ['check', checkCommand],
  ['record', recordCommand],
  ['replay', replayCommand],
])

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || [name, ...args].some((word) => word === '--help' || word === '-h')) {
    console.log(HELP)
    return 0
  }
  const command = commands.get(name)
  if (command === undefined) return mistake(`There is no command ${name}.`)
  return command(args)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isMistake = error instanceof SluiceError && error.code === 'invalid-options'
  const cause =
    error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  console.error(error instanceof Error ? `${error.message}${cause}` : error)
  if (isMistake) console.error(`\n${HELP}`)
  process.exitCode = isMistake ? 2 : 1
}
