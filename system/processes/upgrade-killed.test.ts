import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import { listMigrations } from '../../src/db/migrate.ts'
import { addMissingColumns, describeColumns, describeRelease } from '../../src/db/rehearsal.ts'
import { compareState, saveState } from '../../src/upgrade/state.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { killWhileMigrating } from '../../test/support/kill-migration.ts'
import { oldData } from '../../test/support/old-data.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import {
  createBareDatabase,
  createDatabaseAt,
  describeSchema,
  readAllRows,
} from '../../test/support/schema.ts'

const names = await listMigrations()
const upToDate = await createDatabase()
const release = await describeRelease((await createBareDatabase()).connection)

const emptyTables = (rows: Record<string, string[]>) =>
  Object.keys(rows).filter((table) => rows[table]?.length === 0)

it('test/support/old-data.ts has rows for every table of this release', async () => {
  const { pool } = await createDatabaseAt(names)
  await pool.query(oldData(names, 10))
  expect(emptyTables(await readAllRows(pool))).toEqual([])
})

it.each(names.slice(0, -1).map((name, i) => [name, i + 1] as const))(
  'an upgrade from %s that is killed three times loses no row and changes no total',
  async (_, count) => {
    const migrations = names.slice(0, count)
    const { connection, pool } = await createDatabaseAt(migrations)
    await pool.query(oldData(migrations, 300))
    const columns = await withClient(connection, describeColumns)
    const known = new Map([...columns].map(([table, list]) => [table, new Set(list.map(({ name }) => name))]))
    const file = join(temporaryFolder(), 'state')
    const removeViews = await addMissingColumns(connection, release)
    const before = await saveState(connection, known, file)
    await removeViews()
    expect(before.totals).toBe(600)
    known.delete('schema_migrations')
    const rows = await readAllRows(pool, known)
    expect(emptyTables(rows)).toEqual([])

    const settings = {
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
    }
    for (const delayMs of [Math.random() * 20, Math.random() * 100, Math.random() * 300])
      await withClient(connection, (client) =>
        killWhileMigrating(client, startCommand(['migrate'], settings), delayMs),
      )
    expect(await runCommand(['migrate'], settings)).toMatchObject({ status: 0, stderr: '' })
    expect(await describeSchema(pool)).toEqual(await describeSchema(upToDate.pool))
    expect(await compareState(connection, known, file)).toEqual({ ...before, differences: [] })
    // Includes logs, queues, and tables that are not in backups.
    expect(await readAllRows(pool, known)).toEqual(rows)
    const doctor = await runCommand(['doctor'], settings)
    expect(doctor).toMatchObject({ status: 0, stderr: '' })
  },
)
