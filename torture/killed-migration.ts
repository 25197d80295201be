/** The last migration, killed for real at random moments. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Connection } from '../src/db/connect.ts'
import {
  applyMigration,
  beginMigrating,
  listMigrations,
  migrate,
  prepareCluster,
  runAsSuperuser,
  startEmbedded,
  withClient,
} from './built.ts'
import { startCommand } from './command.ts'
import type { Item } from './item.ts'
import { createRandom } from './random.ts'

export const killedMigration: Item = {
  name: 'killed-migration',
  title: 'A migration killed in the middle',
  run: async ({ folder, quick, seed }) => {
    const kills = quick ? 8 : 40
    const random = createRandom(seed)
    const dataDir = join(folder, 'migrated')
    // The service itself needs only one database.
    await runAsSuperuser(await prepareCluster(dataDir), 'postgres', 'ALTER ROLE quoting CREATEDB;')
    const server = await startEmbedded(dataDir)
    let [unclean, undone] = [0, 0]
    try {
      const expected = await describeUpToDate(server.connection)
      let old = await createOld(server.connection, 'old_0')
      for (let i = 0; i < kills; i++) {
        // Every other one early: how long it takes is this machine's to say, and it must not always be over.
        await killWhileMigrating(old.connection, random.between(0, i % 2 === 0 ? 30 : 400))
        const found = await withClient(old.connection, describe)
        if (found !== old.description && found !== expected) unclean++
        if (found === old.description) undone++
        else old = await createOld(server.connection, `old_${i + 1}`)
      }
      await migrate(old.connection)
      if ((await withClient(old.connection, describe)) !== expected) unclean++
    } finally {
      await server.stop()
    }
    const detail = `${kills} kills; ${undone} before the commit, ${kills - undone} after`
    return [
      {
        name: 'databases neither before nor after it',
        value: unclean,
        goal: '0',
        pass: unclean === 0,
        detail,
      },
      {
        // A kill that comes too late tries nothing.
        name: 'kills before the commit',
        value: undone,
        goal: `>= ${kills / 4}`,
        pass: undone >= kills / 4,
      },
    ]
  },
}

/** Tables, columns, indexes, functions and triggers, and how many rows follow from others. */
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

async function createDatabase(server: Connection, name: string): Promise<Connection> {
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`))
  return { ...server, database: name }
}

async function describeUpToDate(server: Connection): Promise<string> {
  const connection = await createDatabase(server, 'up_to_date')
  await migrate(connection)
  return withClient(connection, describe)
}

/** Before the last migration, with enough rows that it takes a while. */
async function createOld(
  server: Connection,
  name: string,
): Promise<{ connection: Connection; description: string }> {
  const connection = await createDatabase(server, name)
  const description = await withClient(connection, async (client) => {
    await beginMigrating(client)
    for (const migration of (await listMigrations()).slice(0, -1)) await applyMigration(client, migration)
    await client.query(`
      INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD');
      INSERT INTO users (company_id, id, email, name, role, password_hash)
        SELECT 'c', 'u' || n, md5(n::text) || '@Example.com', 'User', 'MEMBER', 'x' FROM generate_series(1, 100000) n;
      INSERT INTO sessions (company_id, token_hash, user_id, expires_at)
        SELECT 'c', md5(n::text) || md5('x' || n), 'u' || n, now() + interval '1 day' FROM generate_series(1, 100000) n;
      COMMIT`)
    return describe(client)
  })
  return { connection, description }
}

async function killWhileMigrating({ host, port, user, password, database }: Connection, delayMs: number) {
  const query = new URLSearchParams({ host: host ?? '', port: String(port) })
  const url = `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?${query.toString()}`
  const killed = startCommand(['migrate'], {
    DATABASE_URL: url,
    APP_SECRET: 'a secret of thirty-two characters',
  })
  const ended = killed.ended.then(() => true)
  const connection = { host, port, user, password, database } as Connection
  await withClient(connection, async (client) => {
    while (!(await isMigrating(client)) && !(await Promise.race([ended, sleep(1, false)])));
    await sleep(delayMs)
    killed.kill('SIGKILL')
    await ended
    while (await isMigrating(client)) await sleep(5)
  })
}

async function isMigrating(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7230518 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  return rowCount !== 0
}
