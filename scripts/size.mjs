// What an app pays for the built package, minified and gzipped, React aside. `budget` is the aim, `ceiling` what has been
// reached: it fails above the ceiling, so that nothing grows, and says where the aim is still missed.
import { gzipSync } from 'node:zlib'
import { bundle } from './bundle.mjs'

/** @typedef {{ what: string, code: string, loader?: 'css', budget: number, ceiling: number }} Case */

/** @type {readonly Case[]} Budgets in kB (1,000 bytes). */
const cases = [
  {
    what: 'useModelStream, SSE, one vendor',
    code: `export { useModelStream } from 'sluice'
           export { httpTransport } from 'sluice/core'
           export { anthropic } from 'sluice/formats'`,
    budget: 10,
    ceiling: 26,
  },
  { what: '<Markdown>', code: `export { Markdown } from 'sluice'`, budget: 50, ceiling: 67 },
  { what: '<Chat>', code: `export { Chat } from 'sluice'`, budget: 85, ceiling: 113 },
  {
    what: 'shikiCode beside <Markdown>',
    code: `export { Markdown } from 'sluice'
           export { shikiCode } from 'sluice/code'`,
    budget: 53,
    ceiling: 69,
  },
  {
    what: 'katexMath beside <Markdown>',
    code: `export { Markdown } from 'sluice'
           export { katexMath } from 'sluice/math'`,
    budget: 52,
    ceiling: 69,
  },
  {
    what: 'mermaidDiagrams beside <Markdown>',
    code: `export { Markdown } from 'sluice'
           export { mermaidDiagrams } from 'sluice/diagrams'`,
    budget: 53,
    ceiling: 70,
  },
  {
    what: 'styles.css',
    code: `@import 'sluice/styles.css';`,
    loader: 'css',
    budget: 10,
    ceiling: 10,
  },
]

let isOver = false
for (const entry of cases) {
  const { contents } = await bundle(entry.code, entry.loader)
  const size = gzipSync(contents, { level: 9 }).length / 1000
  const isTooBig = size > entry.ceiling
  isOver ||= isTooBig
  const aim = size > entry.budget ? `, aim ${entry.budget} kB missed` : ''
  const verdict = `${isTooBig ? 'OVER' : 'of'} ${entry.ceiling} kB${aim}`
  console.log(`${entry.what.padEnd(34)} ${size.toFixed(1).padStart(6)} ${verdict}`)
}
process.exit(isOver ? 1 : 0)
