/** What follows from quotes and service days, and is kept by triggers: stretches, and the first and last start. */
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPool, withClient } from '../src/db/connect.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { clearWorld, importValid } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection, superuser } = await createDatabase()
/** Only a superuser may change statistics and explain what triggers do. */
const superuserPool = openPool(superuser, 'data', () => undefined)
atEnd(() => superuserPool.end())
const MANY = 1_000
const DAY_MS = 86_400_000
const COMPANIES = ['co_1', 'co_2'] as const

// The server's own counting must not come in between.
await pool.query(`
  CREATE TABLE spare_days (LIKE service_days);
  ALTER TABLE quotes SET (autovacuum_enabled = off);
  ALTER TABLE service_days SET (autovacuum_enabled = off);
  ALTER TABLE quote_stretches SET (autovacuum_enabled = off)`)

beforeEach(async () => {
  await clearWorld(pool)
  await pool.query('TRUNCATE spare_days')
  for (const company of COMPANIES) await insertCompany(pool, company)
})

/** Told once more, plainly: a day has its number, and at each further level a 32nd of the number of the level before. */
const EXPECTED_STRETCHES = `
  SELECT DISTINCT q.company_id, (level * 67108864 + floor(day / 32 ^ level))::integer AS stretch,
    q.created_at::text AS quote_created_at, q.id::text AS quote_id
  FROM quotes q JOIN service_days d ON (d.company_id, d.quote_id) = (q.company_id, q.id)
  CROSS JOIN LATERAL (
    SELECT floor(extract(epoch FROM d.service_start_time - '0001-01-01T00:00:00Z'::timestamptz) / 86400) AS day) n
  CROSS JOIN generate_series(0, 4) AS level
  WHERE q.deleted_at IS NULL ORDER BY 1, 2, 3, 4`
const STORED_STRETCHES = `
  SELECT company_id, stretch, quote_created_at::text, quote_id FROM quote_stretches ORDER BY 1, 2, 3, 4`
const EXPECTED_SPANS = `
  SELECT q.company_id, q.id, min(d.service_start_time) AS first, max(d.service_start_time) AS last
  FROM quotes q LEFT JOIN service_days d ON (d.company_id, d.quote_id) = (q.company_id, q.id)
  GROUP BY q.company_id, q.id ORDER BY 1, 2`
const STORED_SPANS = `
  SELECT company_id, id, first_start_time AS first, last_start_time AS last FROM quotes ORDER BY 1, 2`

async function rowsOf(query: string): Promise<unknown[]> {
  return (await pool.query<object>(query)).rows
}

async function expectAllFollows(): Promise<void> {
  expect(await rowsOf(STORED_STRETCHES)).toEqual(await rowsOf(EXPECTED_STRETCHES))
  expect(await rowsOf(STORED_SPANS)).toEqual(await rowsOf(EXPECTED_SPANS))
}

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Of the steps of a statement and of those that its triggers send, the one that handles most rows. */
async function mostRowsOfAStep(statement: string): Promise<number> {
  const notices: string[] = []
  const client = await superuserPool.connect()
  client.on('notice', ({ message = '' }) => void notices.push(message))
  try {
    await client.query(`
    LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET auto_explain.log_format = json;
    SET client_min_messages = log; SET enable_seqscan = on; SET enable_bitmapscan = on`)
    await client.query(statement)
  } finally {
    client.release(true)
  }
  const plans = notices
    .filter((message) => message.includes('plan:'))
    .map((message) => (JSON.parse(message.slice(message.indexOf('{'))) as { Plan: PlanNode }).Plan)
  // The statement and what it makes the triggers send: none would be no plans.
  expect(plans.length).toBeGreaterThan(1)
  return Math.max(...plans.map(mostRows))
}

function mostRows(node: PlanNode): number {
  const removed = (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
  const handled = (node['Actual Rows'] + removed) * node['Actual Loops']
  return Math.max(handled, ...(node.Plans ?? []).map(mostRows))
}

const quoteRecord = (id: string, fields: Record<string, unknown> = {}): TestRecord => ({
  object: 'quote',
  id,
  companyId: 'co_1',
  leadId: 'lead_1',
  locationId: 'loc_1',
  eventAddress: '1 Quay Street',
  currency: 'USD',
  ...fields,
})

const dayRecord = (id: string, quoteId: string, start: string, companyId = 'co_1'): TestRecord => ({
  object: 'serviceDay',
  id,
  companyId,
  quoteId,
  serviceStartTime: start,
  serviceEndTime: start,
})

/** Few of each, so that days share stretches, quotes share days, and steps meet what others did. */
const company = fc.constantFrom(...COMPANIES)
const quoteId = fc.constantFrom('q1', 'q2', 'q3')
const dayId = fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5')
const start = fc.oneof(
  fc.constantFrom('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'),
  fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 1, DAY_MS - 1))
    .map(([day, moment]) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS + moment).toISOString()),
)
const created = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z')
const deleted = fc.constantFrom('2026-03-01T00:00:00.000Z', null)
/** Which rows a statement is about: one, those of a company, or all. */
const scope = fc.oneof(
  fc
    .record({ company, id: fc.oneof(quoteId, dayId) })
    .map(({ company: c, id }) => `company_id = '${c}' AND id = '${id}'`),
  company.map((c) => `company_id = '${c}'`),
  fc.constant('true'),
)

