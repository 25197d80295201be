/** Foreign keys of large imports: checked for all rows together, as strictly as by PostgreSQL. */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { insertReferring } from '../src/db/world-references.ts'
import { findKind } from '../src/world/kinds.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { importValid } from './support/world.ts'

const { pool, connection, superuser } = await createDatabase()
await insertCompany(pool, 'co_1')
await plant(pool, 'events', 'co_1', 'event_1', { service_start_time: '2026-03-01T10:00:00Z' })
await plant(pool, 'quotes', 'co_1', 'quote_1', {})
/** A role that cannot disable checks. Roles are shared with other test runs on the same server. */
const role = `importer_${randomBytes(6).toString('hex')}`
const asSuperuser = (sql: string) => withClient(superuser, (client) => client.query(sql))
const { rows: users } = await pool.query<{ name: string }>('SELECT quote_ident(current_user) AS name')
await asSuperuser(`
  CREATE ROLE ${role};
  GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
  GRANT ${role} TO ${users[0]?.name}`)
atEnd(() => asSuperuser(`DROP OWNED BY ${role}; DROP ROLE ${role}`))

function tableOf(kind: string) {
  const found = findKind(kind)
  if (found === null) throw new Error(`unknown kind ${kind}`)
  return found.table
}

/** Inserts a staged row and runs the test in a transaction that is rolled back. */
async function inserting(
  kind: string,
  row: Record<string, string>,
  then: (client: Client) => Promise<void> = async () => undefined,
  before = '',
): Promise<void> {
  const table = tableOf(kind)
  const columns = Object.keys(row).join(', ')
  await withClient(connection, async (client) => {
    await client.query(`BEGIN; ${before}`)
    await client.query(
      `CREATE TEMPORARY TABLE staged_${table.name} ON COMMIT DROP AS
       SELECT * FROM json_populate_record(NULL::${table.name}, '${JSON.stringify(row)}')`,
    )
    const insert = async () => {
      const { rowCount } = await client.query(
        `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM staged_${table.name} ON CONFLICT DO NOTHING`,
      )
      return rowCount ?? 0
    }
    try {
      await insertReferring(client, table, insert)
      await then(client)
    } finally {
      await client.query('ROLLBACK')
    }
  })
}

const task = (eventId: string) => ({
  company_id: 'co_1',
  id: 'task_1',
  event_id: eventId,
  description: 'Call the hall',
})
const day = (quoteId: string) => ({
  company_id: 'co_1',
  id: 'day_1',
  quote_id: quoteId,
  service_start_time: '2026-03-01T10:00:00Z',
  service_end_time: '2026-03-01T12:00:00Z',
})
const lead = (companyId: string) => ({ company_id: companyId, id: 'lead_1', first_name: 'Ada' })

describe('a row with a missing owner', () => {
  it.each([
    ['task', task('no such event')],
    ['task', { ...task('event_1'), company_id: 'no such company' }],
    ['lead', lead('no such company')],
    ['serviceDay', day('no such quote')],
  ])('is rejected: %s %j', async (kind, row) => {
    await expect(inserting(kind, row)).rejects.toThrow(/was removed meanwhile, nothing was imported$/)
  })

  it('is rejected by PostgreSQL if an operator added a trigger to the table, which must run', async () => {
    const trigger = `
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'ran'; RETURN NULL; END $$;
      CREATE TRIGGER note AFTER INSERT ON service_days EXECUTE FUNCTION note()`
    const insertion = inserting('serviceDay', day('no such quote'), undefined, trigger)
    await expect(insertion).rejects.toMatchObject({ code: '23503' })
  })

  it('is rejected by PostgreSQL if the role cannot disable its checks', async () => {
    const asImporter = inserting('task', task('no such event'), undefined, `SET LOCAL ROLE ${role}`)
    await expect(asImporter).rejects.toMatchObject({ code: '23503' })
  })
})

describe('an owner during the import of its records', () => {
  const byAnother = (sql: string) => pool.query(`SET lock_timeout = '200ms'; ${sql}; RESET lock_timeout`)

  it('cannot be deleted, but can be changed', async () => {
    await inserting('task', task('event_1'), async () => {
      await expect(byAnother(`DELETE FROM events WHERE id = 'event_1'`)).rejects.toMatchObject({
        code: '55P03',
      })
      await byAnother(`UPDATE events SET name = 'Gala' WHERE id = 'event_1'`)
    })
  })

  it('is not locked if the rows exist already', async () => {
    await plant(pool, 'events', 'co_1', 'event_2')
    await plant(pool, 'tasks', 'co_1', 'task_2', { event_id: 'event_2', description: 'Call' })
    await inserting('task', { ...task('event_2'), id: 'task_2' }, async () => {
      await byAnother(`SELECT FROM events WHERE id = 'event_2' FOR UPDATE`)
    })
  })

  it('PostgreSQL checks all other references', async () => {
    await inserting('task', task('event_1'), async (client) => {
      const orphan = client.query(`INSERT INTO leads (company_id, id) VALUES ('no such company', 'l')`)
      await expect(orphan).rejects.toMatchObject({ code: '23503' })
    })
  })
})

const AT = '2026-06-01T10:00:00.000Z'

it.each([
  ['a thousand rows and their owners disables', 1_000, 'replica'],
  ['fewer rows keeps', 999, 'origin'],
])('an import of %s foreign key checks of PostgreSQL', async (_, length, seenAs) => {
  const own = await createDatabase()
  await insertCompany(own.pool, 'co_1')
  // Records the replication role in which each row is inserted.
  await own.pool.query(`
    CREATE TABLE seen (seen_as text);
    CREATE FUNCTION see() RETURNS boolean LANGUAGE sql
    AS $$ INSERT INTO seen VALUES (current_setting('session_replication_role')) RETURNING true $$;
    ALTER TABLE tasks ADD CHECK (see());
    ALTER TABLE form_answers ADD CHECK (see())`)
  const answers = [{ id: 'a', questionId: 'q', response: 'Yes' }]
  const records = Array.from({ length }, (__, n) => [
    { object: 'event', id: `e${n}`, companyId: 'co_1', serviceStartTime: AT, serviceEndTime: AT },
    { object: 'task', id: `t${n}`, companyId: 'co_1', eventId: `e${n}`, description: 'Call' },
    { object: 'formResponse', id: `r${n}`, companyId: 'co_1', formId: 'f', answers },
  ])
  await importValid(own.connection, records.flat())
  const { rows } = await own.pool.query('SELECT seen_as, count(*)::int AS rows FROM seen GROUP BY seen_as')
  expect(rows).toEqual([{ seen_as: seenAs, rows: 2 * length }])
})
