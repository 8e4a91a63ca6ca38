import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root, wherever the command was typed. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a command in the root with the project's own tools on the path; resolves to its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<number>}
 */
export function run(command, args, env = {}) {
  const path = join(root, 'node_modules/.bin') + delimiter + (process.env['PATH'] ?? '')
  const windows = process.platform === 'win32'
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, PATH: path, ...env },
      stdio: 'inherit',
      shell: windows,
    })
    child.on('error', reject)
    // A killed child has no code; 128 is what a shell would add to the signal's number.
    child.on('close', (code) => resolve(code ?? 128))
  })
}
