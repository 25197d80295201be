/**
 * The calls of the application, from its own table: no call reads or changes records of another company, members do not get
 * to settings, who is not signed in gets nowhere. A new call fails here until it has its line.
 */
import { describe, expect, it } from 'vitest'
import type { ConsoleRoute } from '../src/console/route.ts'
import { CONSOLE_ROUTES } from '../src/console/routes.ts'
import { CONSOLE_REQUESTS } from './support/console-requests.ts'
import { callConsole, signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'
import { createDeliveries } from './support/webhooks.ts'
import { MINIMAL_WORLD, importValid } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const SECRET = 'Of-The-Other-Company'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)
await importValid(connection, [...ownWorld(), ...otherWorld()])
await pool.query(
  `INSERT INTO webhook_endpoints (company_id, id, url, types, description, secrets) VALUES
    ('c', 'whe', 'https://192.0.2.1/', '{*}', 'Ours', '[]'), ('x_c', 'x_whe', 'https://192.0.2.1/', '{*}', $1, '[]')`,
  [SECRET],
)
// Deliveries that the import causes would have the same numbers.
await createDeliveries(pool)
await pool.query('DELETE FROM webhook_deliveries')
await pool.query(
  `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject, status, next_attempt_at)
   VALUES ('c', 1, 'whe_kept', 1, 'company c', 'failed', NULL), ('x_c', 2, 'x_whe', 1, $1, 'failed', NULL)`,
  [SECRET],
)
await pool.query(
  `INSERT INTO invitations (company_id, id, email, role, token_hash, invited_by, expires_at) VALUES
    ('c', 'invitation', 'b@example.com', 'ADMIN', repeat('a', 64), NULL, now() + interval '1 day'),
    ('x_c', 'x_invitation', $1::text, 'ADMIN', repeat('a', 64), $1::text, now() + interval '1 day')`,
  [SECRET],
)
await pool.query(
  `INSERT INTO mails (company_id, id, kind, to_address, subject, text, html, status, next_attempt_at) VALUES
    ('c', 'mail', 'quote_sent', 'a@example.com', 'Ours', '', '', 'failed', NULL),
    ('x_c', 'x_mail', 'quote_sent', 'b@example.com', $1::text, $1::text, $1::text, 'failed', NULL)`,
  [SECRET],
)
await pool.query(
  `INSERT INTO sessions (company_id, id, user_id, token_hash, expires_at, user_agent) VALUES
    ('c', 'session', 'user', repeat('a', 64), now() + interval '1 day', NULL),
    ('x_c', 'x_session', 'x_user', repeat('a', 64), now() + interval '1 day', $1)`,
  [SECRET],
)
const own = await signedIn(server, database, 'c')
const member = await signedIn(server, database, 'c', 'MEMBER')

/** Every reference of this company points into the other company. */
function ownWorld(): TestRecord[] {
  return MINIMAL_WORLD.map((record) => {
    const references: Record<string, TestRecord> = {
      quote: {
        leadId: 'x_lead',
        locationId: 'x_loc',
        eventTypeId: 'x_type',
        bookingId: 'x_book',
        discountId: 'x_off',
        taxRateId: 'x_tax',
        paymentTermsId: 'x_terms',
        contractId: 'x_con',
        serviceChargeIds: ['x_fee'],
      },
      lineItem: { kind: 'SERVICE', serviceId: 'x_srv', discountId: 'x_off', serviceDayId: 'x_day' },
      booking: { quoteId: 'x_q', leadId: 'x_lead', eventTypeId: 'x_type' },
      event: {
        bookingId: 'x_book',
        locationId: 'x_loc',
        serviceIds: ['x_srv'],
        addonIds: ['x_add'],
        staffIds: ['x_staff'],
        resourceIds: ['x_res'],
      },
      resource: { locationId: 'x_loc' },
      package: { lines: [{ kind: 'SERVICE', serviceId: 'x_srv' }] },
      invoice: { leadId: 'x_lead', issuedAt: '2026-01-01T00:00:00Z', dueDate: '2026-02-01T00:00:00Z' },
      task: { dueDate: '2026-02-01T00:00:00Z' },
    }
    return { ...record, ...references[String(record['object'])] }
  })
}

