/** B1: a page of these lists costs about the same at any depth, with every filter. */
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { SESSION_OPTIONS, openPool } from '../../src/db/connect.ts'
import { refreshEventAssignments } from '../../src/records/event/assignments.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { createDatabase } from '../../test/support/database.ts'
import { KEY } from '../../test/support/quotes.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

const { pool, connection } = await createDatabase()
interface Sent {
  text: string
  values: readonly (string | null)[]
}

interface Bound {
  statement?: string
  values: readonly unknown[]
  /** Undefined if the values are texts. */
  valueMapper?: (value: unknown) => string | null
}

interface Wire {
  parse: (config: { name?: string; text: string }, more: boolean) => void
  bind: (config: Bound, more: boolean) => void
}

/** The statements with their values, which are known only when the driver sends them. */
const sent: Sent[] = []
const data = openPool(connection, 'data', () => undefined)
atEnd(() => data.end())
data.on('connect', (client) => {
  const wire = Reflect.get(client, 'connection') as unknown as Wire
  const [parse, bind] = [wire.parse.bind(wire), wire.bind.bind(wire)]
  /** A group of statements is one query of the driver, and a prepared statement is parsed only once. */
  const texts = new Map<string, string>()
  wire.parse = (config, more) => {
    texts.set(config.name ?? '', config.text)
    parse(config, more)
  }
  wire.bind = (config, more) => {
    const { statement = '', values, valueMapper = (value) => value as string | null } = config
    sent.push({ text: texts.get(statement) ?? '', values: values.map(valueMapper) })
    bind(config, more)
  }
})
const server = await startServer(connection, { data })

const ROWS = 30_000
/** A page of ten reads at most eleven rows, each with a few pages of an index and the table. */
const BUFFERS_MAX = 150
/** A page by status reads eleven rows of each endpoint, and a company has at most 20. */
const BUFFERS_MAX_OF_ENDPOINTS = 300
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
  // Few are overdue, all at the end.
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
  await fill('leads', 'email', `CASE WHEN n % 1000 = 999 THEN 'Rare@example.com' ELSE 'usual' || n % 2 END`)
  await pool.query(
    `INSERT INTO events (company_id, id, service_start_time, service_end_time)
     VALUES ('co_1', 'usual', now(), now()), ('co_1', 'rare', now(), now())`,
  )
  await fill(
    'tasks',
    'event_id, description, due_date, completed_at',
    `${PAIR}, 'A', now() - n * interval '1 minute', CASE WHEN n > ${ROWS - 500} THEN now() END`,
  )
  await fillDeliveries()
  await fillChanges()
  await pool.query(
    `VACUUM ANALYZE bookings, events, event_assignments, invoices, form_responses, staff, services, leads, tasks,
       webhook_endpoints, webhook_deliveries, changes`,
  )
  // Inserting tens of thousands of rows can take longer than the default timeout on a busy machine.
}, 240_000)

/** The maximum number of endpoints of a company, with deliveries of every status. */
async function fillDeliveries(): Promise<void> {
  await pool.query(
    `INSERT INTO webhook_endpoints (company_id, id, url, types, secrets)
     SELECT 'co_1', id, 'https://192.0.9.1/', '{*}', '[]'
     FROM unnest(ARRAY['rare', 'usual'] || ARRAY(SELECT 'other_' || n FROM generate_series(1, 18) n)) AS id`,
  )
  await pool.query(
    `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject, status, next_attempt_at)
     SELECT 'co_1', n, endpoint_id, n / 20 + 1, 'task ' || n, status, CASE WHEN status = 'pending' THEN now() END
     FROM generate_series(1, $1::integer) n CROSS JOIN LATERAL (SELECT
       CASE WHEN n % 1000 = 1 THEN 'rare' WHEN n % 2 = 0 THEN 'usual' ELSE 'other_' || n % 18 + 1 END,
       CASE WHEN n % 1000 < 40 THEN 'failed' WHEN n % 1000 < 80 THEN 'pending' ELSE 'delivered' END
     ) made (endpoint_id, status)`,
    [ROWS],
  )
}

