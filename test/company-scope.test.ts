/** Every unique index and every statement has the company, so that tables can be distributed by company. */
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/api/endpoint.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createDemoDatabase } from './support/database.ts'
import { expandQuery } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const { pool, connection } = await createDemoDatabase()
const [{ key: KEY }] = DEMO_KEYS

/** Small tables that are also read without a company. */
const GLOBAL_TABLES = [
  'api_keys',
  'companies',
  'forms',
  'schema_migrations',
  'setup_links',
  'sign_in_failures',
  'users',
]

const statements = new Set<string>()
const server = await startServer(connection, {
  data: watchedPool(connection, 'data', (text) => statements.add(text)),
})

const day = '2027-02-01T00:00:00Z'
const FILTERS = [
  'lead_id=lead_0167',
  'location_id=loc_lisbon',
  'booking_id=book_0246',
  'event_type_id=type_festival',
  `created_at[gt]=2020-01-01T00:00:00Z`,
  `updated_at[gte]=2020-01-01T00:00:00Z`,
  `service_start_time[gte]=${day}`,
]
/** Every set of filters. */
const setsOf = (filters: readonly string[]) =>
  Array.from({ length: 2 ** filters.length }, (_, set) =>
    filters.filter((_filter, i) => (set >> i) % 2 === 1).join('&'),
  )
const FILTER_SETS = setsOf(FILTERS)

const CHANGES = {
  filters: [
    'type=data.imported',
    'object_id=co_harborlight',
    'order=desc',
    'created_at[gt]=2020-01-01T00:00:00Z',
  ],
  cursor: 'chg_1',
}

/** One bound of each time, and the example of every other filter. */
const filtersOf = ({ query }: Endpoint) =>
  Object.entries(query.shape)
    .filter(([name]) => !/^(limit|starting_after)$|\[(gte|lt|lte)\]/.test(name))
    .map(([name, schema]) => `${name}=${String(schema.meta()?.['example'])}`)

const NEWER_LISTS = ENDPOINTS.filter(
  ({ operation }) => operation.startsWith('list') && !/Quotes|Resources|Changes/.test(operation),
).map((endpoint) => {
  const cursor = String(endpoint.query.shape['starting_after']?.meta()?.['example'])
  return [endpoint.path, { filters: filtersOf(endpoint), cursor }] as const
})

/** Notifies the processes that wait for changes of these companies. */
const NOTIFY = "SELECT pg_notify('changes', id) FROM unnest($1::text[]) AS id"

/** A write of each endpoint, and a read after a write, that the tests below do not call. */
const WRITES: Record<string, [method: string, path: string, body?: object]> = {
  createQuote: [
    'POST',
    '/api/quotes',
    {
      lead: { firstName: 'Nadia' },
      locationId: 'loc_lisbon',
      eventAddress: 'Pier 4',
      serviceDays: [
        {
          serviceStartTime: day,
          serviceEndTime: '2027-02-02T00:00:00Z',
          lines: [{ kind: 'CUSTOM', priceCents: 1 }],
        },
      ],
    },
  ],
  updateQuote: ['POST', '/api/quotes/quote_0296', { guestCount: 7, taxRateId: 'tax_brooklyn' }],
  sendQuote: ['POST', '/api/quotes/quote_0293/send', { message: 'Hello' }],
  getQuoteLink: ['GET', '/api/quotes/quote_0293/link'],
  loseQuote: ['POST', '/api/quotes/quote_0300/lose', { lostReason: 'PRICE' }],
  reopenQuote: ['POST', '/api/quotes/quote_0291/reopen', {}],
  bookQuote: ['POST', '/api/quotes/quote_0287/book', {}],
  updateEvent: ['POST', '/api/events/event_0288_1', { staffIds: ['staff_0002'], locationId: 'loc_lisbon' }],
  cancelEvent: ['POST', '/api/events/event_0294_1/cancel', {}],
  recordPayment: ['POST', '/api/invoices/inv_0288_2/payments', { amountCents: 1 }],
  createLead: ['POST', '/api/leads', { firstName: 'Nadia' }],
  updateLead: ['POST', '/api/leads/lead_0135', { firstName: 'Nadia', phone: null }],
  createTaskOfEvent: ['POST', '/api/tasks', { eventId: 'event_0246_1', description: 'Sweep the hall' }],
  updateTask: ['POST', '/api/tasks/task_0299_2_1', { description: 'Sweep', dueDate: null }],
  deleteTask: ['DELETE', '/api/tasks/task_0299_2_1'],
  createWebhookEndpoint: [
    'POST',
    '/api/webhook-endpoints',
    { url: 'https://no-such-host.invalid/', types: ['task.*'] },
  ],
  updateWebhookEndpoint: ['POST', '/api/webhook-endpoints/whe_demo_1', { description: 'Books' }],
  disableWebhookEndpoint: ['POST', '/api/webhook-endpoints/whe_demo_2', { status: 'disabled' }],
  enableWebhookEndpoint: ['POST', '/api/webhook-endpoints/whe_demo_2', { status: 'enabled' }],
  rotateWebhookSecret: ['POST', '/api/webhook-endpoints/whe_demo_1/rotate'],
  replayChanges: ['POST', '/api/webhook-endpoints/whe_demo_2/replay', { since: '2026-01-01T00:00:00Z' }],
  retryWebhookDelivery: ['POST', '/api/webhook-deliveries/whd_1/retry'],
  deleteWebhookEndpoint: ['DELETE', '/api/webhook-endpoints/whe_demo_2'],
}

