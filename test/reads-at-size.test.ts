/** B1: a page of the newer lists costs about the same at any depth, with every filter. */
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { SESSION_OPTIONS, openPool } from '../src/db/connect.ts'
import { refreshEventAssignments } from '../src/records/event/assignments.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { KEY } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
interface Sent {
  text: string
  values: readonly unknown[]
}

interface Wire {
  bind: (config: Pick<Sent, 'values'>, more: boolean) => void
}

/** The statements with their values, which the driver sees only when it sends them. */
const sent: Sent[] = []
const data = openPool(connection, 'data', () => undefined)
atEnd(() => data.end())
data.on('connect', (client) => {
  const query = Reflect.get(client, 'query') as (...args: unknown[]) => unknown
  const wire = Reflect.get(client, 'connection') as unknown as Wire
  const bind = wire.bind.bind(wire)
  let text = ''
  Reflect.set(client, 'query', (...args: unknown[]) => {
    text = (args[0] as Sent).text
    return Reflect.apply(query, client, args)
  })
  wire.bind = (config, more) => {
    sent.push({ text, values: [...config.values] })
    bind(config, more)
  }
})
const server = await startServer(connection, { data })

const ROWS = 30_000
/** A page of ten reads at most eleven rows, each with a few pages of an index and the table. */
const BUFFERS_MAX = 150
/** A filter by a time first reads up to 1,001 rows with an index. */
const BUFFERS_MAX_IN_RANGE = 4_000
/** Old rows are at the end of the list. */
const TIMES = `now() - n * interval '1 minute', now() - n * interval '1 minute'`
const PAIR = `CASE WHEN n % 1000 = 999 THEN 'rare' ELSE 'usual' END`

beforeAll(async () => {
  await insertCompany(pool, 'co_1', { key: KEY })
  const fill = (table: string, columns: string, values: string) =>
    pool.query(
      `INSERT INTO ${table} (company_id, id, created_at, updated_at, ${columns})
       SELECT 'co_1', 'x_' || n, ${TIMES}, ${values} FROM generate_series(1, $1::integer) n`,
      [ROWS],
    )
  await pool.query(
    `INSERT INTO bookings (company_id, id, currency, total_price_cents)
     VALUES ('co_1', 'usual', 'USD', 0), ('co_1', 'rare', 'USD', 0)`,
  )
  await fill(
    'bookings',
    'lead_id, quote_id, event_type_id, currency, total_price_cents',
    `${PAIR}, ${PAIR}, ${PAIR}, 'USD', 0`,
  )
  await fill(
    'events',
    'location_id, booking_id, staff_ids, resource_ids, service_start_time, service_end_time',
    `${PAIR}, ${PAIR}, ARRAY[${PAIR}], ARRAY[${PAIR}], now() - n * interval '1 minute', now()`,
  )
  const ids = Array.from({ length: ROWS }, (_, n) => `x_${n + 1}`)
  await refreshEventAssignments(pool, 'co_1', ids)
  // Few are overdue, and few are not void, all of them at the end.
  await fill(
    'invoices',
    'booking_id, lead_id, invoice_number, currency, total_cents, amount_paid_cents, issued_at, voided_at, due_date',
    `${PAIR}, ${PAIR}, n, 'USD', 100, CASE WHEN n % 1000 = 999 THEN 50 ELSE 0 END, now(), NULL,
      CASE WHEN n > 29500 THEN now() - interval '1 day' ELSE now() + interval '1 day' END`,
  )
  await fill('form_responses', 'form_id, booking_id, quote_id', `${PAIR}, ${PAIR}, ${PAIR}`)
  await fill(
    'staff',
    'first_name, last_name, email, status',
    `'A', 'B', 'c', CASE WHEN n % 1000 = 999 THEN 'inactive' ELSE 'active' END`,
  )
  await fill('services', 'name, archived_at', `'A', CASE WHEN n % 1000 <> 999 THEN now() END`)
  await pool.query(
    'VACUUM ANALYZE bookings, events, event_assignments, invoices, form_responses, staff, services',
  )
})

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** The buffers that the statements of a request touch. */
async function countBuffers(path: string): Promise<number> {
  sent.length = 0
  const { status, text } = await server.get(`/api/${path}`, KEY)
  expect(status, text).toBe(200)
  const client = new Client({
    ...connection,
    options: SESSION_OPTIONS,
  })
  await client.connect()
  try {
    let buffers = 0
    for (const statement of sent) {
      // As a prepared statement, with the plan for any values.
      const values = statement.values.map((value) => client.escapeLiteral(String(value))).join(', ')
      await client.query(`PREPARE listed AS ${statement.text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE listed (${values})`,
      )
      await client.query('DEALLOCATE listed')
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      buffers += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    }
    return buffers
  } finally {
    await client.end()
  }
}

describe.each([
  ['bookings', ['lead_id=rare', 'lead_id=usual', 'quote_id=rare', 'event_type_id=rare']],
  ['events', ['location_id=rare', 'booking_id=rare', 'staff_id=rare', 'staff_id=usual', 'resource_id=rare']],
  ['invoices', ['booking_id=rare', 'lead_id=rare', 'status=Draft', 'status=Void', 'status=Paid']],
  ['form-responses', ['form_id=rare', 'booking_id=rare', 'quote_id=rare']],
  ['staff', ['status=inactive', 'status=active']],
  ['services', ['archived=true', 'archived=false']],
])('B1: a page of %s', (path, filters) => {
  it.each(['', ...filters])('reads few pages of the database, first and last: %s', async (filter) => {
    expect(await countBuffers(`${path}?${filter}`)).toBeLessThan(BUFFERS_MAX)
    const isCommon = !/rare|inactive|archived=false|status=(D|V|Pa)/.test(filter)
    const cursor = isCommon ? `x_${ROWS - 30}` : `x_${ROWS - 1001}`
    expect(await countBuffers(`${path}?${filter}&starting_after=${cursor}`)).toBeLessThan(BUFFERS_MAX)
  })
})

describe('B1: a page in a range of times', () => {
  it.each([
    'invoices?status=Overdue',
    'invoices?status=Open',
    'invoices?status=PartiallyPaid',
    'bookings?updated_at[gt]=2000-01-01T00:00:00Z',
    'events?service_start_time[gt]=2000-01-01T00:00:00Z&staff_id=usual',
    'events?service_start_time[lt]=2000-01-01T00:00:00Z&staff_id=usual',
    'invoices?due_date[gt]=2000-01-01T00:00:00Z',
    'form-responses?updated_at[gt]=2000-01-01T00:00:00Z',
  ])('reads a limited number of pages of the database: %s', async (path) => {
    expect(await countBuffers(path)).toBeLessThan(BUFFERS_MAX_IN_RANGE)
  })
})
