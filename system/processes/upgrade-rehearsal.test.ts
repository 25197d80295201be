import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listLoaders } from '../../src/api/expansion/relations.ts'
import { withClient } from '../../src/db/connect.ts'
import { listMigrations } from '../../src/db/migrate.ts'
import { KINDS } from '../../src/world/kinds.ts'
import { programWith } from '../../test/support/changed-program.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { oldData } from '../../test/support/old-data.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import { createDatabaseAt, describeSchema, readAllRows } from '../../test/support/schema.ts'

const names = await listMigrations()
/** The 14 statements of src/upgrade/hot-statements.ts, and one for each relation. */
const statements = 14 + listLoaders().size
const APP_SECRET = 'a secret of thirty-two characters'

async function createOld(migrations: readonly string[], quotes = 120) {
  const old = await createDatabaseAt(migrations)
  await old.pool.query(oldData(migrations, quotes))
  const folder = temporaryFolder()
  const settings = {
    DATABASE_URL: connectionUrl(old.connection),
    APP_SECRET,
    DATA_DIR: join(folder, 'data'),
    // /tmp can be in memory in a container, so the command must not write there.
    TMPDIR: join(folder, 'missing'),
  }
  const describeAll = async () => ({
    schema: await describeSchema(old.pool),
    rows: await readAllRows(old.pool),
  })
  const listScratch = async () => {
    const { rows } = await old.pool.query(
      `SELECT datname FROM pg_database WHERE datname LIKE current_database() || '\\_rehearsal\\_%'`,
    )
    return rows
  }
  return { ...old, settings, describeAll, listScratch, listFiles: () => readdirSync(folder) }
}

