import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { withClient, withDb } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { isBackedUp } from '../../src/db/backup-tables.ts'
import { applyMigration, beginMigrating, listMigrations } from '../../src/db/migrate.ts'
import { countOthers } from '../../src/db/put-aside.ts'
import { addMissingColumns, describeColumns, describeRelease } from '../../src/db/rehearsal.ts'
import { compareState, saveState } from '../../src/upgrade/state.ts'
import { atEnd } from '../../test/support/at-end.ts'
import type { RunningCommand } from '../../test/support/command.ts'
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
const migrations = names.slice(0, 11)
const old = await createDatabaseAt(migrations)
await old.pool.query(oldData(migrations, 60))
const columns = await withClient(old.connection, describeColumns)
const known = new Map([...columns].map(([table, list]) => [table, new Set(list.map(({ name }) => name))]))
const stateFile = join(temporaryFolder(), 'state')
const release = await describeRelease((await createBareDatabase()).connection)
const removeViews = await addMissingColumns(old.connection, release)
const stateBefore = await saveState(old.connection, known, stateFile)
await removeViews()
known.delete('schema_migrations')
const rowsBefore = await readAllRows(old.pool, known)
/** The schemas after 0, 1, 2, … of the missing migrations */
const schemas = await listSchemas()
const named = await old.pool.query<{ name: string }>(`SELECT current_database() AS name`)
const template = named.rows[0]?.name
// A database with connections cannot be copied.
await withClient(inject('superuser'), (client) =>
  client.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1`, [template]),
)

async function listSchemas(): Promise<string[][]> {
  const { connection, pool } = await createDatabaseAt(migrations)
  const found = [await describeSchema(pool)]
  for (const migration of names.slice(migrations.length)) {
    await withClient(connection, async (client) => {
      await beginMigrating(client)
      await applyMigration(client, migration)
      await client.query('COMMIT')
    })
    found.push(await describeSchema(pool))
  }
  return found
}

/** A copy of the old database. Its observer is not recognized as a process of the service. */
async function copyOld() {
  const { connection, superuser } = await createDatabase(template)
  const observer = new Pool({ ...connection, application_name: 'observer' })
  // The database is dropped with its connections at the end.
  observer.on('error', () => undefined)
  atEnd(() => observer.end())
  atEnd(() => dropScratch(superuser))
  const DATA_DIR = temporaryFolder()
  const settings = {
    DATABASE_URL: connectionUrl(connection),
    APP_SECRET: 'a secret of thirty-two characters',
    DATA_DIR,
  }
  return {
    connection,
    observer,
    start: (...args: string[]) => startCommand(['upgrade', ...args], settings),
    run: (...args: string[]) => runCommand(['upgrade', ...args], settings),
    backups: join(DATA_DIR, 'backups'),
  }
}

type Copy = Awaited<ReturnType<typeof copyOld>>

/** A killed rehearsal leaves its scratch database (docs/backup.md). */
async function dropScratch(superuser: Connection): Promise<void> {
  await withClient(superuser, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE current_database() || '\\_rehearsal\\_%'`,
    )
    for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  })
}

type Kill = (command: RunningCommand, copy: Copy, durationMs: number) => Promise<void>

const atRandomMoment: Kill = async (command, _, durationMs) => {
  await sleep(Math.random() * durationMs)
  command.kill('SIGKILL')
}
const afterLine =
  (pattern: RegExp): Kill =>
  async (command) => {
    await command.waitFor(pattern)
    command.kill('SIGKILL')
  }
const whileMigrating =
  (delayMs: number): Kill =>
  async (command, { observer }) =>
    killWhileMigrating(observer, command, Math.random() * delayMs)

/** Returns when the server has closed its connections. */
async function killCommand(copy: Copy, args: string[], kill: Kill, durationMs: number): Promise<void> {
  const command = copy.start(...args)
  await kill(command, copy, durationMs)
  await command.ended
  while ((await withDb(copy.connection, countOthers)) > 0) await sleep(20)
}

