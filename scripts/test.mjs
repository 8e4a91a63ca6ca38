// npm test [-- GROUP …] [--full]: every check and every test, and the count of both. `--full` adds the long campaigns and
// runs the unit tests a second time, against what was built.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './chromium.mjs'
import { installMissing } from './install.mjs'
import { root, run } from './run.mjs'
import { ensureTools } from './tools.mjs'

/** @typedef {{ passed: number, failures: string[], skips: string[] }} Outcome */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string }[] }} TestFile */

const sharedMark = 'needs ../shared'
const hasShared = existsSync(join(root, '../shared'))
/** Programs that are not here and could not be installed: tests whose name says `needs redis-server` are skipped. */
/** @type {readonly string[]} */
let missingTools = []
// Where everything has to be shown, nothing is skipped for want of a program.
const isStrict = process.env['SLUICE_STRICT'] === '1'

/**
 * @param {string} name
 * @param {...readonly string[]} commands
 * @returns {() => Promise<Outcome>}
 */
const check =
  (name, ...commands) =>
  async () => {
    console.log(`\n── ${name}`)
    for (const [command = '', ...args] of commands) {
      const code = await run(command, args)
      if (code !== 0)
        return { passed: 0, failures: [`${name}: ${command} ended with ${code}`], skips: [] }
    }
    return { passed: 1, failures: [], skips: [] }
  }

/**
 * @param {string} project
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {() => Promise<Outcome>}
 */
const tests = (project, env) => async () => {
  console.log(`\n── ${project} tests`)
  const file = join(root, '.cache', `test-${project}.json`)
  // A runner that dies early would leave the report of an earlier run.
  rmSync(file, { force: true })
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run('vitest', ['run', '--project', project, ...report], {
    ...campaign,
    ...env,
  })
  const outcome = read(file, project)
  if (code !== 0 && outcome.failures.length === 0) {
    outcome.failures.push(
      `${project}: vitest ended with ${code} outside a test; see its output above`,
    )
  }
  return outcome
}

/**
 * @param {string} file
 * @param {string} project
 * @returns {Outcome}
 */
function read(file, project) {
  if (!existsSync(file))
    return { passed: 0, failures: [`${project}: no report was written`], skips: [] }
  /** @type {{ testResults: TestFile[] }} */
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [], skips: [] }
  for (const { name, status, message, assertionResults } of testResults) {
    const path = name.replace(root, '')
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) {
      outcome.failures.push(`${path}: ${message ?? 'failed outside a test'}`)
    }
    for (const test of assertionResults) {
      const title = `${path}: ${test.fullName}`
      if (test.status === 'passed') outcome.passed += 1
      else if (test.status === 'failed') outcome.failures.push(title)
      else if (maySkip(test.fullName)) outcome.skips.push(title)
      else
        outcome.failures.push(
          `${title} (${test.status}, which nothing that is missing here allows)`,
        )
    }
  }
  return outcome
}

/** @param {string} name */
function maySkip(name) {
  if (!hasShared && name.includes(sharedMark)) return true
  return !isStrict && missingTools.some((tool) => name.includes(`needs ${tool}`))
}

const build = (/** @type {string} */ target) =>
  check(`build ${target}`, ['node', 'scripts/build.mjs', target, '--if-stale'])

/** @type {Readonly<Record<string, readonly (() => Promise<Outcome>)[]>>} */
const groups = {
  check: [
    check('format', ['oxfmt', '--check']),
    check('lint', ['oxlint']),
    check(
      'types',
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'src', '--noEmit'],
      ['tsc', '-p', 'src/node', '--noEmit'],
    ),
    check('unused code', ['knip', '--no-config-hints']),
  ],
  unit: [tests('unit')],
  browser: [build('package'), tests('browser')],
  stories: [build('stories'), tests('stories')],
  package: [
    build('package'),
    check('publint', ['publint', '--strict']),
    check('declared types', [
      'attw',
      '--pack',
      '.',
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'styles.css',
    ]),
    check('size', ['node', 'scripts/size.mjs']),
    tests('package'),
  ],
  dist: [build('package'), tests('unit', { SLUICE_DIST: '1' })],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
})
/** @type {Record<string, string>} */
const campaign = values.full ? { SLUICE_FULL: '1' } : {}
const usual = Object.keys(groups).filter((name) => values.full || name !== 'dist')
const chosen = positionals.length === 0 ? usual : positionals
const unknown = chosen.filter((name) => !(name in groups))
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}: there are ${Object.keys(groups).join(', ')}.`)
  process.exit(1)
}

await installMissing()
mkdirSync(join(root, '.cache'), { recursive: true })
if (chosen.some((name) => name === 'unit' || name === 'browser' || name === 'dist')) {
  missingTools = await ensureTools()
}
/** @type {Outcome} */
const total = { passed: 0, failures: [], skips: [] }
if (chosen.some((name) => name === 'browser' || name === 'stories') && !(await ensureChromium())) {
  total.failures.push('chromium: none found')
}
for (const step of chosen.flatMap((name) => groups[name] ?? [])) {
  const { passed, failures, skips } = await step()
  total.passed += passed
  total.failures.push(...failures)
  total.skips.push(...skips)
}

console.log('')
if (total.skips.length > 0)
  console.log(`Skipped, for want of what they need:\n  ${total.skips.join('\n  ')}\n`)
if (total.failures.length > 0) console.log(`Failed:\n  ${total.failures.join('\n  ')}\n`)
console.log(`${total.passed} passed, ${total.failures.length} failed`)
process.exit(total.failures.length > 0 ? 1 : 0)
