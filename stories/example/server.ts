import { createServer } from 'node:http'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { toNodeListener } from 'sluice/server/node'
import { demoModel, demoTools } from 'sluice/testing'

const handler = createStreamHandler({
  base: '/api/chat',
  model: demoModel(),
  tools: demoTools,
  log: memoryEventLog(),
})
createServer(toNodeListener(handler)).listen(3000)
