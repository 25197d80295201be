/** A separate database for a test file: a clone of the migrated template, dropped at the end of the file. */
import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { inject } from 'vitest'
import { openPool, withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { atEnd } from './at-end.ts'
import { onDatabase } from './connections.ts'

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

/** Every client the pool can have. One that takes too long on a busy machine is asked for again. */
export async function takeAllClients(pool: Pool): Promise<PoolClient[]> {
  const taken: PoolClient[] = []
  while (taken.length < pool.options.max) {
    const client = await pool.connect().catch(() => null)
    if (client !== null) taken.push(client)
  }
  return taken
}
