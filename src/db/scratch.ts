/** A scratch database for a rehearsal: on the server of DATABASE_URL, or on a temporary embedded server. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from './connect.ts'
import type { Connection } from './connect.ts'
import { withDatabaseName } from './database-urls.ts'
import { removeDraft } from './embedded-create.ts'
import { startEmbedded } from './embedded.ts'
import { identifier, literal, sql } from './sql.ts'
import { run } from './statement.ts'

export interface Scratch {
  name: string
  connection: Connection
  drop: () => Promise<void>
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** PostgreSQL cuts longer names to 63 bytes. */
const NAME_MAX = 32

/** `label` becomes part of its name. The service's role cannot create databases on the embedded server. */
export async function createScratch(
  connection: Connection,
  where: { databaseUrl: string | undefined; dataDir: string },
  label: string,
): Promise<Scratch> {
  return where.databaseUrl === undefined
    ? startScratchServer(join(where.dataDir, label))
    : createOnServer(connection, label)
}

async function startScratchServer(folder: string): Promise<Scratch> {
  const remove = async () => {
    await removeDraft(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    // Nothing in it has to survive a power cut.
    const server = await startEmbedded(folder, { settings: ['fsync=off'] })
    const drop = async () => {
      await server.stop()
      await remove()
    }
    return { name: folder, connection: server.connection, drop }
  } catch (error) {
    await remove()
    throw error
  }
}

async function createOnServer(connection: Connection, label: string): Promise<Scratch> {
  const { connectionString = '', pooler, primary } = connection
  if (pooler !== undefined)
    throw new Error(
      'a pooler cannot reach a scratch database: use the URL of the database itself, without DATABASE_POOLER',
    )
  const url = primary === undefined ? connectionString : await primary.find()
  const name = await withClient(connection, async (client) => {
    const { rows } = await run<{ name: string; encoding: string; collate: string; ctype: string }>(
      client,
      sql`SELECT left(datname, ${literal(NAME_MAX)}) AS name, pg_encoding_to_char(encoding) AS encoding,
        datcollate AS collate, datctype AS ctype
      FROM pg_database WHERE datname = current_database()`,
    )
    const [own] = rows
    if (own === undefined) throw new Error('the database cannot be found in the catalog')
    const scratch = `${own.name}_${label}`
    await run(
      client,
      sql`CREATE DATABASE ${identifier(scratch)} TEMPLATE template0 ENCODING ${literal(own.encoding)}
        LC_COLLATE ${literal(own.collate)} LC_CTYPE ${literal(own.ctype)}`,
    ).catch((error: Error & { code?: string }) =>
      Promise.reject(
        error.code === INSUFFICIENT_PRIVILEGE
          ? new Error('the role may not create a scratch database: ALTER ROLE … CREATEDB', { cause: error })
          : error,
      ),
    )
    return scratch
  })
  const drop = async () => {
    await withClient(connection, async (client) => {
      // WITH (FORCE) fails if autovacuum is working there: it may only be ended by a superuser, or by a plain DROP.
      await run(
        client,
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = ${literal(name)} AND usename = current_user`,
      )
      await run(client, sql`DROP DATABASE ${identifier(name)}`)
    })
  }
  return { name, connection: { connectionString: withDatabaseName(url, name) }, drop }
}
