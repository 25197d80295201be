/** Fails everything that waits for a database which does not respond. */
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'

type Release = (error?: Error | boolean) => void
type Callback = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void

/**
 * Call before the pool is used. The returned function closes all connections of the pool, also those that are being
 * opened, and fails the statements on them and the requests for a connection. The pool opens new connections afterwards.
 */
export function connectionCutter(pool: Pool): () => void {
  const clients = trackClients(pool)
  const waiting = trackWaiting(pool)
  return () => {
    // Those that wait come first: otherwise the pool would open new connections for them.
    for (const fail of waiting) fail()
    for (const client of clients) client.connection.stream.destroy()
  }
}

/** The pool's events leave out connections that are being opened. */
function trackClients(pool: Pool): ReadonlySet<Client> {
  const clients = new Set<Client>()
  // The pool's own class: it may explain connection errors (db/connect.ts).
  const Own = Reflect.get(pool, 'Client') as typeof Client
  class TrackedClient extends Own {
    constructor(config?: ClientConfig) {
      super(config)
      clients.add(this)
      this.once('end', () => clients.delete(this))
    }
  }
  Reflect.set(pool, 'Client', TrackedClient)
  return clients
}

/** `pool.query` gets its connection from `pool.connect`, too. */
function trackWaiting(pool: Pool): ReadonlySet<() => void> {
  const waiting = new Set<() => void>()
  const connect = pool.connect.bind(pool) as (callback: Callback) => void
  const connectTracked = (callback: Callback) => {
    const fail = () => {
      waiting.delete(fail)
      callback(new Error('the database does not respond'), undefined, () => undefined)
    }
    waiting.add(fail)
    connect((error, client, release) => {
      if (waiting.delete(fail)) callback(error, client, release)
      // It was failed before: the next one gets the connection.
      else if (client !== undefined) release()
    })
  }
  Reflect.set(pool, 'connect', (callback?: Callback) => {
    if (callback !== undefined) {
      connectTracked(callback)
      return undefined
    }
    return new Promise<PoolClient>((resolve, reject) => {
      connectTracked((error, client) => (client === undefined ? reject(error) : resolve(client)))
    })
  })
  return waiting
}
