/** Connections to PostgreSQL, and the one way to send a statement. */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Client, Pool, types } from 'pg'
import type { ClientBase, ClientConfig, PoolConfig, QueryConfig } from 'pg'
import { DirectClient } from './pooler-hint.ts'

/** Where a database is: a URL, or the socket directory and password of the embedded server. */
export type Connection = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
> & {
  /** Between us and the database is one that gives each transaction any connection it has, as pgbouncer does. */
  pooler?: Pooler | undefined
}

export type Pooler = 'transaction'

/** What can run a statement: a pool, or one client inside a transaction. */
export type Db = Pick<Pool, 'query'>

/** A statement that every connection prepares once, under a name that follows from its text. */
export interface Statement {
  /** Undefined: not kept prepared. */
  name: string | undefined
  text: string
}

export function statement(text: string): Statement {
  return { name: createHash('sha1').update(text).digest('base64url').slice(0, 20), text }
}

/** A statement of a rare shape: planned anew each time, for the very values it is sent with. */
export function unpreparedStatement(text: string): Statement {
  return { name: undefined, text }
}

export async function queryRows<Row extends object>(
  db: Db,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const query: QueryConfig = name === undefined ? { text, values } : { name, text, values }
  return (await db.query<Row>(query)).rows
}

/** A select list from the names of a row's fields: `imageUrl` is read from `image_url`, of the table called so. */
export function columns(fields: string, table = ''): string {
  const prefix = table === '' ? '' : `${table}.`
  return fields
    .trim()
    .split(/\s+/)
    .map(
      (field) =>
        `${prefix}${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`,
    )
    .join(', ')
}

const COMMON: Pick<ClientConfig, 'application_name' | 'types' | 'keepAlive'> = {
  application_name: 'quoting',
  keepAlive: true,
  types: {
    // Timestamps stay text: a Date would cost an allocation each and lose nothing but time.
    getTypeParser: (oid, format) =>
      oid === types.builtins.TIMESTAMPTZ ? (text: string) => text : types.getTypeParser(oid, format),
  },
}

/** UTC and ISO so that a timestamp's text has one form (core/datetime.ts reads it by position). */
const TIME_OPTIONS = '-c TimeZone=UTC -c DateStyle=ISO'

/**
 * Of the pools. Every look-up there is by an index that was made for it: neither the values nor what a table holds today
 * shall change that.
 */
export const SESSION_OPTIONS = `${TIME_OPTIONS} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off`

/**
 * How a sum or a search is best done depends on what it is asked for, and on what the tables hold now: a plan that was
 * kept from before an import would go through all of a table for each row of another.
 */
const REPORT_OPTIONS = `${TIME_OPTIONS} -c plan_cache_mode=force_custom_plan -c jit=off`

/** A pooler carries only these two from one of its connections to the next, and takes no options at the start. */
const POOLED_SESSION = `SET TimeZone = 'UTC'; SET DateStyle = 'ISO'`

const SESSION_TIMEOUT_MS = 3_000

export type PoolPurpose = 'data' | 'keys' | 'console' | 'reports' | 'log' | 'replica' | 'check' | 'hang'

/** For a connection, new or free: as long as a request may wait in the queue. */
const CONNECTION_MAX_MS = 5_000

const DATA = {
  // More would only take turns on the same processors, and each turn costs: with twice as many, a page takes a fifth more
  // processor time. A database on a machine of its own may want more: DATABASE_CONNECTIONS.
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
 * Key look-ups have their own connections: slow reads must not make authentication fail. Their deadline is in
 * http/authenticate.ts; the limits here only clean up after it. PostgreSQL knows the limits, too: a statement that nobody
 * waits for must not keep waiting for a lock.
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
  // For its sums and searches, which go through many rows.
  reports: CONSOLE,
  // Nobody waits for the request log; so it must not take a connection from those who are waited for.
  log: { max: 1, connectionTimeoutMillis: 2_000, query_timeout: 5_000, statement_timeout: 5_000 },
  // Whoever waits for a replica that does not answer, or is busy, soon goes to the primary.
  replica: { ...DATA, connectionTimeoutMillis: 1_000 },
  // One connection that nothing else uses: a busy replica is not a lost one.
  // Longer than a check waits: it judges by itself.
  check: { max: 1, connectionTimeoutMillis: 2_000, query_timeout: 2_000, statement_timeout: 1_000 },
  // The same. It is kept, and known to be alive: whether the database answers is not to depend on a new connection.
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
      : // The pool waits for it, which its types do not say.
        { onConnect: (client): unknown => beginPooledSession(client) }
  const size = max === undefined ? {} : { max }
  const options = purpose === 'reports' ? REPORT_OPTIONS : SESSION_OPTIONS
  const pool = new Pool({ ...clientConfig(connection, options), ...limits, ...size, ...session })
  // Without a listener the first restart of the database would end the process: an idle connection emits its loss here.
  pool.on('error', onError)
  // The same for one that is in use: the statement under way fails, and that is reported.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** One connection of its own, without time limits: for migrations, imports and exports. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const config = { ...clientConfig(connection, TIME_OPTIONS), connectionTimeoutMillis: 3_000 }
  const client = connection.pooler === undefined ? new DirectClient(config) : new Client(config)
  // A loss of the connection also fails the statement under way: that one is reported.
  client.on('error', () => undefined)
  await client.connect()
  try {
    if (connection.pooler !== undefined) await beginPooledSession(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

function clientConfig({ pooler, ...where }: Connection, options: string): ClientConfig {
  return pooler === undefined ? { ...COMMON, ...where, options } : { ...COMMON, ...where }
}

async function beginPooledSession(client: ClientBase): Promise<void> {
  // The time for connecting does not cover it.
  await client.query({ text: POOLED_SESSION, query_timeout: SESSION_TIMEOUT_MS } as QueryConfig)
  // No names: the next statement may run on another connection of the pooler's, on which this one was not prepared.
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  Reflect.set(client, 'query', (first: unknown, ...rest: unknown[]) => {
    if (typeof first === 'object' && first !== null && 'name' in first) first.name = undefined
    return query(first, ...rest)
  })
}
