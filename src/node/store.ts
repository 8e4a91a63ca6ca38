import { SluiceError } from '../protocol/errors.ts'

/** One change: without a value, a key is taken away. */
export interface Write {
  readonly key: string
  readonly value?: unknown
}

/** Keys in order, with JSON values. */
export interface Store {
  /** All of it or nothing. `sync`: it survives not only this process but the machine. */
  write(writes: readonly Write[], options?: { readonly sync: boolean }): Promise<void>
  entries(from: string, below: string): AsyncIterable<readonly [key: string, value: unknown]>
  close(): Promise<void>
}

/** Opens a folder, which is then this process's alone. */
export async function openStore(dir: string): Promise<Store> {
  const { ClassicLevel } = await import('classic-level').catch((cause: unknown) => {
    const message = 'A log on disk needs the package classic-level: npm install classic-level.'
    throw new SluiceError('invalid-options', message, { cause })
  })
  const level = new ClassicLevel<string, unknown>(dir, { valueEncoding: 'json' })
  await level.open().catch((cause: unknown) => {
    const message = `The folder ${dir} can't be opened; is another process using it?`
    throw new SluiceError('invalid-options', message, { cause })
  })
  return {
    write: (writes, options = { sync: false }) =>
      level.batch(
        writes.map(({ key, value }) =>
          value === undefined ? { type: 'del', key } : { type: 'put', key, value },
        ),
        options,
      ),
    entries: (from, below) => level.iterator({ gte: from, lt: below }),
    close: () => level.close(),
  }
}
