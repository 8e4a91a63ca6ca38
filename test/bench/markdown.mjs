// npm run bench -- markdown: `<Markdown>` beside its peers and the physical limits, in Chromium. What follows the name goes
// to the harness: `-- --docs mixed --sizes 100k --repeats 3`. `--colours` measures it with `sluice/code`.
import { sideBySide } from '../support/side-by-side.mjs'

const adapter = process.argv.includes('--colours')
  ? 'markdown-colours-adapter.tsx'
  : 'markdown-adapter.tsx'
const contenders = 'text-limit,text-limit-lines,streaming-markdown,streamdown,ours'
const flags = process.argv.slice(2).filter((flag) => flag !== '--full' && flag !== '--colours')
const only = flags.includes('--only') ? [] : ['--only', contenders]
sideBySide('stream', adapter, [...only, ...flags])
