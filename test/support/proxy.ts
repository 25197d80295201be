/** A TCP proxy on 127.0.0.1 in front of the test database, to take the database away and give it back. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Pool } from 'pg'
import { afterAll } from 'vitest'
import { openPool } from '../../src/db/connect.ts'
import type { Connection, PoolPurpose } from '../../src/db/connect.ts'

/**
 * `pass` lets everything through. `closed` cuts every connection and resets every new one at once. `hang` accepts
 * connections but holds every byte back, on those that exist too; `pass` lets the bytes go on.
 */
export type ProxyMode = 'pass' | 'closed' | 'hang'

export interface DatabaseProxy {
  /** The same database, by way of the proxy. */
  connection: Connection
  setMode: (mode: ProxyMode) => void
  /** Ends the connections there are; new ones are as the mode says. */
  cut: () => void
  /** How many connections pass through it now. */
  connectionCount: () => number
}

/** Starts a proxy; it ends with the test file. */
export async function startProxy(target: Connection): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new Client(target)
  let mode: ProxyMode = 'pass'
  const pairs = new Set<readonly [Socket, Socket]>()
  // Only the near side is TCP for certain.
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
  }

  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => undefined)
    if (mode === 'closed') {
      near.resetAndDestroy()
      return
    }
    const far = connect(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
    const pair = [near, far] as const
    pairs.add(pair)
    near.on('close', () => pairs.delete(pair))
    forward(near, far)
    forward(far, near)
    if (mode === 'hang') pair.forEach((socket) => socket.pause())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    cut()
  })
  return {
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      user: user ?? '',
      password: password ?? '',
      database: database ?? '',
    },
    setMode: (next) => {
      mode = next
      if (mode === 'closed') cut()
      for (const socket of [...pairs].flat()) {
        if (mode === 'hang') socket.pause()
        else socket.resume()
      }
    },
    cut,
    connectionCount: () => pairs.size,
  }
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (chunk: Buffer) => to.write(chunk))
  from.on('error', () => undefined)
  from.on('close', () => to.destroy())
}

/** A pool as the server has it; it ends with the test file, whatever state its connections are in. */
export function openTestPool(
  connection: Connection,
  purpose: PoolPurpose,
  onError: (error: Error) => void = () => undefined,
): Pool {
  const pool = openPool(connection, purpose, onError)
  afterAll(async () => {
    if (!pool.ended) await pool.end()
  })
  return pool
}

/** A database at a port where nobody listens: every connection is refused. */
export const REFUSING: Connection = {
  host: '127.0.0.1',
  port: 1,
  user: 'nobody',
  password: 'none',
  database: 'none',
}
