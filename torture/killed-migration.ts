/** Upgrades from every earlier schema to this one, with data, killed at random moments. */
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Connection } from '../src/db/connect.ts'
import { killWhileMigrating } from '../test/support/kill-migration.ts'
import { oldData } from '../test/support/old-data.ts'
import {
  addMissingColumns,
  applyMigration,
  beginMigrating,
  compareState,
  describeColumns,
  describeRelease,
  listMigrations,
  migrate,
  prepareCluster,
  runAsSuperuser,
  saveState,
  startEmbedded,
  withClient,
} from './built.ts'
import { startCommand } from './command.ts'
import { atLeast, atMost } from './item.ts'
import type { Figure, Item } from './item.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'

const QUOTES = 600

/** An earlier schema with data, from which databases are cloned. */
interface Old {
  name: string
  connection: Connection
  known: Map<string, Set<string>>
  stateFile: string
}

export const killedMigration: Item = {
  name: 'killed-migration',
  title: 'Killed upgrades from every earlier schema',
  run: async ({ folder, quick, seed }) => {
    const dataDir = join(folder, 'migrated')
    // The service needs only one database.
    await runAsSuperuser(await prepareCluster(dataDir), 'postgres', 'ALTER ROLE quoting CREATEDB;')
    const server = await startEmbedded(dataDir)
    try {
      return await killUpgrades(server.connection, folder, createRandom(seed), quick ? 2 : 20)
    } finally {
      await server.stop()
    }
  },
}

/** `kills` for each earlier schema. */
async function killUpgrades(
  server: Connection,
  folder: string,
  random: Random,
  kills: number,
): Promise<Figure[]> {
  const names = await listMigrations()
  const release = await describeRelease(await createDatabase(server, 'release'))
  let [halfway, unclean, different, completed] = [0, 0, 0, 0]
  for (const count of names.keys()) {
    if (count === 0) continue
    const old = await createOld(server, names.slice(0, count), release, folder)
    const expected = await listSchemas(server, old, names.slice(count))
    const complete = async (copy: Connection) => {
      await migrate(copy)
      const { differences } = await compareState(copy, old.known, old.stateFile)
      different += differences.length
      completed++
    }
    let copy = await cloneDatabase(server, old, 'first')
    for (let i = 0; i < kills; i++) {
      // Every other kill is early, because a kill after the last commit tests nothing.
      await kill(copy, random.between(0, i % 2 === 0 ? 20 : 300))
      const reached = expected.indexOf(await withClient(copy, describe))
      if (reached < 0) unclean++
      if (reached < expected.length - 1) halfway++
      else {
        await complete(copy)
        copy = await cloneDatabase(server, old, `after_${i}`)
      }
    }
    await complete(copy)
  }
  const all = kills * (names.length - 1)
  const detail = `${all} kills, ${kills} for each of ${names.length - 1} schemas`
  return [
    atMost('databases with a partial migration', unclean, 0, '', detail),
    atMost('rows, records and totals that differ', different, 0, '', `after ${completed} upgrades`),
    atLeast('kills before the last commit', halfway, Math.floor(all / 4)),
  ]
}

async function createDatabase(server: Connection, name: string): Promise<Connection> {
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`))
  return { ...server, database: name }
}

async function cloneDatabase(server: Connection, { name }: Old, label: string): Promise<Connection> {
  const clone = `${name}_${label}`
  await withClient(server, (client) => client.query(`CREATE DATABASE ${clone} TEMPLATE ${name}`))
  return { ...server, database: clone }
}

async function createOld(
  server: Connection,
  migrations: readonly string[],
  release: Awaited<ReturnType<typeof describeRelease>>,
  folder: string,
): Promise<Old> {
  const name = `at_${migrations.length}`
  const connection = await createDatabase(server, name)
  const columns = await withClient(connection, async (client) => {
    await beginMigrating(client)
    for (const migration of migrations) await applyMigration(client, migration)
    await client.query(`${oldData(migrations, QUOTES)} COMMIT`)
    return describeColumns(client)
  })
  const known = new Map([...columns].map(([table, list]) => [table, new Set(list.map((one) => one.name))]))
  const stateFile = join(folder, `state-${name}`)
  const removeViews = await addMissingColumns(connection, release)
  await saveState(connection, known, stateFile)
  await removeViews()
  return { name, connection, known, stateFile }
}

/** The schemas after 0, 1, 2, … of the migrations. */
async function listSchemas(server: Connection, old: Old, migrations: readonly string[]): Promise<string[]> {
  const copy = await cloneDatabase(server, old, 'schemas')
  return withClient(copy, async (client) => {
    const schemas = [await describe(client)]
    for (const migration of migrations) {
      await beginMigrating(client)
      await applyMigration(client, migration)
      await client.query('COMMIT')
      schemas.push(await describe(client))
    }
    return schemas
  })
}

async function kill({ host, port, user, password, database }: Connection, delayMs: number) {
  const query = new URLSearchParams({ host: host ?? '', port: String(port) })
  const DATABASE_URL = `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?${query.toString()}`
  const APP_SECRET = 'a secret of thirty-two characters'
  const connection = { host, port, user, password, database } as Connection
  await withClient(connection, (client) =>
    killWhileMigrating(client, startCommand(['migrate'], { DATABASE_URL, APP_SECRET }), delayMs),
  )
}

/** Tables, columns, indexes, functions and triggers, and the names of applied migrations. */
async function describe(client: Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT string_agg(line, E'\\n' ORDER BY line) AS text FROM (
      SELECT format('%s.%s', a.attrelid::regclass, a.attname) AS line FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT name FROM schema_migrations) lines`)
  return rows[0]?.text ?? ''
}
