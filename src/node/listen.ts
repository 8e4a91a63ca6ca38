import type { Server } from 'node:http'
import { isRecord } from '../protocol/json.ts'

/** Where to listen. */
export interface Place {
  readonly host: string
  /** The first port to try; 0 for any. */
  readonly port: number
  /** Is told, before the next port is tried, that one is taken. */
  readonly onTaken: (port: number) => void
}

/** How many ports are tried. */
const TRIES = 20

/** Listens on the first free port. Resolves to it; rejects where none can be had. */
export async function listen(server: Server, { host, port, onTaken }: Place): Promise<number> {
  for (let next = port; ; next += 1) {
    try {
      return await listenOn(server, host, next)
    } catch (error) {
      const isTaken = isRecord(error) && error['code'] === 'EADDRINUSE'
      if (!isTaken || next + 1 >= port + TRIES || next >= 65_535) throw error
      onTaken(next)
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