async function measure(work: () => Promise<{ status: unknown; stderr: string }>): Promise<number> {
  const started = performance.now()
  expect(await work()).toMatchObject({ status: 0, stderr: '' })
  return performance.now() - started
}

const random = (times: number): [string, Kill][] =>
  Array.from({ length: times }, (_, i) => [`at a random moment (${i + 1})`, atRandomMoment])

describe('quoting upgrade, killed', () => {
  let durationMs = 0
  beforeAll(async () => {
    const { run } = await copyOld()
    durationMs = await measure(() => run())
  })

  it.each<[string, Kill]>([
    ...random(3),
    ['after the backup', afterLine(/^Backed up/)],
    ['when the rehearsal begins', afterLine(/Restoring into the scratch database/)],
    ['while it migrates', whileMigrating(200)],
  ])('%s, loses no row, and the next run completes it', async (_, kill) => {
    const copy = await copyOld()
    const { connection, observer, run, backups } = copy
    await killCommand(copy, [], kill, durationMs)
    expect(schemas).toContainEqual(await describeSchema(observer))
    expect(await readAllRows(observer, known)).toEqual(rowsBefore)

    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    expect(await describeSchema(observer)).toEqual(schemas.at(-1))
    expect(await readAllRows(observer, known)).toEqual(rowsBefore)
    expect(await compareState(connection, known, stateFile)).toEqual({ ...stateBefore, differences: [] })

    // The attempts left backups. The first one restores the state before all of them.
    const first = readdirSync(backups)
      .toSorted()
      .find((name) => name.endsWith('.gz'))
    expect(await run('--back', join(backups, first ?? ''))).toMatchObject({ status: 0, stderr: '' })
    expect(await describeSchema(observer)).toEqual(schemas[0])
  })
})

describe('quoting upgrade --back, killed', () => {
  const restored = Object.fromEntries(
    Object.entries(rowsBefore).map(([table, rows]) => [table, isBackedUp(table) ? rows : []]),
  )
  /** An upgraded database with later writes */
  const createUpgraded = async () => {
    const copy = await copyOld()
    expect(await copy.run()).toMatchObject({ status: 0, stderr: '' })
    await copy.observer.query(`INSERT INTO leads (company_id, id) VALUES ('c', 'later')`)
    const describeAll = async () => ({
      schema: await describeSchema(copy.observer),
      rows: await readAllRows(copy.observer),
    })
    const listKept = async () => {
      const { rows } = await copy.observer.query<{ name: string }>(
        `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'kept\\_%' ORDER BY 1`,
      )
      return rows.map(({ name }) => name)
    }
    return { ...copy, describeAll, listKept }
  }
  let durationMs = 0
  beforeAll(async () => {
    const { run } = await createUpgraded()
    durationMs = await measure(() => run('--back'))
  })

  it.each<[string, Kill]>([...random(3), ['while it restores', whileMigrating(300)]])(
    '%s, changes everything or nothing, and the next run completes it',
    async (_, kill) => {
      const copy = await createUpgraded()
      const { connection, observer, run, describeAll, listKept } = copy
      const upgraded = await describeAll()
      await killCommand(copy, ['--back'], kill, durationMs)
      const isBack = (await listKept()).length > 0
      const found = isBack
        ? { schema: await describeSchema(observer), rows: await readAllRows(observer, known) }
        : await describeAll()
      expect(found).toEqual(isBack ? { schema: schemas[0], rows: restored } : upgraded)

      expect(await run('--back')).toMatchObject({ status: 0, stderr: '' })
      expect(await describeSchema(observer)).toEqual(schemas[0])
      expect(await readAllRows(observer, known)).toEqual(restored)
      const [aside = ''] = await listKept()
      expect((await observer.query(`SELECT FROM ${aside}.leads WHERE id = 'later'`)).rowCount).toBe(1)
      const removeViewsAgain = await addMissingColumns(connection, release)
      expect(await compareState(connection, known, stateFile)).toEqual({ ...stateBefore, differences: [] })
      await removeViewsAgain()
    },
  )
})
