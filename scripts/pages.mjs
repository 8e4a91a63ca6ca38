import react from '@vitejs/plugin-react'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, defaultClientConditions } from 'vite'
import { fingerprint } from './fingerprint.mjs'
import { root } from './run.mjs'

const tools = ['package-lock.json', 'scripts/pages.mjs']

/**
 * Builds the test pages. `development`: React's development build, whose StrictMode mounts twice; `production`: what is
 * measured. They are built anew only when something of theirs has changed: each test file asks for them.
 * @param {'development' | 'production'} mode
 * @param {string} [folder]
 * @returns {Promise<string>} Their folder.
 */
export async function buildPages(mode, folder = 'test/browser/pages') {
  const pages = join(root, folder)
  // The one switch of vite.config.ts: the sources, or what is shipped.
  const source = process.env['SLUICE_DIST'] === '1' ? [] : ['sluice/source']
  const outDir = join(root, '.cache', folder.replaceAll('/', '-'), mode)
  const stamp = `${outDir}.stamp`
  const inputs = [folder, ...(source.length > 0 ? ['src'] : ['dist']), ...tools]
  const current = `${source.join('')} ${fingerprint(inputs)}`
  if (existsSync(outDir) && existsSync(stamp) && readFileSync(stamp, 'utf8') === current)
    return outDir
  rmSync(stamp, { force: true })
  const input = readdirSync(pages).flatMap((file) =>
    file.endsWith('.html') ? [join(pages, file)] : [],
  )
  // A test runner's own word would choose React's development transform for a production build.
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = mode
  await build({
    root: pages,
    configFile: false,
    logLevel: 'warn',
    mode,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    plugins: [react()],
    resolve: { conditions: [...source, mode, ...defaultClientConditions] },
    build: {
      outDir,
      emptyOutDir: true,
      minify: mode === 'production',
      rollupOptions: { input },
      target: 'chrome125',
    },
  })
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  writeFileSync(stamp, current)
  return outDir
}
