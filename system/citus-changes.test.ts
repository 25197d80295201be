/** Distribution of an empty database, migrations of a distributed one, and a killed `quoting distribute`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openClient, withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { distribute } from '../src/db/distribute.ts'
import { listMigrations, migrate } from '../src/db/migrate.ts'
import { PLACEMENTS } from '../src/db/table-placement.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { programWith } from '../test/support/changed-program.ts'
import { exportHash, readEverything, startService } from '../test/support/citus-service.ts'
import { startCluster } from '../test/support/citus.ts'
import { connectionUrl, onDatabase } from '../test/support/connections.ts'
import { runCommand, startCommand } from '../test/support/process.ts'
import { applyMigrations } from '../test/support/schema.ts'

const { coordinator, addDatabase } = await startCluster()
const KEY = 'eqs_demo_harborlight'
const singleSettings = (connection: Connection) => ({ DATABASE_URL: connectionUrl(connection) })
const distributedSettings = (connection: Connection) => ({
  ...singleSettings(connection),
  DATABASE_DISTRIBUTED: 'true',
})

/** The demo world in a database that is not distributed, and the responses of the service. */
async function createExpected() {
  await withClient(coordinator, (client) => client.query('CREATE DATABASE single'))
  const connection = onDatabase(coordinator, 'single')
  await migrate(connection)
  await fillWithDemo(connection)
  const { stdout: world } = await runCommand(['export'], singleSettings(connection))
  const service = await startService(singleSettings(connection))
  const answers = await readEverything(service, KEY)
  service.stop()
  return { world, answers }
}
const expected = await createExpected()

async function importAndCompare(connection: Connection): Promise<void> {
  const settings = distributedSettings(connection)
  expect(await runCommand(['import', '-'], settings, expected.world)).toMatchObject({ status: 0 })
  expect((await runCommand(['export'], settings)).stdout).toBe(expected.world)
  const service = await startService(settings)
  expect(await readEverything(service, KEY)).toEqual(expected.answers)
  service.stop()
}

type Value = string | number | boolean | null
const readColumn = async (connection: Connection, text: string): Promise<Value[]> =>
  (await withClient(connection, (client) => client.query<[Value]>({ text, rowMode: 'array' }))).rows.flat()

/** The result of a statement on each worker. */
const onWorkers = (connection: Connection, statement: string) =>
  readColumn(connection, `SELECT result FROM run_command_on_workers($$${statement}$$)`)

const distributedTables = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === 'distributed')

describe('an empty database', () => {
  it('is migrated and distributed, and accepts an import', async () => {
    const connection = await addDatabase('empty')
    const { status, stdout, stderr } = await runCommand(['distribute'], singleSettings(connection))
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Distributed by company over 2 workers: quotes, /)
    await importAndCompare(connection)
  }, 240_000)
})

describe('migrations of a distributed database', () => {
  it('run in an upgrade', async () => {
    const connection = await addDatabase('older')
    const names = await listMigrations()
    // `distribute` expects all tables of this release, and later migrations add none.
    await applyMigrations(connection, names.slice(0, names.indexOf('0018-invoices.sql')))
    const { distributed } = await distribute(connection)
    expect(distributed.toSorted()).toEqual(distributedTables)
    expect(await runCommand(['migrate'], distributedSettings(connection))).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(await readColumn(connection, 'SELECT name FROM schema_migrations ORDER BY name')).toEqual(names)
    await importAndCompare(connection)
  }, 240_000)

  it('change tables, indexes, functions and rows on all servers', async () => {
    const connection = onDatabase(coordinator, 'older')
    const settings = distributedSettings(connection)
    const hash = await exportHash(settings)
    const program = programWith(`
      -- A comment; with a semicolon.
      ALTER TABLE events ADD COLUMN later_note text, ADD COLUMN later_count bigint NOT NULL DEFAULT 3;
      CREATE INDEX events_by_later_note ON events (company_id, later_note);
      CREATE FUNCTION later_text(given text) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
        SELECT 'later; ' || given
      $body$;
      UPDATE events SET later_note = later_text(id);
      ALTER TABLE events ALTER COLUMN later_note SET NOT NULL;
      CREATE TABLE later_queue (id text PRIMARY KEY, added_at timestamptz NOT NULL DEFAULT now());
      INSERT INTO later_queue (id) VALUES ('first');`)
    expect(await runCommand(['migrate'], settings, undefined, program)).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(
      await readColumn(
        connection,
        `SELECT count(*)::int FROM events WHERE later_note IS DISTINCT FROM 'later; ' || id OR later_count <> 3`,
      ),
    ).toEqual([0])
    expect(await readColumn(connection, 'SELECT id FROM later_queue')).toEqual(['first'])
    expect(await onWorkers(connection, "SELECT later_text('x')")).toEqual(['later; x', 'later; x'])
    const hasIndexes = "SELECT count(*) > 0 FROM pg_indexes WHERE indexname LIKE 'events_by_later_note_%'"
    expect(await onWorkers(connection, hasIndexes)).toEqual(['t', 't'])
    expect(await runCommand(['distribute'], settings, undefined, program)).toMatchObject({ status: 0 })
    expect(await exportHash(settings)).toBe(hash)
  }, 120_000)

  it('change nothing if one statement fails', async () => {
    const connection = onDatabase(coordinator, 'older')
    const program = programWith(`
      ALTER TABLE quotes ADD COLUMN half_done text;
      UPDATE quotes SET half_done = 1 / (length(id) - length(id));`)
    await withClient(connection, (client) =>
      client.query("DELETE FROM schema_migrations WHERE name = '9999-later.sql'"),
    )
    const settings = distributedSettings(connection)
    expect(await runCommand(['migrate'], settings, undefined, program)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('9999-later.sql failed') as string,
    })
    const columns = "SELECT count(*)::int FROM pg_attribute WHERE attname = 'half_done'"
    expect([await readColumn(connection, columns), await onWorkers(connection, columns)]).toEqual([
      [0],
      ['0', '0'],
    ])
    await exportHash(settings)
  }, 120_000)
})

