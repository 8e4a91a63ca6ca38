// The side-by-side harness, `../shared/bench`: its README says what each column means. It is copied to a temporary folder,
// where its own packages are installed. Without it there is nothing to compare with, and nothing is measured.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const harness = join(here, '../../../shared/bench')
const copy = join(tmpdir(), 'sluice-bench')

/**
 * @param {string} part What is measured, as the harness calls it.
 * @param {string} adapter The module in `test/bench` that stands in the slot for this kit.
 * @param {readonly string[]} flags
 */
export function sideBySide(part, adapter, flags) {
  if (!existsSync(harness)) {
    console.error('Nothing measured: ../shared/bench, the side-by-side harness, is not here.')
    process.exit(1)
  }
  /**
   * @param {string} command
   * @param {readonly string[]} args
   */
  const run = (command, args) => {
    const { status } = spawnSync(command, args, {
      cwd: copy,
      stdio: 'inherit',
      env: { ...process.env, OURS_ENTRY: join(here, '../bench', adapter) },
    })
    if (status !== 0) process.exit(status ?? 1)
  }
  mkdirSync(copy, { recursive: true })
  // Its files are read-only where they come from.
  cpSync(harness, copy, { recursive: true, force: true })
  spawnSync('chmod', ['-R', 'u+w', copy])
  if (!existsSync(join(copy, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'])
  run('node', ['bench.mjs', '--parts', part, ...flags])
}
