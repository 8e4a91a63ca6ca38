import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { parseRecording, replayStream } from '../testing/record-stream.ts'
import { mistake, only, portOf, reading, tellTaken } from './command-line.ts'
import { listen } from './listen.ts'
import { toNodeListener } from './to-node-listener.ts'

/** `sluice replay FILE`. Resolves once the server listens. */
export async function replayCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = reading(() =>
    parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        speed: { type: 'string', default: '1' },
      },
      allowPositionals: true,
    }),
  )
  const file = only(positionals, 'file')
  const speed = Number(values.speed)
  if (!(speed > 0)) return mistake(`--speed takes a number above 0, not ${values.speed}.`)
  const recording = parseRecording(await readFile(file, 'utf8'))
  const server = createServer(toNodeListener(async () => replayStream(recording, { speed })))
  const place = { host: '127.0.0.1', port: portOf(values.port), onTaken: tellTaken }
  console.log(`http://localhost:${await listen(server, place)}`)
  return 0
}
