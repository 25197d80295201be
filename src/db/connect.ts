/** Connections to PostgreSQL. */
import { availableParallelism } from 'node:os'
import { Client, Pool, types } from 'pg'
import type { ClientBase, ClientConfig, PoolConfig, QueryConfig } from 'pg'
import { connectionCutter } from './connection-cutter.ts'
import { markDistributed } from './distributed.ts'
import { DirectClient } from './pooler-hint.ts'
import type { Primary } from './primary.ts'
import type { Db } from './statement.ts'

/** Where a database is: a URL, or the socket directory and password of the embedded server. */
export type Connection = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
> & {
  /** A pooler in transaction mode, such as pgbouncer, is in front of the database. */
  pooler?: Pooler | undefined
  /** If DATABASE_URL names several servers: the one that accepts writes. */
  primary?: Primary | undefined
  /** The tables are distributed with Citus. */
  isDistributed?: boolean | undefined
}

export type Pooler = 'transaction'

const COMMON: Pick<ClientConfig, 'application_name' | 'types' | 'keepAlive'> = {
  application_name: 'quoting',
  keepAlive: true,
  types: {
    // Timestamps stay text: a Date costs an allocation and loses microseconds.
    getTypeParser: (oid, format) =>
      oid === types.builtins.TIMESTAMPTZ ? (text: string) => text : types.getTypeParser(oid, format),
  },
}

/** UTC and ISO, so that timestamps have one text format (core/schedule/datetime.ts reads it by position). */
const TIME_OPTIONS = '-c TimeZone=UTC -c DateStyle=ISO'

/**
 * For the pools. Every lookup has an index made for it, so the plan must depend neither on the values nor on the current
 * contents of a table.
 */
export const SESSION_OPTIONS = `${TIME_OPTIONS} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off`

/**
 * The best plan for a sum or a search depends on its values and on the current contents of the tables: a plan from before an
 * import could scan a whole table for each row of another.
 */
const REPORT_OPTIONS = `${TIME_OPTIONS} -c plan_cache_mode=force_custom_plan -c jit=off`

/** With Citus: it chooses the worker by the actual company. A timeout for locks must reach the workers, which have the locks. */
const DISTRIBUTED_OPTIONS = `${TIME_OPTIONS} -c plan_cache_mode=force_custom_plan -c jit=off -c citus.propagate_set_commands=local -c citus.node_connection_timeout=1000`

/** A pooler keeps only these two settings across its connections, and accepts no startup options. */
const POOLED_SESSION = `SET TimeZone = 'UTC'; SET DateStyle = 'ISO'`

const SESSION_TIMEOUT_MS = 3_000

export type PoolPurpose =
  | 'data'
  | 'keys'
  | 'console'
  | 'reports'
  | 'log'
  | 'webhooks'
  | 'replica'
  | 'check'
  | 'hang'

/** The time to wait for a connection: as long as a request may wait in the queue. */
const CONNECTION_MAX_MS = 5_000

const DATA = {
  // More connections would compete for the same CPUs: with twice as many, a page takes 20 % more CPU time. A database on
  // its own machine may want more: DATABASE_CONNECTIONS.
  max: Math.max(2, availableParallelism()),
  // On a starved host, connections come slowly. A database that does not respond is found by hang-watch.ts, earlier.
  connectionTimeoutMillis: CONNECTION_MAX_MS,
  query_timeout: 30_000,
  statement_timeout: 30_000,
}

const CONSOLE = {
  max: 2,
  connectionTimeoutMillis: CONNECTION_MAX_MS,
  query_timeout: 15_000,
  statement_timeout: 15_000,
}

/**
 * Key lookups have their own connections, so that slow reads cannot make authentication fail. Their deadline is in
 * api/authenticate.ts; the limits here only clean up after it. They are also set in PostgreSQL: an abandoned statement must
 * not keep waiting for a lock.
 */
const POOLS: Record<PoolPurpose, PoolConfig & { statement_timeout: number }> = {
  data: DATA,
  keys: {
    max: 2,
    connectionTimeoutMillis: CONNECTION_MAX_MS,
    query_timeout: 5_000,
    statement_timeout: 5_000,
  },
  // The console has its own connections, so that its users cannot hold up the API.
  console: CONSOLE,
  // For its sums and searches, which read many rows.
  reports: CONSOLE,
  // The request log is written in the background, so it must not take connections from requests.
  log: { max: 1, connectionTimeoutMillis: 2_000, query_timeout: 5_000, statement_timeout: 5_000 },
  // Neither must their delivery.
  webhooks: {
    max: 2,
    connectionTimeoutMillis: CONNECTION_MAX_MS,
    query_timeout: 30_000,
    statement_timeout: 30_000,
  },
  // Short, so that a read falls back to the primary soon if a replica is busy or does not respond.
  replica: { ...DATA, connectionTimeoutMillis: 1_000 },
  // A dedicated connection: a busy replica is not a lost one.
  // Longer than the check's own deadline.
  check: { max: 1, connectionTimeoutMillis: 2_000, query_timeout: 2_000, statement_timeout: 1_000 },
  // The same. The connection is kept open, so that the check does not depend on a new connection.
  hang: {
    max: 1,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
    statement_timeout: 2_000,
    idleTimeoutMillis: 0,
    keepAliveInitialDelayMillis: 10_000,
  },
}

