import type { StreamFormat } from '../protocol/format.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { StreamRequest } from '../protocol/transport.ts'

/** A value, or a function that is asked for it at each request. */
export type Asked<T> = T | (() => T | Promise<T>)

/** One request before it is sent. */
export interface HttpCall {
  readonly action: 'start' | 'resume' | 'state' | 'cancel' | 'act'
  readonly url: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: RequestCredentials
  readonly body: JsonObject | undefined
  /** What is asked, of a call that starts a stream. */
  readonly request?: StreamRequest | undefined
}

/** Options of {@link httpTransport}. */
export interface HttpTransportOptions {
  /** Address of the stream handler, or of a vendor's API where `format` says so. */
  readonly url: string | URL
  /** `sluice` (default) for our own server, or a value from `sluice/formats`. */
  readonly format?: 'sluice' | StreamFormat | undefined
  readonly headers?: Asked<Readonly<Record<string, string>>> | undefined
  /** Further fields of the body of each request that starts a stream. */
  readonly body?: Asked<JsonObject> | undefined
  /** Default: `same-origin`. */
  readonly credentials?: Asked<RequestCredentials> | undefined
  /** Changes any request before it is sent. */
  readonly prepareRequest?: ((call: HttpCall) => HttpCall | Promise<HttpCall>) | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** What one call is about, before the application's own headers and fields. */
export interface Sending {
  readonly action: HttpCall['action']
  readonly path: string
  readonly method: HttpCall['method']
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: JsonObject | undefined
  readonly request?: StreamRequest | undefined
}

/** Sends calls as the application wants them: headers, fields and credentials are asked for each time. */
export function sender(options: HttpTransportOptions): (sending: Sending) => Promise<Response> {
  const { prepareRequest = (call: HttpCall) => call } = options
  return async ({ action, path, method, signal, headers, body, request }) => {
    const own = await asked(options.headers)
    const fields = action === 'start' ? await asked(options.body) : undefined
    const call = await prepareRequest({
      action,
      url: addressOf(options.url, path),
      method,
      headers: {
        accept:
          action === 'start' || action === 'resume' ? 'text/event-stream' : 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...own,
        ...request?.headers,
      },
      credentials: (await asked(options.credentials)) ?? 'same-origin',
      body: body === undefined ? undefined : { ...fields, ...body },
      request,
    })
    const ask = options.fetch ?? fetch
    return ask(call.url, {
      method: call.method,
      headers: call.headers,
      credentials: call.credentials,
      // A replay from a cache would be somebody else's answer, or an old one.
      cache: 'no-store',
      signal,
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    })
  }
}

async function asked<T>(value: Asked<T> | undefined): Promise<T | undefined> {
  return typeof value === 'function' ? await (value as () => T | Promise<T>)() : value
}

function addressOf(url: string | URL, path: string): string {
  if (path === '') return String(url)
  const [address = '', query] = String(url).split('?')
  const base = address.replace(/\/+$/, '')
  return query === undefined
    ? `${base}/${path}`
    : `${base}/${path}${path.includes('?') ? '&' : '?'}${query}`
}
