import { build } from 'esbuild'
import { root } from './run.mjs'

/** @type {import('esbuild').Plugin} */
const withoutLazy = {
  name: 'without-lazy',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * What an app that has this code loads at once of the built package: minified, without React and without what is
 * imported on demand.
 *
 * @param {string} code
 * @param {'js' | 'css'} [loader]
 * @returns {Promise<{ contents: Uint8Array, files: string[] }>} `files` are the paths of all that is in it.
 */
export async function bundle(code, loader = 'js') {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: 'app', loader },
    absWorkingDir: root,
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['react', 'react/*', 'react-dom', 'react-dom/*'],
    plugins: [withoutLazy],
    logLevel: 'error',
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('The bundle is empty.')
  const used = Object.values(metafile.outputs).flatMap(({ inputs, imports }) => [
    ...Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? path : [],
    ),
    ...imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? path : [])),
  ])
  return { contents: file.contents, files: used.filter((path) => path !== 'app') }
}
