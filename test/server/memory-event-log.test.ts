import { memoryEventLog } from 'sluice/server'
import { eventLogContract } from './event-log-contract.ts'

eventLogContract('memoryEventLog', async (limits) => ({
  log: memoryEventLog(limits),
  close: async () => {},
}))
