import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../../scripts/run.mjs'

/** Makes a module of the tests, in TypeScript, something that plain Node runs; the path of it. */
export async function compile(entry: string, name: string): Promise<string> {
  // Where Node finds the packages that are left out of it.
  const outfile = join(root, '.cache', `${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: process.env['SLUICE_DIST'] === '1' ? [] : ['sluice/source'],
    external: ['redis', 'zod', 'classic-level', 'ws'],
    logLevel: 'error',
  })
  return outfile
}

/** A process that is talked to. */
export interface Child<In, Out> {
  readonly process: ChildProcess
  say(message: In): void
  /** The next message. Rejects if the process ends before. */
  hear(): Promise<Out>
}

/** Starts a compiled module. */
export function startChild<In extends object, Out>(
  path: string,
  env: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): Child<In, Out> {
  const child = fork(path, { env: { ...process.env, ...env }, execArgv: [...execArgv] })
  return {
    process: child,
    say: (message) => void child.send(message),
    async hear() {
      const heard = new AbortController()
      const { signal } = heard
      const message = once(child, 'message', { signal })
      const exit = once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The process ended with ${code}.`)
      })
      message.catch(() => {})
      exit.catch(() => {})
      try {
        const [said] = await Promise.race([message, exit])
        return said as Out
      } finally {
        heard.abort()
      }
    },
  }
}
