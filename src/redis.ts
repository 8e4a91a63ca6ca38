/**
 * Logs in Redis, for servers of several processes.
 *
 * @module
 */
export { redisActionLog, type RedisActionLogOptions } from './server/redis-action-log.ts'
export type { RedisClient, RedisSubscriber } from './server/redis-client.ts'
export {
  redisEventLog,
  type RedisEventLog,
  type RedisEventLogOptions,
} from './server/redis-event-log.ts'
