import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/** @typedef {{ version?: string, optional?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** Whether node_modules holds every version the lockfile names (those of other platforms aside). */
function isInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const have = packagesOf(installed)
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || have[path]?.version === version,
  )
}

/** Installs the dependencies unless they are there; exits with a clear line if it can't. */
export async function installMissing() {
  if (isInstalled()) return
  // `npm ci` would remove a node_modules that somebody is using.
  const command = existsSync(join(root, 'node_modules')) ? 'install' : 'ci'
  console.log(`Installing dependencies (npm ${command}) …`)
  const code = await run('npm', [command, '--include=dev', '--no-audit', '--no-fund'])
  if (code === 0) return
  console.error(`npm ${command} failed with code ${code}; its output above says why.`)
  process.exit(code)
}