async function fillChanges(): Promise<void> {
  await pool.query(
    `INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
     SELECT 'co_1', n, CASE WHEN n % 1000 = 1 THEN 'lead.created' ELSE 'task.updated' END, 'task', ${PAIR}, 'system',
       '{"object":null}', '{}', now() - ($1 - n) * interval '1 minute'
     FROM generate_series(1, $1::integer) n`,
    [ROWS],
  )
}

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
      // Prepared, so that the plan is the generic one.
      const values = statement.values
        .map((value) => (value === null ? 'NULL' : client.escapeLiteral(value)))
        .join(', ')
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
  ['leads', ['email=rare@example.com', 'email=usual0']],
  ['tasks', ['event_id=rare', 'event_id=usual']],
])('B1: a page of %s', (path, filters) => {
  it.each(['', ...filters])(
    'reads few database pages with filter "%s", at the start and end of the list',
    async (filter) => {
      expect(await countBuffers(`${path}?${filter}`)).toBeLessThan(BUFFERS_MAX)
      const isCommon = !/rare|inactive|archived=false|status=(D|V|Pa)/.test(filter)
      const cursor = isCommon ? `x_${ROWS - 30}` : `x_${ROWS - 1001}`
      expect(await countBuffers(`${path}?${filter}&starting_after=${cursor}`)).toBeLessThan(BUFFERS_MAX)
    },
  )
})

/** Fails if the page is empty, because an empty page is always cheap. */
async function countBuffersOfPage(path: string): Promise<number> {
  const { body } = await server.get(`/api/${path}`, KEY)
  expect((body as { data: unknown[] }).data).not.toEqual([])
  return countBuffers(path)
}

describe('B1: a page of webhook deliveries, or of tasks by completion', () => {
  it.each([
    ['tasks?completed=true', `x_${ROWS - 30}`],
    ['tasks?completed=false', `x_${ROWS - 531}`],
    ['tasks?completed=false&event_id=rare', `x_${ROWS - 2001}`],
    ['webhook-deliveries?', 'whd_30'],
    ['webhook-deliveries?endpoint_id=usual', 'whd_30'],
    ['webhook-deliveries?endpoint_id=rare', 'whd_1001'],
    ['webhook-deliveries?endpoint_id=usual&status=delivered', 'whd_90'],
    ['webhook-deliveries?endpoint_id=usual&status=pending', 'whd_1060'],
    ['webhook-deliveries?endpoint_id=rare&status=failed', 'whd_1001'],
    ['webhook-deliveries?change_id=chg_2', 'whd_30'],
    ['webhook-deliveries?change_id=chg_2&endpoint_id=usual', 'whd_30'],
    ['webhook-deliveries?change_id=chg_2&status=failed', 'whd_30'],
    ['webhook-deliveries?change_id=chg_2&endpoint_id=usual&status=failed', 'whd_30'],
  ])('reads few database pages, at the start and end of the list: %s', async (first, cursor) => {
    expect(await countBuffersOfPage(first)).toBeLessThan(BUFFERS_MAX)
    expect(await countBuffersOfPage(`${first}&starting_after=${cursor}`)).toBeLessThan(BUFFERS_MAX)
  })

  it.each([
    ['delivered', 'whd_90'],
    ['pending', 'whd_1060'],
    ['failed', 'whd_1001'],
  ])(
    'reads few database pages for each endpoint, at the start and end of the list: status=%s',
    async (status, cursor) => {
      const first = `webhook-deliveries?status=${status}`
      expect(await countBuffersOfPage(first)).toBeLessThan(BUFFERS_MAX_OF_ENDPOINTS)
      expect(await countBuffersOfPage(`${first}&starting_after=${cursor}`)).toBeLessThan(
        BUFFERS_MAX_OF_ENDPOINTS,
      )
    },
  )
})

describe.each([
  ['asc', `chg_${ROWS - 1_020}`],
  ['desc', 'chg_1020'],
])('B1: a page of changes with order=%s', (order, cursor) => {
  it.each([
    '',
    'type=task.updated',
    'type=lead.created',
    'type=lead.created,task.updated',
    'object_id=usual',
    'object_id=rare',
    'created_at[gt]=2000-01-01T00:00:00Z',
  ])('reads few database pages with filter "%s", at the start and end of the list', async (filter) => {
    const first = `changes?order=${order}&${filter}`
    expect(await countBuffersOfPage(first)).toBeLessThan(BUFFERS_MAX)
    expect(await countBuffersOfPage(`${first}&starting_after=${cursor}`)).toBeLessThan(BUFFERS_MAX)
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
    'leads?updated_at[gt]=2000-01-01T00:00:00Z',
    'tasks?due_date[gt]=2000-01-01T00:00:00Z',
    'tasks?updated_at[gt]=2000-01-01T00:00:00Z',
  ])('reads a limited number of database pages: %s', async (path) => {
    expect(await countBuffers(path)).toBeLessThan(BUFFERS_MAX_IN_RANGE)
  })
})
