// npm run bench -- NAME [--full]
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

const folder = join(root, 'test/bench')
const names = existsSync(folder)
  ? readdirSync(folder).flatMap((file) => (file.endsWith('.mjs') ? [file.slice(0, -4)] : []))
  : []
const [name, ...flags] = process.argv.slice(2)

if (name === undefined || !names.includes(name)) {
  if (name !== undefined) console.error(`There is no benchmark ${name}.`)
  console.log(`npm run bench -- NAME [--full]\nNAME: ${names.join(', ') || 'none yet'}`)
  process.exit(name === undefined ? 0 : 1)
}
const built = await run('node', ['scripts/build.mjs', 'package', '--if-stale'])
process.exit(built || (await run('node', ['--expose-gc', join(folder, `${name}.mjs`), ...flags])))
