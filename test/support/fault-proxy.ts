import { createConnection, createServer, type Socket } from 'node:net'

/** What a wire does to a stream. */
export type WireFault =
  | 'FIN'
  | 'RST'
  | 'silence'
  | 'half an event'
  | 'half a character'
  | 'duplicate'
  | 'reorder'
  | 'blocks'

/** Where it does so. */
export type Place = 'before the first event' | 'in the middle' | 'before the end'

/** A proxy on a free port. */
export interface FaultProxy {
  readonly port: number
  /** Whether the fault has struck. */
  readonly struck: boolean
  readonly close: () => Promise<void>
}

/** Passes TCP on, and does something to the first stream of events that comes back. `blocks` is for all of them. */
export function faultProxy(target: number, fault: WireFault, place: Place): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let streams = 0
  let struck = false
  const server = createServer((client) => {
    const upstream = createConnection(target, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
    client.pipe(upstream)
    let rest = Buffer.alloc(0)
    let stream: ((chunk: Buffer) => void) | undefined
    upstream.on('data', (bytes: Buffer) => {
      if (stream !== undefined) return stream(bytes)
      rest = Buffer.concat([rest, bytes])
      const head = rest.indexOf('\r\n\r\n')
      if (head === -1) return
      if (!/text\/event-stream|application\/x-ndjson/.test(rest.subarray(0, head).toString())) {
        client.write(rest)
        rest = Buffer.alloc(0)
        return
      }
      streams += 1
      client.write(rest.subarray(0, head + 4))
      const write = (chunk: Buffer): void => void (client.destroyed || client.write(chunk))
      const isStruck = streams === 1 || fault === 'blocks'
      const strike = isStruck
        ? strikes[fault]({ write, client, place, mark: () => (struck = true) })
        : write
      stream = chunksOf(strike)
      stream(rest.subarray(head + 4))
    })
    upstream.on('end', () => client.end())
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        get struck() {
          return struck
        },
        close: () =>
          new Promise((done) => {
            for (const socket of sockets) socket.destroy()
            server.close(() => done())
          }),
      })
    })
  })
}

/** Hands on whole chunks of HTTP's chunked coding, their frame included. */
function chunksOf(hand: (chunk: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const line = rest.indexOf('\r\n')
      if (line === -1) return
      const end = line + 2 + Number.parseInt(rest.subarray(0, line).toString(), 16) + 2
      if (rest.length < end) return
      hand(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}

type Write = (chunk: Buffer) => void
interface Wire {
  readonly write: Write
  readonly client: Socket
  readonly place: Place
  readonly mark: () => void
}
type Strike = (wire: Wire) => Write

/** Calls `there` with the chunk at the place, and `write` with every other. */
function at({ place, write, mark }: Wire, there: Write): Write {
  let events = 0
  let struck = false
  return (chunk) => {
    const text = chunk.toString()
    const isThere =
      !struck &&
      (place === 'before the first event'
        ? text.includes('"type":"start"')
        : place === 'in the middle'
          ? events >= 6
          : text.includes('"type":"done"'))
    events += text.split('"seq":').length - 1
    if (!isThere) return write(chunk)
    struck = true
    mark()
    there(chunk)
  }
}

function broken(how: (client: Socket, chunk: Buffer) => void): Strike {
  return (wire) => {
    let isOver = false
    const strike = at(wire, (chunk) => {
      isOver = true
      how(wire.client, chunk)
    })
    return (chunk) => void (isOver || strike(chunk))
  }
}

const strikes: Readonly<Record<WireFault, Strike>> = {
  FIN: broken((client) => client.end()),
  RST: broken((client) => client.resetAndDestroy()),
  silence: broken(() => {}),
  'half an event': broken((client, chunk) => client.end(chunk.subarray(0, chunk.length >> 1))),
  'half a character': broken((client, chunk) => {
    const lead = chunk.findIndex((byte) => byte >= 0xc0)
    client.end(chunk.subarray(0, lead === -1 ? chunk.length >> 1 : lead + 1))
  }),
  duplicate: (wire) =>
    at(wire, (chunk) => {
      wire.write(chunk)
      wire.write(chunk)
    }),
  reorder: (wire) => {
    let held: Buffer | undefined
    const write: Write = (chunk) => {
      wire.write(chunk)
      if (held !== undefined) wire.write(held)
      held = undefined
    }
    return at({ ...wire, write }, (chunk) => (held = chunk))
  },
  blocks: ({ write, mark }) => {
    let waiting: Buffer[] = []
    return (chunk) => {
      waiting.push(chunk)
      const block = Buffer.concat(waiting)
      if (block.length < 4096 && !chunk.equals(Buffer.from('0\r\n\r\n'))) return
      if (waiting.length > 1) mark()
      write(block)
      waiting = []
    }
  },
}
