import { existsSync } from 'node:fs'
import { join } from 'node:path'

// Not by `new URL(…, import.meta.url)`, which Vite rewrites for tests with a DOM.
const path = join(import.meta.dirname, '../../../shared')

/**
 * The folder of shared samples beside the repository, undefined where it is absent. Name a test that wants it
 * `… (needs ../shared)` and skip it: `test.skipIf(shared === undefined)`.
 */
export const shared: string | undefined = existsSync(path) ? path : undefined
