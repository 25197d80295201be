import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, QueryConfig } from 'pg'
import { describe, expect, it } from 'vitest'
import { listMigrations, migrate } from '../../src/db/migrate.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { killWhileMigrating } from '../../test/support/kill-migration.ts'
import { runCommand, startCommand } from '../../test/support/process.ts'
import { createDatabaseAt, describeSchema, readAllRows } from '../../test/support/schema.ts'

const names = await listMigrations()
const last = names.at(-1) ?? ''
/** A migration that locks users first and service days last */
const withLocks = '0006-no-triggers.sql'
const upToDate = await createDatabase()

/** A database before a migration, with rows that it changes. */
async function createOld(before: string) {
  const old = await createDatabaseAt(names.slice(0, names.indexOf(before)))
  await old.pool.query(`
    INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD');
    INSERT INTO users (company_id, id, email, name, role, password_hash)
      SELECT 'c', 'u' || n, 'User' || n || '@example.com', 'User', 'MEMBER', 'x' FROM generate_series(1, 5000) n`)
  return old
}

/** Whether a migration holds its lock, which it does during its transaction. `waiting`: whether it also waits for another lock. */
async function isMigrating(pool: Pool, waiting = false): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_locks m WHERE m.locktype = 'advisory' AND m.objid = 7230518 AND m.granted
       AND m.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (NOT $1 OR EXISTS (SELECT FROM pg_locks w WHERE w.pid = m.pid AND NOT w.granted))`,
    [waiting],
  )
  return rowCount !== 0
}

describe('a killed migration', () => {
  // A conflicting lock stops the migration at this point.
  it.each([
    ['at its first lock', 'LOCK TABLE users IN ROW EXCLUSIVE MODE'],
    ['at its last lock', 'LOCK TABLE service_days IN ACCESS SHARE MODE'],
  ])('%s changes nothing, and the next run applies it completely', async (_, hold) => {
    const { connection, pool } = await createOld(withLocks)
    const before = { schema: await describeSchema(pool), rows: await readAllRows(pool) }
    const settings = {
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
    }
    const holder = await pool.connect()
    await holder.query(`BEGIN; ${hold}`)
    const killed = startCommand(['migrate'], settings)
    while (!(await isMigrating(pool, true))) await sleep(5)
    killed.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    await holder.query('ROLLBACK')
    holder.release()
    // The server notices within a second that the client is disconnected.
    while (await isMigrating(pool)) await sleep(20)
    expect({ schema: await describeSchema(pool), rows: await readAllRows(pool) }).toEqual(before)

    const next = await runCommand(['migrate'], settings)
    expect(next).toEqual({ status: 0, stdout: 'The schema is up to date.\n', stderr: '' })
    expect(await describeSchema(pool)).toEqual(await describeSchema(upToDate.pool))
    const rows = await readAllRows(pool)
    expect(rows['users']).toEqual(before.rows['users'])
    expect(rows['users']).toHaveLength(5_000)
  })

  it('leaves the complete old or new schema at any moment', async () => {
    const { connection, pool } = await createOld(last)
    const before = await describeSchema(pool)
    const after = await describeSchema(upToDate.pool)
    const settings = {
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
    }
    for (const delayMs of [0, 10, 20, 40, 80, 160, 320]) {
      await killWhileMigrating(pool, startCommand(['migrate'], settings), delayMs)
      const schema = await describeSchema(pool)
      expect(schema).toEqual(schema.length === before.length ? before : after)
    }
    await migrate(connection)
    expect(await describeSchema(pool)).toEqual(after)
  })
})

describe('a migration that waits', () => {
  it('does not block readers while it builds indexes', async () => {
    const withIndex = '0005-folded-email-and-log-errors.sql'
    const { connection, pool } = await createOld(withIndex)
    const existing = (await pool.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables`)).rows
    const holder = await pool.connect()
    await holder.query('BEGIN; CREATE TABLE users_by_folded_email ()')
    const migrating = migrate(connection)
    while (!(await isMigrating(pool, true))) await sleep(5)
    const { rows } = await pool.query<{ name: string }>(
      `SELECT l.relation::regclass::text AS name FROM pg_locks m JOIN pg_locks l ON l.pid = m.pid AND l.granted
       WHERE m.locktype = 'advisory' AND m.objid = 7230518 AND l.mode = 'AccessExclusiveLock'
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND l.relation::regclass::text = ANY($1)`,
      [existing.map(({ name }) => name)],
    )
    expect(rows).toEqual([])
    await holder.query('ROLLBACK')
    holder.release()
    expect(await migrating).toEqual(names.slice(names.indexOf(withIndex)))
  })

  it('blocks writers for half a second at most per attempt until its tables are free', async () => {
    const { connection, pool } = await createOld(withLocks)
    // For example an import, which writes for minutes.
    const writer = await pool.connect()
    await writer.query(`BEGIN; UPDATE users SET name = 'Busy' WHERE id = 'u1'`)
    const waits: string[] = []
    const migrating = migrate(connection, (message) => waits.push(message))
    let writes = 0
    while (waits.length < 2) {
      // The timeout of a key lookup is the shortest.
      const text = `UPDATE users SET name = 'Quick' WHERE id = 'u2'`
      await pool.query({ text, query_timeout: 900 } as QueryConfig)
      writes++
      await sleep(10)
    }
    await writer.query('COMMIT')
    writer.release()
    expect(await migrating).toEqual(names.slice(names.indexOf(withLocks)))
    expect(waits[0]).toBe(`migration ${withLocks} waits for others who use the same tables; trying again`)
    expect(writes).toBeGreaterThan(50)
    expect(await describeSchema(pool)).toEqual(await describeSchema(upToDate.pool))
  })
})