describe('a killed quoting distribute', () => {
  const distributedCount = "SELECT count(*)::int FROM pg_dist_partition WHERE partmethod = 'h'"
  /** Distributed tables with local rows on the coordinator from before the distribution */
  const leftTables = `SELECT name FROM unnest(ARRAY['${distributedTables.join("', '")}']) name WHERE pg_relation_size(name::regclass) > 0`

  const inspect = async (settings: Record<string, string>) => ({
    hash: await exportHash(settings),
    findings: (await runCommand(['doctor'], settings)).stderr,
  })

  /** Kills it while it waits for a lock on `tasks` that conflicts with this mode. Returns when the server has noticed. */
  async function killAtTasks(name: string, mode: string) {
    const connection = await addDatabase(name)
    await migrate(connection)
    await fillWithDemo(connection)
    const before = await inspect(singleSettings(connection))
    const holder = await openClient(connection)
    await holder.query(`BEGIN; LOCK TABLE tasks IN ${mode} MODE`)
    const killed = startCommand(['distribute'], singleSettings(connection))
    const waiting = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'tasks'::regclass`
    let pid: Value | undefined
    while (pid === undefined) [pid] = await readColumn(connection, waiting)
    killed.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    await holder.end()
    const running = `SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`
    while ((await readColumn(connection, running)).length > 0) await sleep(20)
    return { connection, before }
  }

  async function expectComplete(connection: Connection, before: object) {
    const settings = distributedSettings(connection)
    expect(await readColumn(connection, distributedCount)).toEqual([distributedTables.length])
    expect(await readColumn(connection, leftTables)).toEqual([])
    expect(await inspect(settings)).toEqual(before)
    expect(await onWorkers(connection, 'SHOW timezone')).toEqual(['UTC', 'UTC'])
  }

  it('changes nothing during its transaction, and the next run distributes everything', async () => {
    const { connection, before } = await killAtTasks('killed_early', 'ROW EXCLUSIVE')
    const settings = singleSettings(connection)
    expect(await readColumn(connection, distributedCount)).toEqual([0])
    expect(await inspect(settings)).toEqual(before)
    const next = await runCommand(['distribute'], settings)
    expect(next).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Distributed by company over 2 workers: quotes, /) as string,
    })
    await expectComplete(connection, before)
  }, 120_000)

  it('leaves rows on the coordinator after its transaction, which the next run removes', async () => {
    const { connection, before } = await killAtTasks('killed_late', 'ACCESS SHARE')
    expect(await readColumn(connection, leftTables)).toContain('tax_rates')
    const message = expect.stringContaining('set DATABASE_DISTRIBUTED=true') as string
    const without = await runCommand(['distribute'], singleSettings(connection))
    expect(without).toMatchObject({ status: 1, stderr: message })
    const next = await runCommand(['distribute'], distributedSettings(connection))
    expect(next).toMatchObject({ status: 0 })
    await expectComplete(connection, before)
  }, 120_000)
})
