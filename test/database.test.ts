import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { explainStatements } from '../src/db/explain.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Db } from '../src/db/statement.ts'
import { listChanges } from '../src/records/change/list.ts'
import { DISCOUNT_KIND } from '../src/records/discount/kind.ts'
import { PAYMENT_TERMS_KIND } from '../src/records/payment-terms/kind.ts'
import { searchQuotes } from '../src/records/quote/search.ts'
import { isRecordUsed } from '../src/records/record/queries.ts'
import { SERVICE_CHARGE_KIND } from '../src/records/service-charge/kind.ts'
import { TAX_RATE_KIND } from '../src/records/tax-rate/kind.ts'
import { createDatabase } from './support/database.ts'

const { pool, connection } = await createDatabase()

describe('the schema', () => {
  it('leads every primary key and index with company_id, except lookups before the company is known', async () => {
    const indexes = await pool.query<{ table: string; index: string; first: string | null }>(`
      SELECT t.relname AS table, i.relname AS index, a.attname AS first
      FROM pg_index x
      JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_class i ON i.oid = x.indexrelid
      LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname NOT IN ('companies', 'schema_migrations', 'setup_links', 'sign_in_failures')`)
    expect(indexes.rows.length).toBeGreaterThan(30)
    // Each word in a search index begins with a hash of the company.
    const isSearch = ({ first }: { first: string | null }) => first === 'search'
    const others = indexes.rows
      .filter((row) => row.first !== 'company_id' && !isSearch(row))
      .map((row) => row.index)
    expect(indexes.rows.filter(isSearch)).toHaveLength(13)
    expect(others.toSorted()).toEqual([
      'api_keys_key_hash',
      'forms_by_slug',
      // Each id begins with a hash of the company.
      'quotes_by_service_charge',
      'users_by_email',
      'users_by_folded_email',
    ])
  })

  it('has times as timestamptz(3) and ids with COLLATE "C"', async () => {
    const columns = await pool.query<{
      table_name: string
      column_name: string
      type: string
      collation: string
    }>(`
      SELECT c.relname AS table_name, a.attname AS column_name, format_type(a.atttypid, a.atttypmod) AS type,
        (SELECT collname FROM pg_collation WHERE oid = a.attcollation) AS collation
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
        AND c.relname <> 'schema_migrations'`)
    const times = columns.rows.filter((row) => /_(at|time|date)$/.test(row.column_name))
    expect(times.length).toBeGreaterThan(60)
    expect(new Set(times.map((row) => row.type))).toEqual(new Set(['timestamp(3) with time zone']))
    const ids = columns.rows.filter((row) => /(^|_)ids?$/.test(row.column_name))
    expect(ids.length).toBeGreaterThan(60)
    expect(ids.filter((row) => row.collation !== 'C')).toEqual([])
  })

  it.each([
    [
      'money above 10^11',
      `INSERT INTO bookings (company_id, id, currency, total_price_cents) VALUES ('c', 'b', 'USD', 100000000001)`,
    ],
    [
      'negative money',
      `INSERT INTO bookings (company_id, id, currency, total_price_cents) VALUES ('c', 'b', 'USD', -1)`,
    ],
    [
      'a percentage above 100',
      `INSERT INTO tax_rates (company_id, id, name, rate) VALUES ('c', 't', 'Tax', 100.000001)`,
    ],
    ['an empty id', `INSERT INTO forms (company_id, id, name) VALUES ('c', '', 'Form')`],
    [
      'an id of 256 characters',
      `INSERT INTO forms (company_id, id, name) VALUES ('c', repeat('ü', 256), 'Form')`,
    ],
    ['an empty required text', `INSERT INTO forms (company_id, id, name) VALUES ('c', 'f', '')`],
    [
      'a discount with the value of the other type',
      `INSERT INTO discounts (company_id, id, name, type, percent_off) VALUES ('c', 'd', 'Off', 'AMOUNT', 5)`,
    ],
    [
      'an amount discount without a currency',
      `INSERT INTO discounts (company_id, id, name, type, amount_off) VALUES ('c', 'd', 'Off', 'AMOUNT', 5)`,
    ],
    [
      'a deposit amount without its type',
      `INSERT INTO payment_terms (company_id, id, name, payment_schedule, deposit_amount_cents) VALUES ('c', 'p', 'Terms', 'DEPOSIT', 5)`,
    ],
    [
      'the same charge twice on a quote',
      `INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency, service_charge_ids) VALUES ('c', 'q', 'l', 'l', 'Quay 1', 'USD', '{a,a}')`,
    ],
    ['an unknown plan', `INSERT INTO companies (id, name, plan, currency) VALUES ('x', 'X', 'GOLD', 'USD')`],
    [
      'an allowed block with host bits',
      `INSERT INTO companies (id, name, plan, currency, allowed_ips) VALUES ('x', 'X', 'PRO', 'USD', '{10.0.0.1/8}')`,
    ],
    [
      'a key without a company',
      `INSERT INTO api_keys (company_id, id, name, key_hash) VALUES ('none', 'k', 'Key', repeat('a', 64))`,
    ],
    [
      'a user without a company',
      `INSERT INTO users (company_id, id, email, name, role, password_hash) VALUES ('none', 'u', 'a@b', 'A', 'ADMIN', 'h')`,
    ],
    [
      'an unknown role',
      `INSERT INTO users (company_id, id, email, name, role, password_hash) VALUES ('c', 'u', 'a@b', 'A', 'OWNER', 'h')`,
    ],
    [
      'a session without a user',
      `INSERT INTO sessions (company_id, token_hash, user_id, expires_at) VALUES ('c', repeat('a', 64), 'none', now())`,
    ],
    [
      'a task without an event',
      `INSERT INTO tasks (company_id, id, event_id, description) VALUES ('c', 't', 'none', 'Call')`,
    ],
  ])('rejects %s', async (_, sql) => {
    await pool.query(
      `INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PRO', 'USD') ON CONFLICT DO NOTHING`,
    )
    await expect(pool.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(23|22)/) as string })
  })
})

