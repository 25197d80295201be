import { readFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import type { QueryConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { describe, expect, it } from 'vitest'
import type { Connection } from '../../src/db/connect.ts'
import { listMigrations, migrate, readMigration } from '../../src/db/migrate.ts'
import { repairAfterMigration } from '../../src/world/derived.ts'
import { createDatabaseAt, describeSchema, readAllRows } from '../../test/support/schema.ts'
import { createDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { exportText, importValid } from '../../test/support/world.ts'

/** Recorded responses of the previous release to every endpoint, console call and command. */
interface Recording {
  /** The migrations of the previous release */
  migrations: string[]
  texts: string[]
  sent: (Sent | { phase: 'migrated' })[]
}

interface Sent {
  client: number
  /** Initial settings of the connection */
  options?: string
  name?: string
  text: number
  values?: unknown[]
  /** Rows of a COPY */
  rows?: string
}

const recording = JSON.parse(
  readFileSync(new URL('../../test/previous-release/statements.json', import.meta.url), 'utf8'),
) as Recording
const names = await listMigrations()
const added = names.slice(recording.migrations.length)

/** Replays all statements in order over the same number of persistent connections. Returns the rows of the driver. */
async function replay(
  connection: Connection,
  betweenPhases: () => Promise<unknown>,
  afterImport: () => Promise<unknown> = async () => undefined,
): Promise<unknown[]> {
  const clients = new Map<number, Client>()
  const importing = new Set<number>()
  const results: unknown[] = []
  for (const one of recording.sent) {
    if ('phase' in one) {
      await betweenPhases()
      continue
    }
    let client = clients.get(one.client)
    if (client === undefined) {
      client = new Client({ ...connection, ...(one.options === undefined ? {} : { options: one.options }) })
      clients.set(one.client, client)
      await client.connect()
    }
    results.push(await send(client, one).catch((error: Error) => describeFailure(one, error)))
    if (one.rows !== undefined) importing.add(one.client)
    if (recording.texts[one.text] === 'COMMIT' && importing.delete(one.client)) await afterImport()
  }
  for (const client of clients.values()) await client.end()
  return results
}

async function send(client: Client, { name, text: index, values, rows }: Sent): Promise<unknown> {
  const text = recording.texts[index] ?? ''
  if (rows !== undefined) {
    const stream = client.query(copyFrom(text))
    stream.end(rows)
    await finished(stream)
    return stream.rowCount
  }
  // Without values, the driver can send several statements in one text.
  const config: QueryConfig = { text, ...(name === undefined ? {} : { name }) }
  if (values !== undefined && values.length > 0) config.values = values
  const result = await client.query({ ...config, rowMode: 'array' } as QueryConfig)
  return maskNow([result].flat().map((part) => [part.command, part.rowCount, part.rows]))
}

function describeFailure({ text }: Sent, error: Error): string {
  return `${error.message}: ${(recording.texts[text] ?? '').trim().slice(0, 200)}`
}

/** Masks current times, which differ in each run. No other times of the recording are from yesterday or today. */
function maskNow(value: unknown): unknown {
  const today = new Date().toISOString().slice(0, 10)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const time = new RegExp(`(${today}|${yesterday})[T ][0-9:.]+(\\+00|Z)?`, 'g')
  return JSON.parse(JSON.stringify(value).replace(time, 'now')) as unknown
}

describe(`processes of the previous release work while ${added.join(', ')} is applied, and after it`, () => {
  it('the recording is from the previous release', () => {
    // Before you add a migration, record the requests of the previous release: see CONTRIBUTING.md.
    expect(recording.migrations).toEqual(names.slice(0, recording.migrations.length))
    expect(added).not.toEqual([])
    expect(recording.sent.length).toBeGreaterThan(400)
  })

  it.each(['before they start', 'in the middle'])(
    'every response is the same if the migration runs %s',
    async (when) => {
      const old = await createDatabaseAt(recording.migrations)
      const expected = await replay(old.connection, async () => undefined)
      expect(expected.filter((result) => typeof result === 'string')).toEqual([])

      const migrated = await createDatabaseAt(recording.migrations)
      if (when === 'before they start') await migrate(migrated.connection)
      // There are no triggers, so the next process that starts repairs derived data after an import of the previous release.
      const repair = () => repairAfterMigration(migrated.connection)
      const answers = await replay(migrated.connection, () => migrate(migrated.connection), repair)
      // Old processes can see only the name of a migration.
      const namesMigrations = (answer: unknown) => JSON.stringify(answer).includes(`"${names[0]}"`)
      const withoutNames = (all: unknown[]) => all.filter((answer) => !namesMigrations(answer))
      expect(withoutNames(answers)).toEqual(withoutNames(expected))
      await expectComplete(migrated)
    },
  )
})

/** Tables that are not part of an export: retries, sessions and logs. */
const NOT_EXPORTED = new Set([
  'schema_migrations',
  'idempotency_records',
  'api_key_uses',
  'request_log',
  'sessions',
  'sign_in_failures',
  'setup_links',
  'invitations',
  'password_resets',
  'mails',
  'mail_secrets',
  // The previous release records no changes.
  'change_counters',
  'changes',
])

/** New processes read all data of old ones, with complete derived data. */
async function expectComplete({ connection, pool }: TestDatabase): Promise<void> {
  const world = await exportText(connection)
  expect(world).toContain('"id":"q4"')
  const fresh = await createDatabase()
  await importValid(fresh.connection, world.trim().split('\n'))
  // Exports have no prefix of a key.
  await pool.query('UPDATE api_keys SET prefix = NULL')
  // The previous release stores lines without a unit price, which an import stores as null.
  await pool.query(`UPDATE invoices SET lines = (
    SELECT jsonb_agg('{"unitPriceCents": null}' || line) FROM jsonb_array_elements(lines) AS line)`)
  const [found, expected] = [await readAllRows(pool), await readAllRows(fresh.pool)]
  for (const table of Object.keys(expected)) {
    if (NOT_EXPORTED.has(table)) continue
    expect(found[table], table).toEqual(expected[table])
  }
  expect(found['idempotency_records']).toHaveLength(1)
  expect(found['request_log']?.length).toBeGreaterThan(0)
  expect(found['quote_stretches']?.length).toBeGreaterThan(0)
  expect(await describeSchema(pool)).toEqual(await describeSchema(fresh.pool))
}

/** Statements that remove objects of the previous release, or block it for a long time. */
const HARMFUL: [RegExp, string][] = [
  [
    /\bDROP\s+(TABLE|COLUMN|TYPE|DOMAIN|VIEW|FUNCTION|TRIGGER|SCHEMA|CONSTRAINT)\b/i,
    'drops an object of the previous release',
  ],
  [/\bRENAME\b/i, 'renames'],
  [
    /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
    'changes a type, so prepared statements fail and the table is rewritten',
  ],
  [/\bSET\s+NOT\s+NULL\b/i, 'requires a value that the previous release does not write'],
  [/\bADD\s+COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i, 'adds a required column'],
  [
    /\bADD\s+(CONSTRAINT\s+\w+\s+)?(CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)\b(?![^;]*\bNOT\s+VALID\b)/i,
    'rejects rows of the previous release',
  ],
  [/\bTRUNCATE\s+(TABLE\s+)?\w+\s*[;,]/i, 'empties a table'],
  [/\bACCESS\s+EXCLUSIVE\b/i, 'blocks readers'],
  [/^\s*(BEGIN|COMMIT|ROLLBACK)\s*;/im, 'ends the transaction of the migration'],
  [/\bCONCURRENTLY\b/i, 'cannot run in a transaction'],
]

/** Reviewed, necessary, and explained in the comments of the migration. */
const ALLOWED: Record<string, string[]> = {
  '0003-speed-at-size.sql': ['blocks readers'],
  // Replaces a check by a wider one.
  '0007-changes.sql': ['drops an object of the previous release', 'rejects rows of the previous release'],
  // Drops a check that another one includes.
  '0020-delivery-cursor.sql': ['drops an object of the previous release', 'blocks readers'],
  '0006-no-triggers.sql': ['drops an object of the previous release', 'blocks readers'],
}

const strip = (sql: string) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\$\$[^]*?\$\$/g, '$$')

function findHarm(sql: string): string[] {
  return HARMFUL.filter(([pattern]) => pattern.test(strip(sql))).map(([, harm]) => harm)
}

describe('migrations only add', () => {
  it.each(names.slice(1))('%s removes nothing that the previous release uses', async (name) => {
    expect(findHarm(await readMigration(name))).toEqual(ALLOWED[name] ?? [])
  })

  it.each([
    'ALTER TABLE quotes DROP COLUMN lead_id;',
    'ALTER TABLE quotes RENAME COLUMN lead_id TO lead;',
    'ALTER TABLE quotes ALTER COLUMN guest_count TYPE bigint;',
    'ALTER TABLE quotes ALTER guest_count SET NOT NULL;',
    'ALTER TABLE quotes ADD COLUMN a integer DEFAULT 0, ADD COLUMN b text NOT NULL;',
    'ALTER TABLE quotes ADD CONSTRAINT positive CHECK (guest_count > 0);',
    'TRUNCATE idempotency_records;',
    'LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE;',
    'BEGIN;',
    'CREATE INDEX CONCURRENTLY i ON quotes (company_id);',
  ])('reports %s', (sql) => {
    expect(findHarm(sql)).toHaveLength(1)
  })

  it.each([
    'ALTER TABLE quotes ADD COLUMN note text, ADD COLUMN stars integer NOT NULL DEFAULT 0;',
    'CREATE TABLE notes (company_id text NOT NULL, CHECK (company_id IS NOT NULL));',
    'CREATE TRIGGER t AFTER TRUNCATE ON quotes FOR EACH STATEMENT EXECUTE FUNCTION f();',
    'DROP INDEX quotes_by_lead;',
    '-- DROP TABLE quotes;',
  ])('allows %s', (sql) => {
    expect(findHarm(sql)).toEqual([])
  })
})
