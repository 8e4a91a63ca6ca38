/** What a callback throws is the application's: it is told where uncaught errors go, and the stream goes on. */
export function guarded(run: () => void): void {
  try {
    run()
  } catch (cause) {
    report(cause)
  }
}

/** Tells an error where uncaught ones go. */
export function report(cause: unknown): void {
  if (typeof reportError === 'function') reportError(cause)
  else console.error(cause)
}

/** A promise with its hand: `Promise.withResolvers`, which Node 20 lacks. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** Makes a {@link Deferred}. */
export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
