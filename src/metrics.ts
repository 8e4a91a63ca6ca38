/**
 * Figures of streams: an observer of one stream, and quantiles over many.
 *
 * @module
 */
export {
  createStreamMetrics,
  type StreamMetrics,
  type StreamSample,
} from './metrics/stream-metrics.ts'
export { summarise, type Figure, type Quantiles, type Summary } from './metrics/summarise.ts'
