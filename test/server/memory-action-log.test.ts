import { memoryActionLog } from 'sluice/server'
import { actionLogContract } from './action-log-contract.ts'

actionLogContract('memoryActionLog', async (options) => ({
  log: memoryActionLog(options),
  close: async () => {},
}))
