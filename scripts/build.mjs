// node scripts/build.mjs [package] [stories] [--if-stale]
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fingerprint } from './fingerprint.mjs'
import { root, run } from './run.mjs'

/** @typedef {{ inputs: readonly string[], outputs: readonly string[], steps: readonly (() => Promise<number>)[] }} Target */

const tools = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'scripts/build.mjs',
]

/** @type {Readonly<Record<string, Target>>} */
const targets = {
  package: {
    inputs: ['src', 'stories/example', ...tools],
    outputs: ['dist'],
    steps: [
      () => run('tsc', ['-p', 'src']),
      () => run('tsc', ['-p', 'src/node']),
      buildStyles,
      // The example is made of what is shipped, not of the sources.
      () => run('vite', ['build', 'stories/example', ...exampleFlags], { SLUICE_DIST: '1' }),
    ],
  },
  stories: {
    inputs: ['src', 'stories', '.storybook', ...tools],
    outputs: ['storybook-static'],
    steps: [() => run('storybook', ['build', '--quiet', '--disable-telemetry'])],
  },
}

const exampleFlags = [
  '--config',
  'vite.config.ts',
  '--base',
  './',
  '--outDir',
  '../../dist/example',
  '--emptyOutDir',
]

/** One sheet of many; esbuild inlines the imports with their layers and rewrites nothing else. */
async function buildStyles() {
  const { build } = await import('esbuild')
  const { errors } = await build({
    entryPoints: [join(root, 'src/styles/index.css')],
    outfile: join(root, 'dist/styles.css'),
    bundle: true,
    absWorkingDir: root,
  })
  return errors.length
}

/**
 * @param {string} name
 * @param {boolean} ifStale
 * @returns {Promise<number>} The exit code of the first step that failed, or 0.
 */
async function buildTarget(name, ifStale) {
  const target = targets[name]
  if (target === undefined)
    throw new Error(`No target ${name}: ${Object.keys(targets).join(', ')}.`)
  const stamp = join(root, '.cache', `build-${name}`)
  const current = fingerprint(target.inputs)
  const isBuilt = target.outputs.every((output) => existsSync(join(root, output)))
  if (ifStale && isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return 0

  console.log(`Building ${target.outputs.join(', ')} …`)
  rmSync(stamp, { force: true })
  for (const output of target.outputs) rmSync(join(root, output), { recursive: true, force: true })
  for (const step of target.steps) {
    const code = await step()
    if (code !== 0) return code
  }
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(stamp, current)
  return 0
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'if-stale': { type: 'boolean', default: false } },
})
for (const name of positionals.length === 0 ? ['package'] : positionals) {
  const code = await buildTarget(name, values['if-stale'])
  if (code !== 0) process.exit(code)
}