export function openPool(
  connection: Connection,
  purpose: PoolPurpose,
  onError: (error: Error) => void,
  max?: number,
): Pool {
  const { statement_timeout, ...limits } = POOLS[purpose]
  const session: PoolConfig =
    connection.pooler === undefined
      ? { statement_timeout, Client: DirectClient }
      : // The pool awaits it, though its types do not say so.
        { onConnect: (client): unknown => beginPooledSession(client) }
  const size = max === undefined ? {} : { max }
  const onOneServer = purpose === 'reports' ? REPORT_OPTIONS : SESSION_OPTIONS
  const options = connection.isDistributed === true ? DISTRIBUTED_OPTIONS : onOneServer
  const pool = new Pool({ ...clientConfig(connection, options), ...limits, ...size, ...session })
  if (connection.primary !== undefined) followWith(pool, connection.primary)
  // Without a listener, a database restart would end the process: idle connections emit their loss here.
  pool.on('error', onError)
  // The same for a connection in use. Its statement fails, and that error is reported.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (connection.isDistributed === true) {
    markDistributed(pool)
    pool.on('connect', markDistributed)
  }
  return pool
}

/** New connections go to the current primary, and those to the former one are closed. */
function followWith(pool: Pool, primary: Primary): void {
  const Own = Reflect.get(pool, 'Client') as typeof Client
  class PrimaryClient extends Own {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: primary.url() })
      endUnlessReplicated(this)
    }
  }
  Reflect.set(pool, 'Client', PrimaryClient)
  primary.onMove(connectionCutter(pool))
}

/**
 * A statement that is canceled while its commit waits for a synchronous standby succeeds with this warning only, though a failover
 * would lose it. The connection is closed, so that the caller gets an error instead.
 */
function endUnlessReplicated(client: Client): void {
  client.on('notice', ({ routine }) => {
    if (routine !== 'SyncRepWaitForLSN') return
    // Fails the statement at once: its success may have arrived together with the warning.
    client.connection.emit('error', new Error('the commit was not replicated'))
    client.connection.stream.destroy()
  })
}

/** A dedicated connection without timeouts, for migrations, imports and exports. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(connection)
  try {
    if (connection.pooler !== undefined) await beginPooledSession(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Without timeouts. The caller ends it. */
export async function openClient(connection: Connection): Promise<Client> {
  const { primary } = connection
  const where = primary === undefined ? {} : { connectionString: await primary.find() }
  const config = { ...clientConfig(connection, TIME_OPTIONS), ...where, connectionTimeoutMillis: 3_000 }
  const client = connection.pooler === undefined ? new DirectClient(config) : new Client(config)
  // Losing the connection also fails the current statement, and that error is reported.
  client.on('error', () => undefined)
  if (primary !== undefined) {
    endUnlessReplicated(client)
    const forget = primary.onMove(() => client.connection.stream.destroy())
    client.once('end', forget)
  }
  await client.connect()
  if (connection.isDistributed === true) markDistributed(client)
  return client
}

/** The same for callers outside of this folder, who send `Sql` only. */
export async function withDb<Result>(
  connection: Connection,
  work: (client: Db) => Promise<Result>,
): Promise<Result> {
  return withClient(connection, work)
}

/** Closes the connection of `withDb` at once, during any statement. */
export function destroyConnection(client: Db): void {
  ;(client as Client).connection.stream.destroy()
}

function clientConfig(connection: Connection, options: string): ClientConfig {
  const { pooler, primary: _, isDistributed: __, ...where } = connection
  return pooler === undefined ? { ...COMMON, ...where, options } : { ...COMMON, ...where }
}

async function beginPooledSession(client: ClientBase): Promise<void> {
  // The connection timeout does not cover it.
  await client.query({ text: POOLED_SESSION, query_timeout: SESSION_TIMEOUT_MS } as QueryConfig)
  // Unnamed: the next statement may run on another server connection, on which it is not prepared.
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  Reflect.set(client, 'query', (first: unknown, ...rest: unknown[]) => {
    if (typeof first === 'object' && first !== null) {
      if ('name' in first) first.name = undefined
      if ('isPrepared' in first) first.isPrepared = false
    }
    return query(first, ...rest)
  })
}