describe('quoting upgrade --rehearse', () => {
  it.each(names.slice(0, -1).map((name, i) => [name, i + 1] as const))(
    'from %s finds no differences, and does not change the database',
    async (_, count) => {
      const { settings, describeAll, listScratch, listFiles } = await createOld(names.slice(0, count))
      const before = await describeAll()
      const records = KINDS.reduce((sum, { table }) => sum + (before.rows[table.name]?.length ?? 0), 0)
      const { status, stdout, stderr } = await runCommand(['upgrade', '--rehearse'], settings)
      expect([stderr, status]).toEqual(['', 0])
      for (const name of names.slice(count))
        expect(stdout).toMatch(new RegExp(`^${name}: \\d+\\.\\d\\d s, `, 'm'))
      expect(stdout).toMatch(
        new RegExp(
          `^Compared the rows of \\d+ tables, ${records} records, 240 totals and the plans of ${statements} statements\\.$`,
          'm',
        ),
      )
      expect(stdout).toMatch(/^The export has the same SHA-256 before and after: [0-9a-f]{64}\.$/m)
      expect(stdout).toMatch(/^The rehearsal succeeded\. The database itself was not changed\.$/m)
      expect(await describeAll()).toEqual(before)
      expect(await listScratch()).toEqual([])
      expect(listFiles()).toEqual([])
    },
  )

  it('writes its files to the folder of --backups', async () => {
    const { settings } = await createOld(names.slice(0, -1))
    const folder = temporaryFolder()
    const isolated = { ...settings, DATA_DIR: '/proc/nowhere' }
    const running = startCommand(['upgrade', '--rehearse', '--backups', folder], isolated)
    await running.waitFor(/Restoring into the scratch database/)
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^rehearsal-/)])
    expect(await running.ended).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  it('prints the locks that block other sessions', async () => {
    const { settings } = await createOld(names.slice(0, names.indexOf('0006-no-triggers.sql')))
    const { stdout } = await runCommand(['upgrade', '--rehearse'], settings)
    expect(stdout).toMatch(
      /^0006-no-triggers\.sql: .*ACCESS EXCLUSIVE, which blocks reads and writes, on .*users/m,
    )
  })

  it('reports a migration that changes a total, loses a row or drops an index', async () => {
    const { settings, describeAll, listScratch } = await createOld(names)
    const before = await describeAll()
    const program = programWith(`
      UPDATE line_items SET price_cents = price_cents + 1 WHERE company_id = 'd' AND id = 'line7_1';
      DELETE FROM tasks WHERE company_id = 'c' AND id = 't10';
      DROP INDEX quotes_by_creation;`)
    const { status, stdout, stderr } = await runCommand(
      ['upgrade', '--rehearse'],
      settings,
      undefined,
      program,
    )
    expect(status).toBe(1)
    expect(stdout).not.toContain('succeeded')
    expect(stderr).toContain('After the migration, rows of tasks: 20 before, 19 after.\n')
    expect(stderr).toMatch(/^After the migration, "list quotes" reads quotes by \w+ instead of /m)
    expect(await describeAll()).toEqual(before)
    expect(await listScratch()).toEqual([])

    const repriced = programWith(
      `UPDATE line_items SET price_cents = price_cents + 1 WHERE company_id = 'd' AND id = 'line7_1'`,
    )
    const found = await runCommand(['upgrade', '--rehearse'], settings, undefined, repriced)
    expect(found.status).toBe(1)
    expect(found.stderr).toMatch(/^After the migration, lineItem "line7_1" of company "d" differs\.$/m)
    expect(found.stderr).toMatch(
      /^After the migration, total of quote "q7" of company "d": \d+ before, \d+ after\.$/m,
    )
  })

  it('reports dropped indexes of key lookups, relations, tasks and changes', async () => {
    const { settings } = await createOld(names, 500)
    const program = programWith(`
      DROP INDEX api_keys_key_hash, service_days_by_quote, line_items_by_quote, tasks_by_event;
      ALTER TABLE changes DROP CONSTRAINT changes_pkey`)
    const { status, stderr } = await runCommand(['upgrade', '--rehearse'], settings, undefined, program)
    expect(status).toBe(1)
    for (const [statement, table, index] of [
      ['find the company of a key', 'api_keys', 'api_keys_key_hash'],
      ['expand quote.serviceDays', 'service_days', 'service_days_by_quote'],
      ['expand quote.services', 'line_items', 'line_items_by_quote'],
      ['list tasks of an event', 'tasks', 'tasks_by_event'],
      ['checklist of an event', 'tasks', 'tasks_by_event'],
      ['oldest and newest change', 'changes', 'changes_pkey'],
    ])
      expect(stderr).toMatch(
        new RegExp(
          `^After the migration, "${statement}" reads ${table} by \\w+ instead of ${index}\\.$`,
          'm',
        ),
      )
  })

  it('removes the scratch database if a migration fails', async () => {
    const { settings, describeAll, listScratch } = await createOld(names)
    const before = await describeAll()
    const program = programWith('ALTER TABLE quotes ADD COLUMN currency text')
    const { status, stderr } = await runCommand(['upgrade', '--rehearse'], settings, undefined, program)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^quoting: migration 9999-later\.sql failed: [^\n]*already exists\n$/)
    expect(await describeAll()).toEqual(before)
    expect(await listScratch()).toEqual([])
  })

  it('removes the scratch database if it is stopped', async () => {
    const { settings, describeAll, listScratch } = await createOld(names.slice(0, 3))
    const before = await describeAll()
    const stopped = startCommand(['upgrade', '--rehearse'], settings)
    await stopped.waitFor(/Restoring into the scratch database/)
    stopped.kill('SIGTERM')
    expect(await stopped.ended).toBe(128 + 15)
    expect(await describeAll()).toEqual(before)
    expect(await listScratch()).toEqual([])
  })

  it('uses a temporary server with the embedded database', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data')
    mkdirSync(DATA_DIR, { mode: 0o700 })
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
    const upToDate = await runCommand(['upgrade', '--rehearse'], { DATA_DIR })
    expect(upToDate.stdout).toBe('The schema is up to date. There is nothing to rehearse.\n')
    const entries = readdirSync(DATA_DIR)
    const program = programWith('ALTER TABLE quotes ADD COLUMN mood text')
    const { status, stdout, stderr } = await runCommand(
      ['upgrade', '--rehearse'],
      { DATA_DIR },
      undefined,
      program,
    )
    expect([stderr, status]).toEqual(['', 0])
    expect(stdout).toMatch(
      /^9999-later\.sql: .* ACCESS EXCLUSIVE, which blocks reads and writes, on quotes\.$/m,
    )
    expect(readdirSync(DATA_DIR)).toEqual(entries)
  })

  it('prints the right that a role needs to create databases', async () => {
    const { connection, superuser, pool } = await createDatabase()
    const role = `limited_${process.pid}`
    await pool.query(`DELETE FROM schema_migrations WHERE name = '${names.at(-1)}'`)
    await withClient(superuser, (client) =>
      client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}' IN ROLE quoting`),
    )
    const settings = {
      DATABASE_URL: connectionUrl({ ...connection, user: role, password: role }),
      APP_SECRET,
    }
    const { status, stderr } = await runCommand(['upgrade', '--rehearse'], settings)
    await withClient(superuser, (client) => client.query(`DROP ROLE ${role}`))
    expect(status).toBe(1)
    expect(stderr).toBe('quoting: the role may not create a scratch database: ALTER ROLE … CREATEDB\n')
  })
})
