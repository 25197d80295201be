import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { isBackedUp } from '../../src/db/backup-tables.ts'
import { listMigrations } from '../../src/db/migrate.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { programWith } from '../../test/support/changed-program.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { oldData } from '../../test/support/old-data.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import { createDatabaseAt, describeSchema, readAllRows } from '../../test/support/schema.ts'

const names = await listMigrations()
const upToDate = await createDatabase()
const APP_SECRET = 'a secret of thirty-two characters'

/** An old database without connections that are recognized as a process of the service. */
async function createOld(migrations: readonly string[]) {
  const { connection, pool } = await createDatabaseAt(migrations)
  await pool.query(oldData(migrations, 60))
  const observer = new Pool({ ...connection, application_name: 'observer' })
  // The database is dropped with its connections at the end.
  observer.on('error', () => undefined)
  atEnd(() => observer.end())
  await observer.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'quoting'`,
  )
  const DATA_DIR = temporaryFolder()
  const settings = { DATABASE_URL: connectionUrl(connection), APP_SECRET, DATA_DIR }
  const describeAll = async () => ({
    schema: await describeSchema(observer),
    rows: await readAllRows(observer),
  })
  const run = (...args: string[]) => runCommand(args, settings)
  return { observer, settings, describeAll, run, backups: join(DATA_DIR, 'backups') }
}

describe('quoting upgrade', () => {
  it('backs up, rehearses, migrates and compares, and --back restores schema and rows and keeps later data', async () => {
    const { observer, describeAll, run, backups } = await createOld(names.slice(0, 4))
    const before = await describeAll()
    const upgraded = await run('upgrade')
    expect([upgraded.stderr, upgraded.status]).toEqual(['', 0])
    const [backup = ''] = readdirSync(backups)
    const file = join(backups, backup)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(upgraded.stdout).toMatch(/^Backed up \d+ rows of \d+ tables to \S+ and verified it\.$/m)
    expect(upgraded.stdout).toContain(`Applied ${names.at(-1)}.\n`)
    expect(upgraded.stdout).toContain('Row counts, records and 120 totals are the same as before.\n')
    expect(upgraded.stdout).toContain(`run "quoting upgrade --back ${file}"`)
    expect(await describeSchema(observer)).toEqual(await describeSchema(upToDate.pool))
    expect((await run('upgrade')).stdout).toBe('The schema is up to date.\n')

    await observer.query(`INSERT INTO leads (company_id, id) VALUES ('c', 'later')`)
    const back = await run('upgrade', '--back')
    expect([back.stderr, back.status]).toEqual(['', 0])
    const restored = Object.entries(before.rows).map(([table, rows]) => [
      table,
      isBackedUp(table) ? rows : [],
    ])
    expect(await describeAll()).toEqual({ schema: before.schema, rows: Object.fromEntries(restored) })
    const [, aside = ''] = /is kept in the schema (kept_\w+)\.$/m.exec(back.stdout) ?? []
    const kept = await observer.query(`SELECT FROM ${aside}.leads WHERE id = 'later'`)
    expect(kept.rowCount).toBe(1)
    expect(back.stdout).toContain(`Start the release of ${names[3]}.`)

    expect(await run('upgrade', '--backups', temporaryFolder())).toMatchObject({ status: 0, stderr: '' })
    expect(await describeSchema(observer)).toEqual(await describeSchema(upToDate.pool))
  })

  it('changes nothing if the rehearsal finds a difference', async () => {
    const { settings, describeAll, backups } = await createOld(names)
    const before = await describeAll()
    const program = programWith(`UPDATE quotes SET base_fee_cents = base_fee_cents + 1 WHERE id = 'q3'`)
    const { status, stderr } = await runCommand(['upgrade'], settings, undefined, program)
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^After the migration, total of quote "q3" of company "c": \d+ before, \d+ after\.$/m,
    )
    expect(stderr).toMatch(/^The database itself was not changed\.$/m)
    expect(await describeAll()).toEqual(before)
    expect(readdirSync(backups)).toHaveLength(1)
  })

  it('--back requires a complete backup and a database that no process uses', async () => {
    const { settings, describeAll, run, backups } = await createOld(names.slice(0, -1))
    expect(await run('upgrade')).toMatchObject({ status: 0 })
    const [backup = ''] = readdirSync(backups)
    const file = join(backups, backup)
    const after = await describeAll()

    const damaged = join(temporaryFolder(), 'damaged.gz')
    writeFileSync(damaged, readFileSync(file).subarray(0, -200))
    const rejected = await run('upgrade', '--back', damaged)
    expect(rejected).toEqual({ status: 1, stdout: '', stderr: 'quoting: the backup is cut off\n' })
    const missing = await run('upgrade', '--back', '--backups', temporaryFolder())
    expect(missing.stderr).toMatch(/has no backup of an upgrade\n$/)

    const server = startCommand(['serve'], { ...settings, PORT: '0', LOG_LEVEL: 'error' })
    await server.waitFor(/API at/)
    const busy = await run('upgrade', '--back')
    expect([busy.status, busy.stdout]).toEqual([1, ''])
    expect(busy.stderr).toMatch(/^quoting: \d+ connection\(s\) of other processes use the database: stop all/)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect((await describeAll()).schema).toEqual(after.schema)

    expect(await run('upgrade', '--back', file)).toMatchObject({ status: 0, stderr: '' })
  })

  it('works with the embedded database', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data')
    const settings = { DATA_DIR }
    const world = `{"object":"company","id":"co_1","name":"Tidewater","plan":"PREMIUM","currency":"USD"}\n`
    expect(await runCommand(['import', '-'], settings, world)).toMatchObject({ status: 0 })
    const exported = await runCommand(['export'], settings)
    const program = programWith('ALTER TABLE quotes ADD COLUMN mood text')
    const upgraded = await runCommand(['upgrade'], settings, undefined, program)
    expect([upgraded.stderr, upgraded.status]).toEqual(['', 0])
    expect(upgraded.stdout).toContain('Row counts, records and 0 totals are the same as before.\n')
    // The later migration is unknown to this release.
    const unknown = await runCommand(['backup', join(DATA_DIR, 'later.gz')], settings)
    expect(unknown.stderr).toMatch(/has migration 9999-later\.sql/)

    const back = await runCommand(['upgrade', '--back'], settings, undefined, program)
    expect([back.stderr, back.status]).toEqual(['', 0])
    const entries = readdirSync(DATA_DIR).filter((name) => /rehearsal/.test(name))
    expect(entries).toEqual([])
    expect((await runCommand(['export'], settings)).stdout).toBe(exported.stdout)
    expect(await runCommand(['backup', join(DATA_DIR, 'later.gz')], settings)).toMatchObject({ status: 0 })
  })
})
