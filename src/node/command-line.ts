import { SluiceError } from '../protocol/errors.ts'
import { modelNames } from './models.ts'

/** How to call, as it is printed. */
export const HELP: string = `sluice serve [flags]        the example chat page and its streaming server
  --model NAME              ${modelNames.join(', ')} (default: scripted)
  --base-url URL            where the model is served, for example http://localhost:11434/v1
  --model-name NAME         which of its models to ask
  --port N                  default: 3000, or the next free one
  --host NAME               default: 127.0.0.1, this machine alone

sluice check URL [flags]    tells what is wrong with how an endpoint streams; exit code 0 only if nothing is
sluice record URL -o FILE   keeps an answer, every piece with its time
  --format NAME             sluice (default), openai-chat, openai-responses, anthropic, … or auto
  --message TEXT            what to ask
  --model-name NAME         which model to ask
  --data JSON               the whole body, in place of one made from the message
  --header 'NAME: VALUE'    may be given several times
  --json                    of check: the findings as JSON

sluice replay FILE          answers every request with a recording, at its own pace
  --port N                  default: 3000, or the next free one
  --speed N                 2 is twice as fast

Keys are read from the environment only: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY.`

/** A mistake in calling: told with {@link HELP}, exit code 2. */
export function mistake(message: string): never {
  throw new SluiceError('invalid-options', message)
}

/** Runs Node's `parseArgs`, whose complaints are a caller's mistakes. */
export function reading<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    // Node goes on to explain a positional that looks like a flag.
    return mistake(`${problem.split('. ', 1)[0]?.replace(/\.$/, '')}.`)
  }
}

/** A command's one argument. */
export function only(positionals: readonly string[], name: string): string {
  const [first, ...rest] = positionals
  if (first === undefined) return mistake(`Say which ${name}.`)
  if (rest.length > 0) return mistake(`One ${name} at a time, not also ${rest.join(' ')}.`)
  return first
}

/** Reads `--port`. */
export function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  return mistake(`--port takes a number from 0 to 65535, not ${text}.`)
}

/** Tells that a port is taken. */
export function tellTaken(port: number): void {
  console.log(`Port ${port} is taken; trying ${port + 1}.`)
}