/** The same with other ids and texts. */
function otherWorld(): TestRecord[] {
  return MINIMAL_WORLD.map((record) => {
    const changed: TestRecord = { ...record, id: `x_${String(record['id'])}` }
    for (const [name, value] of Object.entries(record)) {
      if (name === 'companyId' || name.endsWith('Id')) changed[name] = `x_${String(value)}`
      if (/^(name|description|title|eventAddress|firstName|lastName|invoiceNumber)$/.test(name))
        changed[name] = `${SECRET} ${String(value)}`
    }
    if (record['object'] === 'apiKey') changed['key'] = 'a-plain-key-of-x'
    if (record['object'] === 'lead')
      Object.assign(changed, { firstName: SECRET, email: `${SECRET}@x.example` })
    if (record['object'] === 'user') changed['email'] = 'x@example.com'
    return changed
  })
}

const routes = CONSOLE_ROUTES.map((route) => ({ ...route, name: `${route.method} ${route.path}` }))
const isForAdminsOnly = ({ allowed }: ConsoleRoute) => allowed?.includes('MEMBER') === false

function send(name: string, cookie: string, id?: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ')
  const request = CONSOLE_REQUESTS[name] ?? {}
  const place = path.replace('/console/', '').replace(':id', id ?? request.id ?? '')
  const query = request.query === undefined ? '' : `?${request.query}`
  return callConsole(server, cookie, method, place + query, request.body)
}

const tables = await pool.query<{ name: string }>(
  `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
)
/** One statement, because every test below reads these rows. */
const OTHER_ROWS = tables.rows
  .map(({ name }) => `SELECT '${name}' AS table, t::text AS line FROM ${name} t WHERE t::text ~ '\\mx_c\\M'`)
  .join(' UNION ALL ')

/** Every row of the other company. */
async function readOtherRows(): Promise<unknown[]> {
  return (await pool.query<object>({ name: 'other rows', text: `${OTHER_ROWS} ORDER BY 1, 2` })).rows
}

let otherRows = await readOtherRows()
const otherTables = new Set(otherRows.map((row) => (row as { table: string }).table))

async function expectOtherUnchanged(): Promise<void> {
  const before = otherRows
  otherRows = await readOtherRows()
  expect(otherRows).toEqual(before)
}

describe('the calls of the application', () => {
  it('are compared with rows of the other company in most tables', () => {
    expect(otherTables.size).toBeGreaterThan(30)
  })

  it('all have a request here', () => {
    expect(Object.keys(CONSOLE_REQUESTS).toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
  })

  it.each(routes.map(({ name }) => name))('%s: responds with 401 without a session', async (name) => {
    for (const cookie of ['', 'eqs_session=guessed']) {
      const answer = await send(name, cookie)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ error: { code: 'not_signed_in' } })
    }
  })

  it.each(routes.filter(isForAdminsOnly).map(({ name }) => name))('%s: rejects members', async (name) => {
    const answer = await send(name, member.cookie)
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ error: { code: 'forbidden' } })
  })

  it('reject members only at settings, request log, audit log and webhooks', () => {
    const closed = routes.filter(isForAdminsOnly).map(({ path }) => path)
    expect(closed.every((path) => /^\/console\/(settings|request-log|activity|webhook)/.test(path))).toBe(
      true,
    )
    const open = routes.filter((route) => !isForAdminsOnly(route)).map(({ path }) => path)
    expect(open.filter((path) => /settings|request-log|activity|webhook/.test(path))).toEqual([])
  })

  it.each(routes.filter(({ path }) => path.includes(':id')).map(({ name }) => name))(
    '%s: responds to an id of another company exactly as to an unknown id, and changes nothing',
    async (name) => {
      const foreign = await send(name, own.cookie, `x_${CONSOLE_REQUESTS[name]?.id ?? ''}`)
      expect(foreign.status).toBe(404)
      expect(foreign.text).not.toContain(SECRET)
      for (const unknown of ['nothing-of-this-id', '%00', 'x'.repeat(300), '%E2%82%AC%zz', '%F0%9F%8E%89']) {
        const answer = await send(name, own.cookie, unknown)
        expect([answer.status, answer.text]).toEqual([404, foreign.text])
      }
      await expectOtherUnchanged()
    },
  )

  it.each(routes.map(({ name }) => name))(
    '%s: shows nothing of another company that our records refer to',
    async (name) => {
      const answer = await send(name, own.cookie)
      // What changes something names no version that is there, or has been done by now.
      expect(answer.status, answer.text).toBeLessThan(name.startsWith('GET') ? 300 : 500)
      // Our own session and what was sent may be in an answer; what is there of the other company may not.
      expect(answer.text.replaceAll(`search=${SECRET}`, '')).not.toContain(SECRET)
      await expectOtherUnchanged()
    },
  )
})
