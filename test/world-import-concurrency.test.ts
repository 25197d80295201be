import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { clearWorld, exportRecords, importRecords, importValid, MINIMAL_WORLD } from './support/world.ts'
import { createImportDatabase } from './support/world-import.ts'

const { pool, connection } = await createImportDatabase()

describe('concurrent imports', () => {
  it('wait for each other', async () => {
    await clearWorld(pool)
    const worlds = [MINIMAL_WORLD, MINIMAL_WORLD.toReversed(), MINIMAL_WORLD, MINIMAL_WORLD.toReversed()]
    const results = await Promise.all(worlds.map((world) => importRecords(connection, world)))
    expect(results.map((result) => result.errorCount)).toEqual([0, 0, 0, 0])
    expect(await exportRecords(connection)).toHaveLength(MINIMAL_WORLD.length)
  })

  it('do not block reads or new tasks, and take no table lock above ROW EXCLUSIVE', async () => {
    await importValid(connection, MINIMAL_WORLD)
    const holder = await pool.connect()
    const other = await pool.connect()
    try {
      // Tasks come last, so an import that waits for this row holds all its other locks.
      await holder.query(`BEGIN; SELECT FROM tasks WHERE id = 'task' FOR UPDATE`)
      const changed = MINIMAL_WORLD.map((record) => ({ ...record, updatedAt: '2026-01-01T00:00:00.000Z' }))
      const importing = importRecords(connection, changed)
      const locks = await waitForLocks(other)
      expect(locks.filter(({ table }) => table === 'quotes').length).toBeGreaterThan(0)
      const modes = new Set(locks.map(({ mode }) => mode))
      expect([...modes].toSorted()).toEqual(['AccessShareLock', 'RowExclusiveLock', 'RowShareLock'])
      await other.query(`SET lock_timeout = '1s'`)
      expect((await other.query('SELECT FROM quotes')).rowCount).toBe(1)
      await other.query(
        `INSERT INTO tasks (company_id, id, event_id, description) VALUES ('c', 'made', 'evt', 'Meanwhile')`,
      )
      await holder.query('ROLLBACK')
      expect(await importing).toMatchObject({ errorCount: 0 })
      expect(await exportRecords(connection, { object: 'task' })).toHaveLength(2)
    } finally {
      holder.release(true)
      other.release(true)
    }
  })
})

/** The table locks of the session that waits for a row. */
async function waitForLocks(client: PoolClient): Promise<{ table: string; mode: string }[]> {
  for (;;) {
    const { rows } = await client.query<{ table: string; mode: string }>(`
      SELECT l.relation::regclass::text AS table, l.mode FROM pg_locks l
      JOIN pg_class c ON c.oid = l.relation AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'transactionid')`)
    if (rows.length > 0) return rows
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
