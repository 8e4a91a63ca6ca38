import react from '@vitejs/plugin-react'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, defaultClientConditions } from 'vite'
import { root } from './run.mjs'

/**
 * Builds the test pages. `development`: React's development build, whose StrictMode mounts twice; `production`: what is
 * measured.
 * @param {'development' | 'production'} mode
 * @param {string} [folder]
 * @returns {Promise<string>} Their folder.
 */
export async function buildPages(mode, folder = 'test/browser/pages') {
  const pages = join(root, folder)
  // The one switch of vite.config.ts: the sources, or what is shipped.
  const source = process.env['SLUICE_DIST'] === '1' ? [] : ['sluice/source']
  const outDir = join(root, '.cache', folder.replaceAll('/', '-'), mode)
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
  return outDir
}
