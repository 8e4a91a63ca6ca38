/**
 * What needs Node: its HTTP server, its files.
 *
 * @module
 */
export { fileEventLog, type FileEventLog, type FileEventLogOptions } from './node/file-event-log.ts'
export { toNodeListener, type NodeListener } from './node/to-node-listener.ts'
export {
  webSocketUpgrade,
  type UpgradeListener,
  type WebSocketUpgradeOptions,
} from './node/web-socket-upgrade.ts'
