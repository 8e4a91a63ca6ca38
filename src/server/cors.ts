/** Which other origins may call a handler. */
export interface CorsOptions {
  /** `*` for any, one or several origins, or a function of the origin. */
  readonly origin: string | readonly string[] | ((origin: string) => boolean)
  /** Whether cookies are sent. Not possible together with `*`. Default: false. */
  readonly credentials?: boolean | undefined
}

/** Headers that let the browser hand an answer to the page that asked; none for an origin that is not allowed. */
export function corsHeaders(
  request: Request,
  { origin: allowed, credentials = false }: CorsOptions,
): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || !isAllowed(origin, allowed)) return { vary: 'origin' }
  const headers: Record<string, string> = {
    vary: 'origin',
    'access-control-allow-origin': allowed === '*' ? '*' : origin,
    'access-control-expose-headers': 'sluice-request-id, retry-after',
  }
  if (credentials) headers['access-control-allow-credentials'] = 'true'
  if (request.method !== 'OPTIONS') return headers
  const asked = request.headers.get('access-control-request-headers')
  return {
    ...headers,
    vary: 'origin, access-control-request-headers',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': asked ?? 'content-type, last-event-id',
    'access-control-max-age': '86400',
  }
}

function isAllowed(origin: string, allowed: CorsOptions['origin']): boolean {
  if (typeof allowed === 'function') return allowed(origin)
  if (typeof allowed === 'string') return allowed === '*' || allowed === origin
  return allowed.includes(origin)
}
