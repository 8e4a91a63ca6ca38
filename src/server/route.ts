import { isRequestId } from '../protocol/ids.ts'

/** What a request asks for. */
export type Route =
  | { readonly type: 'start' }
  | { readonly type: 'read' | 'state' | 'cancel'; readonly requestId: string }
  | { readonly type: 'act'; readonly requestId: string; readonly toolCallId: string }
  | { readonly type: 'preflight' }
  | { readonly type: 'bad-id' }
  | { readonly type: 'bad-method'; readonly allow: string }
  | { readonly type: 'elsewhere' }

/** Reads method and path (protocol §5). `base` has no slash at its end. */
export function routeOf(method: string, pathname: string, base: string): Route {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return { type: 'elsewhere' }
  if (method === 'OPTIONS') return { type: 'preflight' }
  const [requestId = '', ...rest] = pathname.slice(base.length + 1).split('/')
  if (requestId === '' && rest.length === 0) {
    return method === 'POST' ? { type: 'start' } : { type: 'bad-method', allow: 'POST, OPTIONS' }
  }
  const [kind, toolCallId] = rest
  const known =
    rest.length === 0 ||
    (rest.length === 1 && kind === 'events') ||
    (rest.length === 2 && kind === 'actions' && toolCallId !== '')
  if (!known) return { type: 'elsewhere' }
  if (!isRequestId(requestId)) return { type: 'bad-id' }
  if (kind === 'events') {
    return method === 'GET'
      ? { type: 'read', requestId }
      : { type: 'bad-method', allow: 'GET, OPTIONS' }
  }
  if (toolCallId !== undefined) {
    if (method !== 'POST') return { type: 'bad-method', allow: 'POST, OPTIONS' }
    return { type: 'act', requestId, toolCallId: decoded(toolCallId) }
  }
  if (method === 'GET') return { type: 'state', requestId }
  if (method === 'DELETE') return { type: 'cancel', requestId }
  return { type: 'bad-method', allow: 'GET, DELETE, OPTIONS' }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The seq that a reader has got to: a number, 0 for none, `undefined` where the cursor is of another stream. */
export function cursorOf(request: Request, url: URL, requestId: string): number | undefined {
  // EventSource repeats its first URL and tells how far it got in the header: the header is newer.
  const lastEventId = request.headers.get('last-event-id')
  if (lastEventId === null || lastEventId === '') {
    const after = url.searchParams.get('after')
    return after === null ? 0 : wholeNumber(after)
  }
  const colon = lastEventId.lastIndexOf(':')
  if (lastEventId.slice(0, colon) !== requestId) return undefined
  return wholeNumber(lastEventId.slice(colon + 1))
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
