import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'

/** Programs that some tests run against, and Debian's package of each. */
const tools = { 'redis-server': 'redis-server' }

const places = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/**
 * The path of a program, on the path or in the usual places; undefined if there is none.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function findTool(name) {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...places]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

const missing = () => Object.entries(tools).filter(([name]) => findTool(name) === undefined)

/** Installs by apt what is missing, where it may; the names of what is missing still. */
export async function ensureTools() {
  const packages = missing().map(([, name]) => name)
  if (packages.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log(`Installing ${packages.join(', ')} (apt-get install) …`)
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-q'], env)
    await run('apt-get', ['install', '-y', '--no-install-recommends', '-q', ...packages], env)
  }
  return missing().map(([name]) => name)
}
