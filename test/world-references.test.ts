/** Foreign keys of what an import brings by the thousand: checked for all rows at once, as strictly as by the server. */
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
/** A role that may not switch checks off. Roles belong to the whole server, which other runs may share. */
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
  if (found === null) throw new Error(`there is no kind ${kind}`)
  return found.table
}

/** In a transaction that is rolled back: the staged row inserted, and what the test does then. */
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

describe('a row that refers to nothing', () => {
  it.each([
    ['task', task('no such event')],
    ['task', { ...task('event_1'), company_id: 'no such company' }],
    ['lead', lead('no such company')],
    ['serviceDay', day('no such quote')],
  ])('is refused: %s %j', async (kind, row) => {
    await expect(inserting(kind, row)).rejects.toThrow(/was removed meanwhile, nothing was imported$/)
  })

  it('is refused by the server where an operator added a trigger to the table, which must run', async () => {
    const trigger = `
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'ran'; RETURN NULL; END $$;
      CREATE TRIGGER note AFTER INSERT ON service_days EXECUTE FUNCTION note()`
    const refused = inserting('serviceDay', day('no such quote'), undefined, trigger)
    await expect(refused).rejects.toMatchObject({ code: '23503' })
  })

  it('is refused by the server where the user may not switch its checks off', async () => {
    const asImporter = inserting('task', task('no such event'), undefined, `SET LOCAL ROLE ${role}`)
    await expect(asImporter).rejects.toMatchObject({ code: '23503' })
  })
})

describe('while what refers to it is being imported', () => {
  const byAnother = (sql: string) => pool.query(`SET lock_timeout = '200ms'; ${sql}; RESET lock_timeout`)

  it('nobody removes it, but it may change', async () => {
    await inserting('task', task('event_1'), async () => {
      await expect(byAnother(`DELETE FROM events WHERE id = 'event_1'`)).rejects.toMatchObject({
        code: '55P03',
      })
      await byAnother(`UPDATE events SET name = 'Gala' WHERE id = 'event_1'`)
    })
  })

  it('blocks no other session if the rows exist already', async () => {
    await plant(pool, 'events', 'co_1', 'event_2')
    await plant(pool, 'tasks', 'co_1', 'task_2', { event_id: 'event_2', description: 'Call' })
    await inserting('task', { ...task('event_2'), id: 'task_2' }, async () => {
      await byAnother(`SELECT FROM events WHERE id = 'event_2' FOR UPDATE`)
    })
  })

  it('the server checks all else as ever', async () => {
    await inserting('task', task('event_1'), async (client) => {
      const orphan = client.query(`INSERT INTO leads (company_id, id) VALUES ('no such company', 'l')`)
      await expect(orphan).rejects.toMatchObject({ code: '23503' })
    })
  })
})

const AT = '2026-06-01T10:00:00.000Z'

it.each([
  ['a thousand rows, and their owners', 1_000, 'replica'],
  ['fewer', 999, 'origin'],
])('an import of %s', async (_, length, seenAs) => {
  const own = await createDatabase()
  await insertCompany(own.pool, 'co_1')
  // How each row comes in.
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
