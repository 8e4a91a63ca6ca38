// npm run bench -- conversation [--full]: what one flush of a growing answer costs beside 10, 1,000 and 10,000 earlier
// messages, and how long these take to appear; beside the limits, and with `--full` the peers. What follows goes to the harness.
import { sideBySide } from '../support/side-by-side.mjs'

const peers = process.argv.includes('--full')
  ? ',ai-elements-shape,assistant-ui-thread,ant-design-x-bubble-list'
  : ''
const flags = process.argv.slice(2).filter((flag) => flag !== '--full')
const only = flags.includes('--only')
  ? []
  : ['--only', `dom-limit-window,dom-limit-grouped${peers},ours`]
sideBySide('conversation', 'conversation-adapter.tsx', [...only, ...flags])
