// npm start [-- flags of `sluice serve`]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installMissing } from './install.mjs'
import { root, run } from './run.mjs'

await installMissing()
const built = await run('node', ['scripts/build.mjs', 'package', '--if-stale'])
if (built !== 0) process.exit(built)
// Loaded into this process, so that Ctrl-C and the exit code need no forwarding.
const bin = join(root, 'dist/node/bin.js')
if (!existsSync(bin)) throw new Error(`The build made no ${bin}.`)
process.argv = [process.execPath, bin, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(bin).href)
