import type { ErrorCode } from '../protocol/errors.ts'

/** What of an answer was not read, counted. */
export interface Remaining {
  readonly sentences: number
  readonly tables: number
  readonly codeBlocks: number
}

/** Everything that the announcer says, in one language. Part of `Labels` as `announcer`. */
export interface AnnouncerPhrases {
  /** The answer has been asked for and nothing is ready after a second. */
  readonly responding: string
  readonly thinking: string
  readonly usingTool: (name: string) => string
  /** A person must decide before a tool runs. */
  readonly approvalNeeded: (name: string) => string
  /** Nothing has come for a while. */
  readonly working: string
  readonly complete: string
  /** Follows `complete` and `cutOff` where not all was read; at least one count is above 0. */
  readonly remaining: (remaining: Remaining) => string
  readonly cutOff: string
  readonly withheld: string
  readonly declined: string
  readonly stopped: string
  readonly paused: string
  /** The model loop or the connection ended and nobody knows how. */
  readonly unconfirmed: string
  readonly connectionLost: string
  readonly reconnecting: string
  /** What failed and what to do next. */
  readonly failed: (code: ErrorCode) => string
  /** `wait` is a duration in words, absent where the server named none. */
  readonly rateLimited: (wait: string | undefined) => string
  readonly retryNow: string
  readonly offline: string
  readonly online: string
  readonly copied: string
  readonly heading: (text: string) => string
  readonly quote: (text: string) => string
  /** `language` is empty where none was named. */
  readonly codeBlock: (language: string, lines: number) => string
  readonly table: (columns: number, rows: number) => string
  /** A link's text; only in the verbosity `full`. */
  readonly link: (text: string) => string
  /** A bare address. */
  readonly linkTo: (host: string) => string
  readonly image: (alt: string) => string
  /** An image that was not loaded and has no alternative text. */
  readonly imageBlocked: string
  readonly formula: string
  /** A duration in words: "20 seconds". */
  readonly seconds: (count: number) => string
}

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

const remaining = ({ sentences, tables, codeBlocks }: Remaining): string => {
  const counts: string[] = []
  if (sentences > 0) counts.push(count(sentences, 'more sentence', 'more sentences'))
  if (tables > 0) counts.push(count(tables, 'table', 'tables'))
  if (codeBlocks > 0) counts.push(count(codeBlocks, 'code block', 'code blocks'))
  return `${counts.join(', ')}.`
}

/** English, the default. */
export const englishPhrases: AnnouncerPhrases = {
  responding: 'Assistant is responding.',
  thinking: 'Thinking.',
  usingTool: (name) => `Using ${name}.`,
  approvalNeeded: (name) => `${name} needs your approval.`,
  working: 'Still working.',
  complete: 'Response complete.',
  remaining,
  cutOff: 'Response cut off at the length limit. Continue is available.',
  withheld: 'Response withheld by a content filter.',
  declined: 'The assistant declined.',
  stopped: 'Response stopped.',
  paused: 'Response paused. Continue is available.',
  unconfirmed: 'The response ended without confirmation. It may be incomplete.',
  connectionLost: 'Connection lost. Partial answer kept. Retry is available.',
  reconnecting: 'Reconnecting.',
  failed: () => 'The response failed. Retry is available.',
  rateLimited: (wait) =>
    wait === undefined ? 'Rate limited. Retry later.' : `Rate limited. You can retry in ${wait}.`,
  retryNow: 'You can retry now.',
  offline: 'You are offline. Your message will be kept.',
  online: 'Back online.',
  copied: 'Copied.',
  heading: (text) => `Heading: ${text}`,
  quote: (text) => `Quote: ${text}`,
  codeBlock: (language, lines) =>
    `Code block, ${language === '' ? '' : `${language}, `}${count(lines, 'line', 'lines')}.`,
  table: (columns, rows) =>
    `Table, ${count(columns, 'column', 'columns')}, ${count(rows, 'row', 'rows')}.`,
  link: (text) => `${text}, link`,
  linkTo: (host) => `link to ${host}`,
  image: (alt) => `Image: ${alt}.`,
  imageBlocked: 'Image blocked.',
  formula: 'Formula.',
  seconds: (n) => count(n, 'second', 'seconds'),
}
