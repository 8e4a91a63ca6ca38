import { streamError, type ErrorCode, type StreamError } from '../protocol/errors.ts'
import { isRecord, parseJson } from '../protocol/json.ts'

/** What is known of a failure beside the error's own data. */
export interface ErrorContext {
  /** HTTP status, where the failure is an HTTP answer. */
  readonly status?: number | undefined
  readonly headers?: { get(name: string): string | null } | undefined
  /** Milliseconds since the epoch, for a date in `Retry-After`. */
  readonly now?: number | undefined
}

// The vendors' own words, most telling first: a word decides before the HTTP status does.
const TELLING: readonly (readonly [ErrorCode, RegExp])[] = [
  ['context-length', /context_length|exceed_context_size|context_window_exceeded/],
  [
    'content-filter',
    /content_?filter|content_policy|responsibleai|bio_policy|misalignment_policy|^refusal$|^safety$/,
  ],
  [
    'quota',
    /insufficient_quota|billing|payment_required|spend_limit|insufficient_credits|quota_exceeded/,
  ],
  ['rate-limit', /rate_?limit|too_many_requests|resource_exhausted|ramp_limit/],
  [
    'overloaded',
    /overloaded|^unavailable$|provider_unavailable|slow_down|insufficient_system_resource/,
  ],
  ['auth', /invalid_api_key|api_key_invalid|authentication|unauthenticated|^unauthorized$/],
  ['permission', /permission|unsupported_country|^forbidden$/],
  ['not-found', /not_found|deploymentnotfound/],
  ['too-large', /too_large/],
  ['timeout', /timeout|timed_out|deadline_exceeded/],
  ['conflict', /^conflict|^aborted$|already_exists/],
]

// Words that say little: the HTTP status decides before them.
const VAGUE: readonly (readonly [ErrorCode, RegExp])[] = [
  [
    'bad-request',
    /invalid_request|invalid_argument|invalid_prompt|badrequest|bad_request|failed_precondition|out_of_range|tool_use_failed|unprocessable/,
  ],
  ['server', /server_?error|api_error|^internal|^unknown$|data_loss|unimplemented|enginecore/],
]

const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'bad-request'],
  [401, 'auth'],
  [402, 'quota'],
  [403, 'permission'],
  [404, 'not-found'],
  [408, 'timeout'],
  [409, 'conflict'],
  [410, 'not-found'],
  [413, 'too-large'],
  [429, 'rate-limit'],
  [500, 'server'],
  [502, 'server'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [522, 'timeout'],
  [524, 'timeout'],
  [529, 'overloaded'],
])

const TOO_LONG =
  /maximum context length|prompt is too long|context (window|size|length)|too many (input )?tokens/i

/**
 * Reads any vendor's error: the body of an HTTP answer, or an error record inside a stream. Never shows HTML.
 * The shapes and the status table are those of OpenAI, Anthropic, Google, Ollama and the servers that imitate them.
 */
export function vendorError(body: unknown, context: ErrorContext = {}): StreamError {
  const data = typeof body === 'string' ? (parseJson(body) ?? body) : body
  const error = errorObject(data)
  const message = messageOf(data)
  const words = wordsOf(error, data)
  const inner = count(error['code']) ?? count(error['status_code']) ?? count(error['status'])
  const status =
    context.status !== undefined && context.status >= 400
      ? context.status
      : (httpStatus(inner) ?? context.status)
  const code = codeOf(words, status, message, error, data)
  const told = status ?? (words.includes('overloaded_error') ? 529 : STANDS_FOR[code])
  return streamError(code, message ?? fallbackMessage(code, status), {
    retryable: retryableOf(data, context),
    retryAfterMs: retryAfter(error, message, context),
    ...(told !== undefined && { status: told }),
  })
}

/** The HTTP status that an error inside a stream stands for. */
const STANDS_FOR: { readonly [C in ErrorCode]?: number } = {
  'bad-request': 400,
  auth: 401,
  quota: 402,
  permission: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'rate-limit': 429,
  server: 500,
  overloaded: 503,
  timeout: 504,
}

function codeOf(
  words: readonly string[],
  status: number | undefined,
  message: string | undefined,
  error: Readonly<Record<string, unknown>>,
  data: unknown,
): ErrorCode {
  const telling = TELLING.find(([, pattern]) => words.some((word) => pattern.test(word)))
  if (telling !== undefined) return telling[0]
  const isBadRequest = status === undefined || status === 400 || status === 413 || status === 422
  if (isBadRequest && message !== undefined && TOO_LONG.test(message)) return 'context-length'
  const metadata = error['metadata']
  if (isRecord(metadata) && Array.isArray(metadata['reasons'])) return 'content-filter'
  if (status !== undefined && status >= 400) {
    if (status >= 500 && isPage(data)) return 'gateway'
    return BY_STATUS.get(status) ?? (status >= 500 ? 'server' : 'bad-request')
  }
  return VAGUE.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? 'vendor'
}