const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`)
const INSERT_QUOTE =
  'INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency, created_at, deleted_at)'

/** A statement; one that breaks a foreign key changes nothing, and so is as good as any. */
const statement = fc.oneof(
  fc.tuple(company, quoteId, created, deleted).map(
    ([c, id, at, gone]) =>
      `${INSERT_QUOTE} VALUES ('${c}', '${id}', 'lead_1', 'loc_1', 'Here', 'USD', '${at}', ${text(gone)})
       ON CONFLICT (company_id, id) DO UPDATE SET created_at = excluded.created_at`,
  ),
  fc.array(fc.tuple(company, dayId, quoteId, start), { minLength: 1, maxLength: 6 }).map((days) => {
    const distinct = new Map(days.map((day) => [`${day[0]} ${day[1]}`, day]))
    const values = [...distinct.values()].map(
      ([c, id, quote, at]) => `('${c}', '${id}', '${quote}', '${at}', '${at}')`,
    )
    return `INSERT INTO service_days (company_id, id, quote_id, service_start_time, service_end_time)
      VALUES ${values.join(', ')} ON CONFLICT (company_id, id) DO UPDATE
      SET quote_id = excluded.quote_id, service_start_time = excluded.service_start_time`
  }),
  fc
    .tuple(start, scope)
    .map(([at, where]) => `UPDATE service_days SET service_start_time = '${at}' WHERE ${where}`),
  fc.tuple(fc.integer({ min: -40, max: 40 }), scope).map(
    ([
      days,
      where,
    ]) => `UPDATE service_days SET service_start_time = service_start_time + interval '${days} days'
      WHERE ${where} AND service_start_time BETWEEN '2000-01-01' AND '3000-01-01'`,
  ),
  fc
    .tuple(quoteId, scope)
    .map(([quote, where]) => `UPDATE service_days SET quote_id = '${quote}' WHERE ${where}`),
  fc.tuple(created, scope).map(([at, where]) => `UPDATE quotes SET created_at = '${at}' WHERE ${where}`),
  fc.tuple(deleted, scope).map(([at, where]) => `UPDATE quotes SET deleted_at = ${text(at)} WHERE ${where}`),
  fc
    .tuple(created, deleted, scope)
    .map(
      ([at, gone, where]) =>
        `UPDATE quotes SET created_at = '${at}', deleted_at = ${text(gone)} WHERE ${where}`,
    ),
  scope.map((where) => `DELETE FROM service_days WHERE ${where}`),
  scope.map(
    (where) => `DELETE FROM quotes q WHERE ${where}
    AND NOT EXISTS (SELECT FROM service_days d WHERE (d.company_id, d.quote_id) = (q.company_id, q.id))`,
  ),
  fc.constant('TRUNCATE service_days'),
)

/** A world in which every day has its quote. */
const world = fc
  .record({
    quotes: fc.uniqueArray(fc.tuple(quoteId, created, deleted), { selector: ([id]) => id, minLength: 1 }),
    days: fc.uniqueArray(fc.tuple(dayId, fc.nat(), start), { selector: ([id]) => id }),
  })
  .map(({ quotes, days }): TestRecord[] => [
    ...quotes.map(([id, createdAt, deletedAt]) => quoteRecord(id, { createdAt, deletedAt })),
    ...days.map(([id, owner, at]) => dayRecord(id, quotes[owner % quotes.length]?.[0] ?? '', at)),
  ])

const step = fc.oneof(
  { weight: 4, arbitrary: statement.map((sql) => ({ sql, records: null })) },
  { weight: 1, arbitrary: world.map((records) => ({ sql: null, records })) },
)

describe('stretches, first and last start', () => {
  it('follow from quotes and days, whatever was written and imported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await pool.query('DELETE FROM service_days; DELETE FROM quotes')
        for (const { sql, records } of steps) {
          if (records !== null) await importValid(connection, records)
          else await pool.query(sql).catch(ignoreForeignKey)
          await expectAllFollows()
        }
      }),
      { numRuns: 40 },
    )
  }, 120_000)

  const insertDay = (id: string) => `INSERT INTO service_days
    (company_id, id, quote_id, service_start_time, service_end_time)
    VALUES ('co_1', '${id}', 'q1', '2026-06-01T10:00:00Z', '2026-06-01T12:00:00Z')`
  const removeDay = (id: string) => `DELETE FROM service_days WHERE id = '${id}'`
  const deleteQuote = `UPDATE quotes SET deleted_at = now() WHERE id = 'q1'`

  it.each([
    ['two add days in the same stretch', insertDay('d3'), insertDay('d4')],
    ['one removes a day and one adds one in the same stretch', removeDay('d1'), insertDay('d4')],
    ['two remove the last days', removeDay('d1'), removeDay('d2')],
    ['one deletes the quote and one adds a day', deleteQuote, insertDay('d4')],
    ['one adds a day and one deletes the quote', insertDay('d3'), deleteQuote],
  ])('follow when at once %s', async (_, first, second) => {
    await plant(pool, 'quotes', 'co_1', 'q1')
    await pool.query(insertDay('d1'))
    await pool.query(insertDay('d2'))
    const countWaiting = async () => (await rowsOf('SELECT FROM pg_locks WHERE NOT granted')).length
    // Connections of their own: the pool may have no more than one to spare.
    await withClient(connection, (one) =>
      withClient(connection, async (other) => {
        await one.query('BEGIN')
        await one.query(first)
        const waiting = other.query(second)
        await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThan(0)
        await one.query('COMMIT')
        await waiting
      }),
    )
    await expectAllFollows()
  })

  it('follow when one statement removes a quote and its days', async () => {
    await plant(pool, 'quotes', 'co_1', 'q1')
    await pool.query(insertDay('d1'))
    await pool.query(`
      WITH days AS (DELETE FROM service_days WHERE quote_id = 'q1') DELETE FROM quotes WHERE id = 'q1'`)
    await expectAllFollows()
    expect(await rowsOf('SELECT FROM quote_stretches')).toEqual([])
  })
})

function ignoreForeignKey(error: { code?: string }): void {
  if (error.code !== '23503') throw error
}

describe('many rows in one statement', () => {
  beforeEach(async () => {
    const numbers = Array.from({ length: MANY }, (_, index) => index)
    await plantMany(
      pool,
      'quotes',
      'co_1',
      numbers.map((n) => ({ id: `q${n}`, created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000) })),
    )
    await plantMany(
      pool,
      'service_days',
      'co_1',
      numbers.flatMap((n) =>
        [0, 1].map((k) => {
          const time = new Date(Date.UTC(2026, 0, 1 + (n % 700) + k))
          return { id: `d${n}_${k}`, quote_id: `q${n}`, service_start_time: time, service_end_time: time }
        }),
      ),
    )
    await pool.query('INSERT INTO spare_days SELECT * FROM service_days')
    await pool.query(`UPDATE spare_days SET id = 'new_' || id`)
  })

  /** What the planner goes by. Imports see to it that there are some (below). */
  const STATISTICS = {
    'as they are': 'ANALYZE quotes, service_days, quote_stretches',
    none: `
      UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname IN ('quotes', 'service_days', 'quote_stretches');
      DELETE FROM pg_statistic
      WHERE starelid IN ('quotes'::regclass, 'service_days'::regclass, 'quote_stretches'::regclass)`,
  }
  const STATEMENTS = {
    'creation of quotes': `UPDATE quotes SET created_at = created_at + interval '1 hour'`,
    'deletion of quotes': `UPDATE quotes SET deleted_at = now()`,
    'nothing that counts of quotes': `UPDATE quotes SET guest_count = guest_count + 1`,
    'new days': `INSERT INTO service_days SELECT * FROM spare_days`,
    'start of days': `UPDATE service_days SET service_start_time = service_start_time + interval '40 days'`,
    'nothing that counts of days': `UPDATE service_days SET service_end_time = now()`,
    'owner of days': `UPDATE service_days SET quote_id = 'q' || (length(quote_id) + length(id) * 7)`,
    'removal of days': `DELETE FROM service_days WHERE id LIKE '%_0'`,
    'removal of all days': `DELETE FROM service_days`,
    'removal of quotes with their days': `WITH days AS (DELETE FROM service_days) DELETE FROM quotes`,
  }

  describe.each(Object.entries(STATISTICS))('with statistics %s', (_, statistics) => {
    it.each(Object.entries(STATEMENTS))('%s is no loop in a loop', async (__, sql) => {
      await superuserPool.query(statistics)
      // Five levels for each of two days, and that twice where days change; a loop in a loop is half a million.
      expect(await mostRowsOfAStep(sql)).toBeLessThanOrEqual(20 * MANY)
      await expectAllFollows()
    })
  })
})

describe('import', () => {
  it('writes each quote once, however many days it has', async () => {
    // In a database of its own: the server counts what others have written with a delay.
    const own = await createDatabase()
    await insertCompany(own.pool, 'co_1')
    const written = async () => {
      const { rows } = await own.pool.query<{ inserted: number; updated: number }>(
        `SELECT n_tup_ins::int AS inserted, n_tup_upd::int AS updated FROM pg_stat_user_tables WHERE relname = 'quotes'`,
      )
      return rows[0] ?? { inserted: 0, updated: 0 }
    }
    await importValid(own.connection, [
      ...Array.from({ length: 50 }, (_, n) => quoteRecord(`q${n}`)),
      ...Array.from({ length: 150 }, (_, n) =>
        dayRecord(`d${n}`, `q${n % 49}`, new Date(Date.UTC(2026, 5, 1 + n)).toISOString()),
      ),
    ])
    // A connection tells of its work when it ends.
    await expect.poll(written, { timeout: 10_000 }).toEqual({ inserted: 50, updated: 0 })
  })

  describe.each([
    ['quotes and days, beside others', 1_000, 2_000, true, { quotes: 2_000, days: 1_000 }],
    ['days of quotes that are there', 1_000, 1_000, false, { quotes: 1_000, days: 1_000 }],
    ['the first quotes and days', 0, 1_000, true, { quotes: 1_000, days: 0 }],
  ])('%s', (_, before, first, areQuotesNew, expected) => {
    it('are merged by how many rows there are, also where they looked like none', async () => {
      const own = await createDatabase()
      await insertCompany(own.pool, 'co_1')
      const numbers = (from: number) => Array.from({ length: 1_000 }, (__, n) => from + n)
      const quotesAt = (from: number) => numbers(from).map((n) => quoteRecord(`q${n}`))
      const daysAt = (from: number, quotes = from) =>
        numbers(from).map((n) => dayRecord(`d${n}`, `q${n - from + quotes}`, '2026-06-01T10:00:00.000Z'))
      if (before > 0) await importValid(own.connection, [...quotesAt(0), ...daysAt(0)])
      // A table looks empty that was counted while its rows came, before they were committed; or after all were removed.
      await withClient(own.superuser, (client) =>
        client.query(`
          UPDATE pg_class SET reltuples = 0, relpages = 1
          WHERE relname IN ('quotes', 'service_days', 'quote_stretches')`),
      )
      await own.pool.query(`
        CREATE TABLE counted (quotes integer, days integer, stretches integer);
        CREATE FUNCTION note_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO counted SELECT q.reltuples, d.reltuples, s.reltuples FROM pg_class q, pg_class d, pg_class s
          WHERE q.relname = 'quotes' AND d.relname = 'service_days' AND s.relname = 'quote_stretches';
          RETURN NULL;
        END $$;
        CREATE TRIGGER a_note_counts AFTER INSERT ON service_days EXECUTE FUNCTION note_counts()`)
      await importValid(
        own.connection,
        areQuotesNew ? [...quotesAt(first), ...daysAt(first)] : daysAt(first, 0),
      )
      const { rows } = await own.pool.query('SELECT * FROM counted')
      expect(rows).toEqual([{ ...expected, stretches: expected.days * 5 }])
    })
  })

  it('goes on without, where the server works on a table and is not to be interrupted', async () => {
    await withClient(connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE quotes IN SHARE UPDATE EXCLUSIVE MODE')
      await importValid(
        connection,
        Array.from({ length: 1_000 }, (_, n) => quoteRecord(`q${n}`)),
      )
      await client.query('ROLLBACK')
    })
    expect(await rowsOf('SELECT FROM quotes')).toHaveLength(1_000)
  })

  it('moves a day from a quote that stays to one that is new', async () => {
    await importValid(connection, [quoteRecord('q1'), dayRecord('d1', 'q1', '2026-06-01T10:00:00.000Z')])
    await importValid(connection, [
      quoteRecord('q2'),
      dayRecord('d1', 'q2', '2026-07-01T10:00:00.000Z'),
      dayRecord('d2', 'q2', '2026-08-01T10:00:00.000Z'),
    ])
    await expectAllFollows()
  })
})
