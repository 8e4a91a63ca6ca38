/** The parts of a thought. @module */
export { ReasoningRoot as Root, type ReasoningRootProps as RootProps } from './reasoning-root.tsx'
export { ReasoningSummary as Summary } from './reasoning-summary.tsx'
export { ReasoningBody as Body } from './reasoning-body.tsx'
