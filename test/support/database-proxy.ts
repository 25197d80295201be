/** A TCP proxy before the database server: to take the database away in every way in which it can go. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, NetConnectOpts, Server, Socket } from 'node:net'
import { atEnd } from './at-end.ts'
import type { Connection } from '../../src/db/connect.ts'

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  connection: Connection
  /** Passes everything on, as at the beginning. */
  forward: () => Promise<void>
  /** Ends all connections and refuses new ones. */
  refuse: () => Promise<void>
  /** Accepts connections and takes what is sent, but nothing ever comes back; what is open stays open. */
  hang: () => void
  /** Holds back what the database answers until the function that it returns is called. */
  holdAnswers: () => () => void
  /** New connections take so much longer. */
  delayConnections: (ms: number) => void
}

export async function startProxy(connection: Connection): Promise<DatabaseProxy> {
  const target = addressOf(connection)
  const pairs = new Map<Socket, Socket>()
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
      from.on('data', (chunk: Buffer) => hanging || to.write(chunk))
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
      // What was swallowed is lost: such connections are of no use any more.
      if (hanging) cut()
      hanging = false
      if (server === undefined) await listen(port)
    },
    refuse,
    hang: () => {
      hanging = true
    },
    delayConnections: (ms) => {
      delayMs = ms
    },
    holdAnswers: () => {
      for (const database of pairs.values()) database.pause()
      return () => {
        for (const database of pairs.values()) database.resume()
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
