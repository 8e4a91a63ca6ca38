import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * @param {readonly string[]} inputs
 * @returns {string} A hash of all names and contents below the inputs.
 */
export function fingerprint(inputs) {
  const hash = createHash('sha256')
  const files = inputs.flatMap((input) => {
    const path = join(root, input)
    if (!existsSync(path)) return []
    if (/\.\w+$/.test(input) && !input.startsWith('.')) return [path]
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  })
  for (const file of files.toSorted())
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}
