const REQUEST_ID = /^[A-Za-z0-9_-]{22,64}$/

/** Whether a string may name a stream: 22 to 64 characters of `A-Za-z0-9_-` (protocol §1). */
export function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && REQUEST_ID.test(value)
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Makes an id of 22 characters, 132 random bits. Uses `crypto.getRandomValues`, since `randomUUID` is absent on
 * plain-http pages.
 */
export function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(22))
  let id = ''
  for (const byte of bytes) id += ALPHABET[byte & 63]
  return id
}