describe('quotes', () => {
  it('have an index on company and updated_at', async () => {
    const indexes = await pool.query<{ definition: string }>(`
      SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'quotes'::regclass`)
    expect(indexes.rows.some(({ definition }) => definition.includes('(company_id, updated_at'))).toBe(true)
  })

  it('have days that are indexed only by quote', async () => {
    const indexes = await pool.query<{ name: string }>(`
      SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'service_days'::regclass`)
    expect(indexes.rows.map(({ name }) => name).toSorted()).toEqual([
      'service_days_by_quote',
      'service_days_pkey',
    ])
  })
})

describe('records', () => {
  /** The indexes that the statements use. Sequential scans fail the test. */
  const indexesOf = async (work: (db: Db) => Promise<unknown>) => {
    const indexes = (await explainStatements(connection, work)).map(({ index }) => index ?? 'none')
    expect(indexes).not.toContain('none')
    return [...new Set(indexes)].toSorted()
  }

  beforeAll(async () => {
    await pool.query(`
      INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PRO', 'USD') ON CONFLICT DO NOTHING;
      INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency, discount_id, tax_rate_id,
        payment_terms_id, service_charge_ids)
      SELECT 'c', 'q' || i, 'l', 'l', 'Quay 1', 'USD', 'd' || i, 't' || i, 'p' || i, ARRAY['s' || i]
      FROM generate_series(1, 3000) AS i;
      INSERT INTO line_items (company_id, id, quote_id, kind, price_cents, discount_id)
      SELECT 'c', 'i' || i, 'q' || i, 'CUSTOM', 0, 'd' || i FROM generate_series(1, 3000) AS i;
      INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, actor_id, data, previous,
        created_at)
      SELECT 'c', i, CASE WHEN i % 500 = 0 THEN 'form_response.submitted' ELSE 'task.created' END, 'task', 't' || i,
        CASE WHEN i % 100 = 0 THEN 'customer' WHEN i % 300 = 1 THEN 'system' ELSE 'user' END,
        CASE WHEN i % 500 = 0 THEN 'lead' WHEN i % 100 = 0 OR i % 300 = 1 THEN NULL ELSE 'user_' || i % 10 END,
        '{}', '{}', now() - (3000 - i) * interval '1 minute'
      FROM generate_series(1, 3000) AS i;
      ANALYZE`)
  })

  it.each([
    ['a discount', DISCOUNT_KIND, ['line_items_by_discount', 'quotes_by_discount']],
    ['a tax rate', TAX_RATE_KIND, ['quotes_by_tax_rate']],
    ['payment terms', PAYMENT_TERMS_KIND, ['quotes_by_payment_terms']],
    ['a service charge', SERVICE_CHARGE_KIND, ['quotes_by_service_charge']],
  ])('checking the use of %s needs only indexes', async (_, kind, indexes) => {
    expect(await indexesOf((db) => isRecordUsed(db, 'c', kind, 'x'))).toEqual(indexes)
  })

  it('searching quotes by id or number, with or without the prefix, needs only indexes', async () => {
    const indexes = ['companies_pkey', 'quotes_by_number', 'quotes_pkey']
    expect(await indexesOf((db) => searchQuotes(db, 'c', '1042'))).toEqual(indexes)
  })

  it.each([
    ['customers', { type: 'customer' }, ['changes_by_actor', 'changes_by_time', 'changes_by_type']],
    ['the system', { type: 'system' }, ['changes_by_actor', 'changes_by_time']],
    ['a user', { id: 'user_1' }, ['changes_by_actor', 'changes_by_time']],
  ] as const)('listing changes of %s needs only indexes', async (_, actor, indexes) => {
    const filters = { types: [], subject: undefined, actor, createdAt: null, order: 'desc' } as const
    const page = { limit: 50, after: null }
    expect(await indexesOf((db) => listChanges(db, 'c', filters, page))).toEqual(indexes)
  })
})

describe('migrations', () => {
  it('do nothing the second time', async () => {
    expect(await migrate(connection)).toEqual([])
  })

  it('are each applied once by concurrent processes', async () => {
    await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const runs = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
    expect(runs.flat().toSorted()).toEqual((await readdir('migrations')).toSorted())
    const tables = await withClient(connection, (client) =>
      client.query(`SELECT to_regclass('tasks') AS found`),
    )
    expect(tables.rows).toEqual([{ found: 'tasks' }])
  })
})
