import type { Clock } from '../protocol/clock.ts'
import type { Hint } from './event-log.ts'

/** What a log needs of a Redis client: the part of node-redis (the package `redis`, 5 or later) that it uses. */
export interface RedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>
  /** A second connection with the same settings, on which hints are heard. */
  duplicate(): RedisSubscriber
}

/** A connection on which hints are heard. It reconnects and subscribes again by itself. */
export interface RedisSubscriber {
  connect(): Promise<unknown>
  subscribe(channel: string, hear: (message: string) => void): Promise<unknown>
  unsubscribe(channel: string, hear: (message: string) => void): Promise<unknown>
  on(event: 'error', hear: (error: unknown) => void): unknown
  destroy(): void
}

/** A Lua script, which Redis runs as one step. */
export type Script = (
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

/** Sends a script once, and from then on its hash. */
export function createScript(client: Pick<RedisClient, 'sendCommand'>, source: string): Script {
  let hash: string | undefined
  return async (keys, args) => {
    const rest = [String(keys.length), ...keys, ...args.map(String)]
    try {
      hash ??= String(await client.sendCommand(['SCRIPT', 'LOAD', source]))
      return await client.sendCommand(['EVALSHA', hash, ...rest])
    } catch (error) {
      // Redis was started anew, or its scripts were flushed; nothing has been run.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return client.sendCommand(['EVAL', source, ...rest])
    }
  }
}

/** Hears the hints of all processes. */
export interface RedisHints {
  /**
   * Resolves once it hears, or when it has tried for long enough: hints may be lost, and readers look without them. It
   * goes on trying meanwhile.
   */
  watch(channel: string, hint: (hint: Hint) => void, signal: AbortSignal): Promise<void>
  /** Ends the connection, if there is one; nothing is heard after that. */
  close(): void
}

/** Hears hints on a connection of its own, which is opened for the first who watches. */
export function createRedisHints(
  client: RedisClient,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
): RedisHints {
  let opening: Promise<RedisSubscriber> | undefined
  let subscriber: RedisSubscriber | undefined
  let isClosed = false

  const open = async (): Promise<RedisSubscriber> => {
    const connection = client.duplicate()
    // The application's own client loses the same server, and tells of it.
    connection.on('error', () => {})
    subscriber = connection
    try {
      await connection.connect()
    } catch (error) {
      // The next who watches tries anew.
      subscriber = undefined
      opening = undefined
      throw error
    }
    return connection
  }

  const subscribe = async (
    channel: string,
    hear: (message: string) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const connection = await (opening ??= open())
    await connection.subscribe(channel, hear)
    const leave = (): void => void connection.unsubscribe(channel, hear).catch(() => {})
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }

  return {
    async watch(channel, hint, signal) {
      if (isClosed || signal.aborted) return
      const hear = (message: string): void => {
        if (!signal.aborted) hint(message === 'cancel' ? 'cancel' : 'events')
      }
      let timer: unknown
      const patience = new Promise<void>((resolve) => {
        timer = clock.setTimeout(resolve, patienceMs)
      })
      // A lost subscription costs a reader its promptness, nothing else.
      await Promise.race([subscribe(channel, hear, signal).catch(() => {}), patience])
      clock.clearTimeout(timer)
    },

    close() {
      isClosed = true
      subscriber?.destroy()
      subscriber = undefined
      opening = undefined
    },
  }
}
