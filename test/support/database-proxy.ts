/** A TCP proxy in front of the database server, to simulate each way in which the database can fail. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, NetConnectOpts, Server, Socket } from 'node:net'
import { atEnd } from './at-end.ts'
import type { Connection } from '../../src/db/connect.ts'

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  connection: Connection
  /** Forwards all data. The initial state */
  forward: () => Promise<void>
  /** Ends all connections and refuses new ones. */
  refuse: () => Promise<void>
  /** Accepts connections and data, but never responds. Open connections stay open. */
  hang: () => void
  /** Holds back responses on the open connections. */
  holdResponses: () => { count: () => number; release: () => void }
  /** Number of chunks that clients have sent, including those that were dropped. */
  countSent: () => number
  /** Number of responses to `SELECT 1`, with which the service checks a connection */
  countChecks: () => number
  /** Delays new connections. */
  delayConnections: (ms: number) => void
}

export async function startProxy(connection: Connection): Promise<DatabaseProxy> {
  const target = addressOf(connection)
  const pairs = new Map<Socket, Socket>()
  const holding = new Set<Socket>()
  const held: (() => void)[] = []
  let sent = 0
  let checks = 0
  let hanging = false
  let delayMs = 0
  let server: Server | undefined

  const accept = (client: Socket) => {
    const database = connect(target)
    pairs.set(client, database)
    if (delayMs > 0) {
      client.pause()
      setTimeout(() => client.resume(), delayMs)
    }
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (from === client) sent++
        if (hanging) return
        if (from === database && chunk.includes('SELECT 1\0')) checks++
        if (holding.has(from)) held.push(() => to.write(chunk))
        else to.write(chunk)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        pairs.delete(client)
      })
    }
  }
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      const started = createServer(accept)
      server = started.listen(port, '127.0.0.1', () => resolve((started.address() as AddressInfo).port))
    })
  const cut = () => {
    for (const [client, database] of pairs) {
      client.destroy()
      database.destroy()
    }
  }
  const refuse = async () => {
    const closing = server
    server = undefined
    cut()
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve))
  }
  const port = await listen(0)
  atEnd(refuse)
  return {
    connection: throughPort(connection, port),
    forward: async () => {
      // Data that was dropped is lost, so these connections are unusable.
      if (hanging) cut()
      hanging = false
      if (server === undefined) await listen(port)
    },
    refuse,
    hang: () => {
      hanging = true
    },
    countSent: () => sent,
    countChecks: () => checks,
    delayConnections: (ms) => {
      delayMs = ms
    },
    holdResponses: () => {
      for (const database of pairs.values()) holding.add(database)
      return {
        count: () => held.length,
        release: () => {
          holding.clear()
          for (const send of held.splice(0)) send()
        },
      }
    },
  }
}

function addressOf(connection: Connection): NetConnectOpts {
  const url = connection.connectionString === undefined ? undefined : new URL(connection.connectionString)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? connection.host ?? '127.0.0.1'
  const port = Number(url?.port ?? connection.port) || 5432
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function throughPort(connection: Connection, port: number): Connection {
  if (connection.connectionString === undefined) return { ...connection, host: '127.0.0.1', port }
  const url = new URL(connection.connectionString)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return { connectionString: url.href }
}
