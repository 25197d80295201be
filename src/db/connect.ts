/** Connections to PostgreSQL, and the one way to send a statement. */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Client, Pool, types } from 'pg'
import type { ClientConfig, PoolConfig, QueryConfig } from 'pg'

/** Where a database is: a URL, or the socket directory and password of the embedded server. */
export type Connection = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

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

const shaped = new Map<string, Statement>()

/** A statement whose text depends on the shape of the request, of which there must be few: each stays prepared. */
export function shapedStatement(text: string): Statement {
  const known = shaped.get(text)
  if (known !== undefined) return known
  const made = statement(text)
  shaped.set(text, made)
  return made
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

const COMMON: Pick<ClientConfig, 'application_name' | 'options' | 'types' | 'keepAlive'> = {
  application_name: 'quoting',
  // UTC and ISO so that a timestamp's text has one form (core/datetime.ts reads it by position).
  // Every look-up is by an index that was made for it: neither the values nor what a table holds today shall change that.
  options:
    '-c TimeZone=UTC -c DateStyle=ISO -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off',
  keepAlive: true,
  types: {
    // Timestamps stay text: a Date would cost an allocation each and lose nothing but time.
    getTypeParser: (oid, format) =>
      oid === types.builtins.TIMESTAMPTZ ? (text: string) => text : types.getTypeParser(oid, format),
  },
}

export type PoolPurpose = 'data' | 'keys'

/**
 * Look-ups of keys have connections of their own: a burst of slow reads must not make authentication fail, and the
 * short deadlines there (503 within two seconds) must not cut off a long read. The server knows the deadlines, too: what
 * nobody waits for any more must not go on waiting for a lock.
 */
const POOLS: Record<PoolPurpose, PoolConfig> = {
  data: {
    max: Math.max(4, 2 * availableParallelism()),
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    statement_timeout: 30_000,
  },
  keys: { max: 2, connectionTimeoutMillis: 800, query_timeout: 900, statement_timeout: 900 },
}

export function openPool(
  connection: Connection,
  purpose: PoolPurpose,
  onError: (error: Error) => void,
): Pool {
  const pool = new Pool({ ...COMMON, ...connection, ...POOLS[purpose] })
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
  const client = new Client({ ...COMMON, ...connection, connectionTimeoutMillis: 3_000 })
  // A loss of the connection also fails the statement under way: that one is reported.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
