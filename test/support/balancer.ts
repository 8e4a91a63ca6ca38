import { createConnection, createServer, type Socket } from 'node:net'

/** What stands before several servers, and sends everybody to one of them. */
export interface Balancer {
  readonly port: number
  /** Sends everybody to another port from now on; connections to the one before are cut. */
  route(port: number): void
  readonly close: () => Promise<void>
}

/** Makes one on a free port of the loopback interface. */
export async function balancer(target: number): Promise<Balancer> {
  const sockets = new Set<Socket>()
  let to = target
  const server = createServer((client) => {
    const upstream = createConnection(to, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    route(port) {
      to = port
      cut()
    },
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
