/** Imports of many rows maintain calendar stretches and start times in bulk, and write each row once. */
import type { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import { mergeRows } from '../../src/db/world-merge.ts'
import { beginCalendar } from '../../src/records/quote/calendar-import.ts'
import { findKind } from '../../src/world/kinds.ts'
import { createDatabase } from '../../test/support/database.ts'
import { expectCalendar } from '../../test/support/derived.ts'
import { plantMany } from '../../test/support/quotes.ts'
import { insertCompany } from '../../test/support/records.ts'
import { clearWorld, importValid } from '../../test/support/world.ts'
import type { TestRecord } from '../../test/support/world.ts'

/** Only a superuser may change statistics and explain the statements of a session. */
const { pool, connection, superuser } = await createDatabase()
const MANY = 1_000
const COMPANIES = ['co_1', 'co_2'] as const

// Autovacuum must not change the statistics that a test sets.
await pool.query(`
  ALTER TABLE quotes SET (autovacuum_enabled = off);
  ALTER TABLE service_days SET (autovacuum_enabled = off);
  ALTER TABLE quote_stretches SET (autovacuum_enabled = off)`)

beforeEach(async () => {
  await clearWorld(pool)
  await pool.query('TRUNCATE quote_stretches')
  for (const company of COMPANIES) await insertCompany(pool, company)
})

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** The most rows that a step of a statement of `work` handles. */
async function mostRowsOfAStep(work: (client: Client) => Promise<void>): Promise<number> {
  const notices: string[] = []
  await withClient(superuser, async (client) => {
    client.on('notice', ({ message = '' }) => void notices.push(message))
    await client.query(`
      LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
      SET auto_explain.log_timing = off; SET auto_explain.log_format = json; SET client_min_messages = log`)
    await work(client)
  })
  const plans = notices
    .filter((message) => message.includes('plan:'))
    .map((message) => (JSON.parse(message.slice(message.indexOf('{'))) as { Plan: PlanNode }).Plan)
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

/** Merges all stored rows of the kind with a change, as an import does. */
async function mergeStaged(client: Client, kind: 'quote' | 'serviceDay', change: string): Promise<void> {
  const table = findKind(kind)?.table
  if (table === undefined) throw new Error(`there is no kind ${kind}`)
  await client.query(`
    BEGIN;
    CREATE TEMPORARY TABLE staged_${table.name} ON COMMIT DROP AS
      SELECT row_number() OVER () AS line_number, ${table.columns.join(', ')} FROM ${table.name};
    UPDATE staged_${table.name} SET ${change};
    ANALYZE staged_${table.name}`)
  const update = await beginCalendar(client, {
    areQuotesStaged: kind === 'quote',
    areDaysStaged: kind === 'serviceDay',
    isEmpty: false,
  })
  await mergeRows(client, table, { isEmpty: false, areMany: false, span: null })
  await update()
  await client.query('COMMIT')
}

describe('many rows in one import', () => {
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
  })

  /** Statistics for the planner. Imports of many rows analyze the tables first (below), unless another process locks them. */
  const STATISTICS = {
    current: 'ANALYZE quotes, service_days, quote_stretches',
    none: `
      UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname IN ('quotes', 'service_days', 'quote_stretches');
      DELETE FROM pg_statistic
      WHERE starelid IN ('quotes'::regclass, 'service_days'::regclass, 'quote_stretches'::regclass)`,
  }
  const CHANGES: [string, 'quote' | 'serviceDay', string][] = [
    ['the creation of quotes', 'quote', `created_at = created_at + interval '1 hour'`],
    ['the deletion of quotes', 'quote', 'deleted_at = now()'],
    ['other columns of quotes', 'quote', 'guest_count = guest_count + 1'],
    ['new days', 'serviceDay', `id = 'new_' || id`],
    ['the start of days', 'serviceDay', `service_start_time = service_start_time + interval '40 days'`],
    ['other columns of days', 'serviceDay', 'service_end_time = now()'],
    ['the owner of days', 'serviceDay', `quote_id = 'q' || (length(quote_id) + length(id) * 7)`],
  ]

  describe.each(Object.entries(STATISTICS))('with statistics: %s', (_, statistics) => {
    it.each(CHANGES)('%s: has no nested loop over all rows', async (__, kind, change) => {
      await withClient(superuser, (client) => client.query(statistics))
      // Five levels for each of two days, and twice that where days change. A nested loop over all rows is half a million.
      expect(await mostRowsOfAStep((client) => mergeStaged(client, kind, change))).toBeLessThanOrEqual(
        20 * MANY,
      )
      await expectCalendar(pool)
    })
  })
})

describe('import', () => {
  it('writes each quote once, for any number of days', async () => {
    // In a separate database: the server counts writes of other sessions with a delay.
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
    // A connection reports its writes when it ends.
    await expect.poll(written, { timeout: 10_000 }).toEqual({ inserted: 50, updated: 0 })
  })

  describe.each([
    ['quotes and days, beside others', 1_000, 2_000, true, { quotes: 2_000, days: 1_000 }],
    ['days of existing quotes', 1_000, 1_000, false, { quotes: 1_000, days: 1_000 }],
    ['the first quotes and days', 0, 1_000, true, { quotes: 1_000, days: 0 }],
  ])('of %s', (_, before, first, areQuotesNew, expected) => {
    it('counts the rows before the merge if the tables looked empty', async () => {
      const own = await createDatabase()
      await insertCompany(own.pool, 'co_1')
      const numbers = (from: number) => Array.from({ length: 1_000 }, (__, n) => from + n)
      const quotesAt = (from: number) => numbers(from).map((n) => quoteRecord(`q${n}`))
      const daysAt = (from: number, quotes = from) =>
        numbers(from).map((n) => dayRecord(`d${n}`, `q${n - from + quotes}`, '2026-06-01T10:00:00.000Z'))
      if (before > 0) await importValid(own.connection, [...quotesAt(0), ...daysAt(0)])
      // A table looks empty if it was counted before its rows were committed, or after all were deleted.
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

  it('continues without counting while another session locks a table', async () => {
    await withClient(connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE quotes IN SHARE UPDATE EXCLUSIVE MODE')
      await importValid(
        connection,
        Array.from({ length: 1_000 }, (_, n) => quoteRecord(`q${n}`)),
      )
      await client.query('ROLLBACK')
    })
    expect((await pool.query('SELECT FROM quotes')).rowCount).toBe(1_000)
  })

  it('moves a day to a new quote', async () => {
    await importValid(connection, [quoteRecord('q1'), dayRecord('d1', 'q1', '2026-06-01T10:00:00.000Z')])
    await importValid(connection, [
      quoteRecord('q2'),
      dayRecord('d1', 'q2', '2026-07-01T10:00:00.000Z'),
      dayRecord('d2', 'q2', '2026-08-01T10:00:00.000Z'),
    ])
    await expectCalendar(pool)
  })
})
