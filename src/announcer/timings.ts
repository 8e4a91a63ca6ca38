/** The pace of the announcer. Times are milliseconds. */
export interface AnnouncerTimings {
  /** From a host's arrival in the page to its first text; Firefox misses what comes sooner. Default 150. */
  readonly settleMs: number
  /** From the first sentence of an answer to its first write, so that more go along. Default 600. */
  readonly coalesceMs: number
  /** Between two writes. Default 400; below 150 browsers lose and reorder text, so that is the floor. */
  readonly gapMs: number
  /** Longest write, in characters. Default 250. */
  readonly writeLength: number
  /** How fast a screen reader is assumed to speak, in characters a second. Default 18. */
  readonly charactersPerSecond: number
  /** How much unspoken text may wait in the screen reader, in speaking time. Default 8,000. */
  readonly backlogMs: number
  /** How much of an answer is read in the verbosity `balanced`, in characters. Default 400. */
  readonly budget: number
  /** How long content waits after a key press in a text field. Default 1,500. */
  readonly typingMs: number
  /** When "responding" is said, if nothing else was. Default 1,000. */
  readonly respondingMs: number
  /** When "still working" is first said. Default 10,000. */
  readonly workingMs: number
  /** When it is said again. Default 30,000. */
  readonly workingAgainMs: number
  /** Least time between two announcements of a tool. Default 5,000. */
  readonly toolMs: number
}

const MIN_GAP_MS = 150

const DEFAULTS: AnnouncerTimings = {
  settleMs: 150,
  coalesceMs: 600,
  gapMs: 400,
  writeLength: 250,
  charactersPerSecond: 18,
  backlogMs: 8000,
  budget: 400,
  typingMs: 1500,
  respondingMs: 1000,
  workingMs: 10_000,
  workingAgainMs: 30_000,
  toolMs: 5000,
}

/** Fills in the defaults and keeps the gap above its floor. */
export function announcerTimings(given: Partial<AnnouncerTimings> | undefined): AnnouncerTimings {
  const timings = { ...DEFAULTS, ...given }
  return { ...timings, gapMs: Math.max(MIN_GAP_MS, timings.gapMs) }
}
