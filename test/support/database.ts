/** A separate database for a test file: a clone of the migrated template, dropped at the end of the file. */
import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { inject } from 'vitest'
import { openPool, withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { fillWithDemo } from '../../src/world/demo/fill-with-demo.ts'
import { atEnd } from './at-end.ts'
import { demoTemplateOf, onDatabase } from './connections.ts'

export interface TestDatabase {
  /** As the role of the service. */
  connection: Connection
  pool: Pool
}

interface CreatedDatabase extends TestDatabase {
  /** To the same database, for tests that change catalogs or roles. */
  superuser: Connection
}

/** Call it at the top of a test file or inside a describe: `const { pool } = await createDatabase()`. */
export async function createDatabase(template = inject('template')): Promise<CreatedDatabase> {
  const server = inject('server')
  const name = `quoting_test_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  )
  const connection = onDatabase(server, name)
  const pool = openPool(connection, 'data', () => undefined)
  atEnd(async () => {
    await pool.end()
    // Only a superuser may end an autovacuum worker that is connected to it.
    await withClient(inject('superuser'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  })
  return { connection, superuser: onDatabase(inject('superuser'), name), pool }
}

/** The same with the demo world. A clone takes a fraction of the time of an import. */
export async function createDemoDatabase(): Promise<CreatedDatabase> {
  return createDatabase(await demoTemplate())
}

/** The first file that needs it creates it; test/support/global-setup.ts drops it. */
async function demoTemplate(): Promise<string> {
  const [server, template] = [inject('server'), inject('template')]
  const [demo, unfinished] = [demoTemplateOf(template), `${demoTemplateOf(template)}_unfinished`]
  await withClient(server, async (client) => {
    // Until the connection ends. Another worker may need it at the same time.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [demo])
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [demo])
    if (rowCount === 1) return
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE ${template} STRATEGY FILE_COPY`)
    await fillWithDemo(onDatabase(server, unfinished))
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${demo}`)
  })
  return demo
}

/** Every client the pool can have. One that takes too long on a busy machine is asked for again. */
export async function takeAllClients(pool: Pool): Promise<PoolClient[]> {
  const taken: PoolClient[] = []
  while (taken.length < pool.options.max) {
    const client = await pool.connect().catch(() => null)
    if (client !== null) taken.push(client)
  }
  return taken
}
