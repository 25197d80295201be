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
import { createBareDatabase, createDatabaseAt, describeSchema } from '../../test/support/schema.ts'

const names = await listMigrations()
const upToDate = await createDatabase()
const release = await describeRelease((await createBareDatabase()).connection)

it.each(names.slice(0, -1).map((name, i) => [name, i + 1] as const))(
  'an upgrade from %s that is killed three times loses nothing and changes no total',
  async (_, count) => {
    const { connection, pool } = await createDatabaseAt(names.slice(0, count))
    await pool.query(oldData(300))
    const columns = await withClient(connection, describeColumns)
    const known = new Map([...columns].map(([table, list]) => [table, new Set(list.map(({ name }) => name))]))
    const file = join(temporaryFolder(), 'state')
    const removeViews = await addMissingColumns(connection, release)
    const before = await saveState(connection, known, file)
    await removeViews()
    expect(before).toMatchObject({ totals: 600, records: 3082 })

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
  },
)
