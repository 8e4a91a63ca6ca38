import type { StreamSample } from './stream-metrics.ts'

/** Quantiles of one figure over the samples that have it. */
export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** The figures that are told by quantiles. */
export type Figure =
  | 'ttftMs'
  | 'tpotMs'
  | 'e2eMs'
  | 'overheadMs'
  | 'longestGapMs'
  | 'effectiveCancelMs'
  | 'highWaterUnits'
  | 'quality'

/** What a set of streams amounts to. Quantiles are exact (nearest rank), never averages of averages. */
export interface Summary {
  readonly streams: number
  /** Quantiles by figure; a figure that no sample has is absent. */
  readonly figures: Readonly<Partial<Record<Figure, Quantiles>>>
  /** (interrupted + lost) ÷ streams that ended. */
  readonly interruptionRate: number
  /** Streams that reached their terminal event after a lost connection ÷ streams that lost one; 1 where none did. */
  readonly recoveryRate: number
  readonly duplicates: number
}

const FIGURES: readonly Figure[] = [
  'ttftMs',
  'tpotMs',
  'e2eMs',
  'overheadMs',
  'longestGapMs',
  'effectiveCancelMs',
  'highWaterUnits',
  'quality',
]

/**
 * Summarises samples in slices: `by` names the slice of a sample (output length, network, proxy, device, concurrency).
 * Without `by` everything is in the slice `all`.
 */
export function summarise<Sample extends StreamSample>(
  samples: readonly Sample[],
  options: { readonly by?: ((sample: Sample) => string) | undefined } = {},
): ReadonlyMap<string, Summary> {
  const slices = new Map<string, Sample[]>()
  for (const sample of samples) {
    const name = options.by?.(sample) ?? 'all'
    const slice = slices.get(name)
    if (slice === undefined) slices.set(name, [sample])
    else slice.push(sample)
  }
  return new Map([...slices].map(([name, slice]) => [name, summaryOf(slice)]))
}

function summaryOf(samples: readonly StreamSample[]): Summary {
  const ended = samples.filter((sample) => sample.end !== 'open')
  const broken = ended.filter((sample) => sample.end === 'interrupted' || sample.end === 'lost')
  const reconnected = ended.filter((sample) => sample.reconnects > 0)
  const recovered = reconnected.filter((sample) => !broken.includes(sample))
  const figures: Partial<Record<Figure, Quantiles>> = {}
  for (const figure of FIGURES) {
    const values = samples.flatMap((sample) => sample[figure] ?? [])
    if (values.length > 0) figures[figure] = quantilesOf(values)
  }
  return {
    streams: samples.length,
    figures,
    interruptionRate: ended.length === 0 ? 0 : broken.length / ended.length,
    recoveryRate: reconnected.length === 0 ? 1 : recovered.length / reconnected.length,
    duplicates: samples.reduce((sum, sample) => sum + sample.duplicates, 0),
  }
}

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
