// npm run bench -- markdown: `<Markdown>` beside its peers and the physical limits, in Chromium.
//
// The harness is `../shared/bench` (its README says what each column means); it is copied to a temporary folder, where its
// own packages are installed. Without it there is nothing to compare with, and nothing is measured. What follows the name
// goes to the harness: `-- --docs mixed --sizes 100k --repeats 3`. `--colours` measures it with `sluice/code`.
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const harness = join(here, '../../../shared/bench')
const copy = join(tmpdir(), 'sluice-bench-markdown')
const adapter = process.argv.includes('--colours')
  ? 'markdown-colours-adapter.tsx'
  : 'markdown-adapter.tsx'
const contenders = 'text-limit,text-limit-lines,streaming-markdown,streamdown,ours'

if (!existsSync(harness)) {
  console.error('Nothing measured: ../shared/bench, the side-by-side harness, is not here.')
  process.exit(1)
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  const { status } = spawnSync(command, args, {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, OURS_ENTRY: join(here, adapter) },
  })
  if (status !== 0) process.exit(status ?? 1)
}

mkdirSync(copy, { recursive: true })
// Its files are read-only where they come from.
cpSync(harness, copy, { recursive: true, force: true })
spawnSync('chmod', ['-R', 'u+w', copy])
if (!existsSync(join(copy, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'])

const flags = process.argv.slice(2).filter((flag) => flag !== '--full' && flag !== '--colours')
const only = flags.includes('--only') ? [] : ['--only', contenders]
run('node', ['bench.mjs', '--parts', 'stream', ...only, ...flags])
