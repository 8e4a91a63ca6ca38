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
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>

/** Sends a script once, and from then on its hash. */
export function createScript(client: RedisClient, source: string): Script {
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
  /** Resolves once it hears, or once it is clear that it can't: hints may be lost, and readers look without them. */
  watch(channel: string, hint: (hint: Hint) => void, signal: AbortSignal): Promise<void>
  /** Ends the connection, if there is one. */
  close(): void
}

/** Hears hints on a connection of its own, which is opened for the first who watches. */
export function createRedisHints(client: RedisClient): RedisHints {
  let opening: Promise<RedisSubscriber> | undefined
  let subscriber: RedisSubscriber | undefined

  const open = async (): Promise<RedisSubscriber> => {
    subscriber = client.duplicate()
    // The application's own client loses the same server, and tells of it.
    subscriber.on('error', () => {})
    await subscriber.connect()
    return subscriber
  }

  return {
    async watch(channel, hint, signal) {
      if (signal.aborted) return
      const hear = (message: string): void => {
        if (!signal.aborted) hint(message === 'cancel' ? 'cancel' : 'events')
      }
      try {
        const connection = await (opening ??= open())
        await connection.subscribe(channel, hear)
        const leave = (): void => void connection.unsubscribe(channel, hear).catch(() => {})
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
      } catch {
        opening = undefined
      }
    },

    close() {
      subscriber?.destroy()
      subscriber = undefined
      opening = undefined
    },
  }
}