const listTables = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )
  return rows.map(({ name }) => name).toSorted()
}

const succeed = async (path: string) => {
  const answer = await server.get(path, KEY)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
  return answer
}

describe('the schema', () => {
  it('has company_id in every table and every unique index', async () => {
    const { rows } = await pool.query<{ table: string; indexes: string[] | null; carries: boolean }>(`
      SELECT c.relname AS table,
        EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id') AS carries,
        ARRAY(
          SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
          WHERE x.indrelid = c.oid AND x.indisunique AND NOT EXISTS (
            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id'
              AND a.attnum = ANY((x.indkey::int2[])[0:x.indnkeyatts - 1]))
        ) AS indexes
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      ORDER BY c.relname`)
    expect(rows.length).toBeGreaterThan(20)
    const others = rows.filter(({ carries, indexes }) => !carries || indexes?.length !== 0)
    expect(others).toEqual([
      { table: 'api_keys', carries: true, indexes: ['api_keys_key_hash'] },
      { table: 'companies', carries: false, indexes: ['companies_pkey'] },
      { table: 'forms', carries: true, indexes: ['forms_by_slug'] },
      { table: 'schema_migrations', carries: false, indexes: ['schema_migrations_pkey'] },
      { table: 'setup_links', carries: false, indexes: ['setup_links_pkey'] },
      { table: 'sign_in_failures', carries: false, indexes: ['sign_in_failures_pkey'] },
    ])
    // Users have what it takes, but who signs in names no company.
    expect([...others.map(({ table }) => table), 'users']).toEqual(GLOBAL_TABLES)
  })

  it('has no foreign key between companies', async () => {
    const { rows } = await pool.query<{ name: string; carries: boolean }>(`
      SELECT k.conname AS name, EXISTS (
        SELECT FROM unnest(k.conkey, k.confkey) AS part (own, theirs)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.own AND a.attname = 'company_id'
        JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = part.theirs AND b.attname = 'company_id'
      ) OR k.confrelid = 'companies'::regclass AS carries
      FROM pg_constraint k WHERE k.contype = 'f'`)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ carries }) => !carries)).toEqual([])
  })
})