/** Where the error's own fields are: `{ error: {…} }`, Google's array around it, or the top level. */
function errorObject(data: unknown): Readonly<Record<string, unknown>> {
  const body = Array.isArray(data) ? (data[0] as unknown) : data
  if (!isRecord(body)) return {}
  return isRecord(body['error']) ? body['error'] : body
}

function wordsOf(error: Readonly<Record<string, unknown>>, data: unknown): string[] {
  const details = error['details']
  const metadata = error['metadata']
  const inner = error['innererror']
  const found: unknown[] = [
    error['code'],
    error['type'],
    error['status'],
    isRecord(data) ? data['code'] : undefined,
  ]
  if (isRecord(details)) found.push(details['error_code'])
  if (Array.isArray(details))
    for (const detail of details) if (isRecord(detail)) found.push(detail['reason'])
  if (isRecord(metadata)) found.push(metadata['error_type'])
  if (isRecord(inner)) found.push(inner['code'])
  // Google's newer API names its codes by URI.
  return found.flatMap((word) =>
    typeof word === 'string' ? [word.slice(word.lastIndexOf('/') + 1).toLowerCase()] : [],
  )
}

/** `error.message`, `error` as a string, `message`, `detail`: in this order, as words that may be shown. */
function messageOf(data: unknown): string | undefined {
  const body = Array.isArray(data) ? (data[0] as unknown) : data
  if (typeof body === 'string') return shown(body)
  if (!isRecord(body)) return undefined
  const { error } = body
  const nested = isRecord(error) ? error['message'] : error
  for (const candidate of [
    nested,
    body['message'],
    body['detail'],
    isRecord(error) ? error['detail'] : undefined,
  ]) {
    const text = wordsIn(candidate)
    if (text !== undefined) return text
  }
  return undefined
}

function wordsIn(value: unknown): string | undefined {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) {
    const problems = value.flatMap(
      (item) => wordsIn(isRecord(item) ? (item['msg'] ?? item['message']) : item) ?? [],
    )
    return problems.length === 0 ? undefined : shown(problems.join('; '))
  }
  return isRecord(value) ? wordsIn(value['message'] ?? value['detail']) : undefined
}

const LONGEST_MESSAGE = 500

function shown(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.includes('<')) return undefined
  return trimmed.length > LONGEST_MESSAGE ? `${trimmed.slice(0, LONGEST_MESSAGE)}…` : trimmed
}

function fallbackMessage(code: ErrorCode, status: number | undefined): string {
  if (code === 'gateway') return 'A gateway between here and the model server failed.'
  return status === undefined || status < 400
    ? 'The model server reported an error.'
    : `The model server answered with HTTP status ${status}.`
}

function retryableOf(data: unknown, { status, headers }: ErrorContext): boolean | undefined {
  const told = headers?.get('x-should-retry')
  if (told === 'true' || told === 'false') return told === 'true'
  // Plain words with a 500 come from the application's own route, not from a vendor: it would fail again.
  if (status === 500 && typeof data === 'string' && data.trim() !== '' && !data.includes('<'))
    return false
  return undefined
}

function retryAfter(
  error: Readonly<Record<string, unknown>>,
  message: string | undefined,
  { headers, now = Date.now() }: ErrorContext,
): number | undefined {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (exact >= 0) return Math.round(exact)
  const header = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(header)) return Math.round(Number(header) * 1000)
  const date = header === '' ? Number.NaN : Date.parse(header)
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  const details = error['details']
  if (Array.isArray(details)) {
    for (const detail of details) {
      const delay = isRecord(detail) ? detail['retryDelay'] : undefined
      const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined
      if (seconds !== undefined) return Math.round(Number(seconds) * 1000)
    }
  }
  const said = /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s\b|sec|min|m\b)/i.exec(
    message ?? '',
  )
  if (said === null) return undefined
  const unit = said[2]?.toLowerCase() ?? 's'
  return Math.round(Number(said[1]) * (unit === 'ms' ? 1 : unit.startsWith('m') ? 60_000 : 1000))
}

/** A whole web page, as proxies write it; a bare title is told by its status alone. */
function isPage(data: unknown): boolean {
  return typeof data === 'string' && /<body[\s>]/i.test(data)
}

/** Statuses come as numbers and, from Azure and AG-UI's servers, as text. */
function count(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{3}$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

function httpStatus(code: number | undefined): number | undefined {
  return code !== undefined && code >= 400 && code < 600 ? code : undefined
}
