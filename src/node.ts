/**
 * What needs Node: its HTTP server, its files.
 *
 * @module
 */
export {
  fileActionLog,
  type FileActionLog,
  type FileActionLogOptions,
} from './node/file-action-log.ts'
export { fileEventLog, type FileEventLog, type FileEventLogOptions } from './node/file-event-log.ts'
export { toNodeListener, type NodeListener } from './node/to-node-listener.ts'
export {
  webSocketUpgrade,
  type UpgradeListener,
  type WebSocketUpgradeOptions,
} from './node/web-socket-upgrade.ts'