describe('the statements of every endpoint, with every filter and every path', () => {
  const called = new Set<string>()

  it('are recorded for the reads', async () => {
    for (const { operation, method, path: route, expand, example } of ENDPOINTS) {
      // A quote has a link after it was sent: see WRITES.
      if (method !== 'GET' || operation === 'getQuoteLink') continue
      called.add(operation)
      if (operation === 'getAvailability') {
        await succeed(`${route}?${example.query}`)
        continue
      }
      const path = route.replace(/:\w+/, example.id ?? '')
      for (let i = 0; i < (expand?.paths.length ?? 1); i += 20) {
        const paths = expand?.paths.slice(i, i + 20) ?? []
        await succeed(`${path}?${expandQuery(paths, expand?.prefix)}`)
      }
    }
    for (const filters of FILTER_SETS) {
      await succeed(`/api/quotes?${filters}`)
      await succeed(`/api/quotes?${filters}&starting_after=quote_0246`)
    }
    for (const [path, { filters, cursor }] of [...NEWER_LISTS, ['/api/changes', CHANGES] as const]) {
      for (const query of setsOf(filters)) {
        await succeed(`${path}?${query}`)
        await succeed(`${path}?${query}&starting_after=${cursor}`)
      }
    }
    for (const query of ['location_id=loc_lisbon', 'starting_after=res_0011&location_id=loc_lisbon'])
      await succeed(`/api/resources?${query}`)
    await succeed('/api/form-response/resp_0085_2?format=flat')
  }, 120_000)

  it('are recorded for a creation and the invoice page', async () => {
    for (const headers of [{}, { 'idempotency-key': 'one' }, { 'idempotency-key': 'one' }]) {
      const answer = await server.call('/api/task/create', {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ eventId: 'event_0246_1', description: 'Sweep the hall' }),
      })
      expect(answer.status).toBe(201)
    }
    called.add('createTask')
    const invoices = await succeed('/api/invoice/book_0246')
    const [, page = ''] = /http:\/\/127\.0\.0\.1:3000(\/i\/[^"]+)/.exec(invoices.text) ?? []
    expect((await server.call(page)).status).toBe(200)
  })

  it.each(Object.entries(WRITES))('are recorded for %s', async (operation, [method, path, body]) => {
    for (const headers of [{ 'idempotency-key': operation }, { 'idempotency-key': operation }]) {
      const answer = await server.call(path, {
        method,
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(answer.status, answer.text).toBeLessThan(300)
    }
    called.add(operation.replace(/^(dis|en)able/, 'update'))
  })

  it('are recorded for the quote page', async () => {
    const link = await succeed('/api/quotes/quote_0293/link')
    const [, page = ''] = /http:\/\/127\.0\.0\.1:3000(\/q\/[^"]+)/.exec(link.text) ?? []
    expect((await server.call(page)).status).toBe(200)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [form, body] of [
      ['question', 'text=Why'],
      ['accept', 'name=Nadia&agree=yes&shown='],
    ]) {
      const answer = await server.call(`${page}/${form}`, { method: 'POST', headers, body: body ?? '' })
      expect([form, answer.status]).toEqual([form, 303])
    }
  })

  it('cover every endpoint, and have the company as their first value', () => {
    expect(called).toEqual(new Set(ENDPOINTS.map(({ operation }) => operation)))
    expect(statements.size).toBeGreaterThan(100)
    const isScoped = (text: string) =>
      /company_id = \$1\b/.test(text) ||
      /INSERT INTO "?\w+"?(?: AS \w+)? \("?company_id"?,[^)]*\)\s+(?:VALUES \(|SELECT )\$1,/.test(text) ||
      / FROM companies(?: t)? WHERE (?:t\.)?id = \$1$/.test(text)
    const others = [...statements].filter((text) => !isScoped(text))
    const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 3000'
    expect(new Set(others)).toEqual(new Set([begin, NOTIFY, 'COMMIT']))
  })

  it('filter every table by company', async () => {
    const distributed = new Set(await listTables())
    for (const table of GLOBAL_TABLES) distributed.delete(table)
    const seen = new Set<string>()
    const unscoped: string[] = []
    for (const text of statements) {
      for (const [, table = '', alias] of text.matchAll(
        /\b(?:FROM|JOIN|INTO|UPDATE)\s+"?([a-z_]+)"?(?:\s+([a-z]\w*))?/g,
      )) {
        if (!distributed.has(table)) continue
        seen.add(table)
        const column = alias === undefined ? 'company_id' : `${alias}.company_id`
        if (!text.includes(column)) unscoped.push(`${table} ${alias ?? ''}: ${text}`)
      }
    }
    expect(unscoped).toEqual([])
    // The few that are not here are no part of an answer: form limits are for the public form, the others for the
    // admin application.
    expect([...distributed].filter((table) => !seen.has(table))).toEqual([
      'api_key_uses',
      'form_limits',
      'invitations',
      'mail_secrets',
      'packages',
      'password_resets',
      'request_log',
      'sessions',
    ])
  })
})
