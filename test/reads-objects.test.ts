/** Objects of bookings, events, form responses and invoices: expansion, answers, status. */
import { beforeAll, describe, expect, it } from 'vitest'
import { EXPAND_GRAPH } from '../src/api/expansion/relations.ts'
import { listPaths } from '../src/core/requests/expand-paths.ts'
import { createDatabase } from './support/database.ts'
import { FIELDS, KEY, OTHER_KEY, expandQuery, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insert, insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
const statements: string[] = []
const server = await startServer(connection, {
  data: watchedPool(connection, 'data', (text) => statements.push(text)),
})

type Json = Record<string, unknown>
const read = async (path: string, key = KEY) => {
  const { status, body, text } = await server.get(`/api${path}`, key)
  expect(status, text).toBe(200)
  return body as Json
}
const LONG_AGO = '2020-01-01T00:00:00Z'
const FAR_AHEAD = '9000-01-01T00:00:00Z'

describe('B6: expansion', () => {
  beforeAll(async () => {
    await plant(pool, 'leads', 'co_1', 'lead', { first_name: 'Ada' })
    await plant(pool, 'leads', 'co_2', 'theirs')
    await plant(pool, 'event_types', 'co_1', 'type')
    await plant(pool, 'locations', 'co_1', 'loc')
    await plant(pool, 'services', 'co_1', 'bar')
    await plant(pool, 'services', 'co_1', 'old', { archived_at: LONG_AGO })
    await plant(pool, 'addons', 'co_1', 'ice')
    await plant(pool, 'staff', 'co_1', 'ada')
    await plant(pool, 'resources', 'co_1', 'van')
    await plant(pool, 'bookings', 'co_1', 'b1', { lead_id: 'lead', event_type_id: 'type' })
    await plant(pool, 'bookings', 'co_1', 'b2', { lead_id: 'theirs' })
    await plant(pool, 'invoices', 'co_1', 'inv', { booking_id: 'b1' })
    const all = {
      service_ids: ['bar', 'old'],
      addon_ids: ['ice'],
      staff_ids: ['ada', 'gone'],
      resource_ids: ['van'],
    }
    await plant(pool, 'events', 'co_1', 'e1', { booking_id: 'b1', location_id: 'loc', ...all })
    await plant(pool, 'events', 'co_1', 'e2', { booking_id: 'gone', location_id: 'gone' })
  })

  it('expands all paths of a booking', async () => {
    const booking = await read(
      '/bookings/b1?expand[]=lead,eventType,invoices,events.staff,events.booking.events',
    )
    expect(booking).toMatchObject({
      lead: { object: 'lead', id: 'lead', name: 'Ada' },
      eventType: { object: 'eventType', id: 'type' },
      invoices: [{ object: 'invoice', id: 'inv', status: 'Draft' }],
      events: [
        { object: 'event', id: 'e1', staff: [{ id: 'ada' }], booking: { id: 'b1', events: [{ id: 'e1' }] } },
      ],
    })
    expect(Object.keys(booking)).toEqual([
      ...(FIELDS['booking'] ?? []),
      'lead',
      'eventType',
      'invoices',
      'events',
    ])
  })

  it('expands all paths of an event', async () => {
    const event = await read(
      '/events/e1?expand[]=location,services,staff,addons,resources,booking.lead,booking.events.staff',
    )
    expect(event).toMatchObject({
      location: { id: 'loc' },
      services: [{ id: 'bar' }],
      staff: [{ id: 'ada' }],
      addons: [{ id: 'ice' }],
      resources: [{ id: 'van' }],
      booking: { id: 'b1', lead: { id: 'lead' }, events: [{ id: 'e1', staff: [{ id: 'ada' }] }] },
    })
    expect(Object.keys(event).slice(0, -6)).toEqual(FIELDS['event'])
  })

  it('X7: returns null for missing and foreign records, and omits them from collections', async () => {
    expect(await read('/bookings/b2?expand[]=lead,eventType,invoices')).toMatchObject({
      leadId: 'theirs',
      lead: null,
      eventType: null,
      invoices: [],
    })
    expect(await read('/events/e2?expand[]=booking.lead,location,staff')).toMatchObject({
      bookingId: 'gone',
      booking: null,
      location: null,
      staff: [],
    })
  })

  it.each(['booking', 'event'])(
    'X5: accepts every path of a %s, on lists with the prefix',
    async (object) => {
      const paths = listPaths(EXPAND_GRAPH, object)
      expect(paths).toHaveLength(20)
      expect(paths).toContain(
        object === 'booking' ? 'events.booking.events.booking' : 'booking.events.booking.events',
      )
      const one = await read(
        `/${object}s/${object}1`.replace('booking1', 'b1').replace('event1', 'e1') + `?${expandQuery(paths)}`,
      )
      const { data } = (await read(`/${object}s?${expandQuery(paths, 'data.')}`)) as { data: Json[] }
      expect(data.find(({ id }) => id === one['id'])).toEqual(one)
    },
  )

  it.each([
    ['/bookings', 'events', 'must begin with "data."'],
    ['/bookings', 'data.quote', 'Unknown expansion path'],
    ['/bookings/b1', 'data.events', 'Unknown expansion path'],
    ['/bookings/b1', 'events.booking.events.booking.events', 'deeper than 4 segments'],
    ['/events/e1', 'booking.quote', 'Unknown expansion path'],
    ['/events/e1', '', 'Unknown expansion path'],
  ])('X4: %s rejects the path "%s": %s', async (path, expand, message) => {
    const { status, body } = await server.get(`/api${path}?expand[]=${expand}`, KEY)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { param: 'expand', message: expect.stringContaining(message) as string },
    })
  })

  it('sends one statement per relation, for any number of records', async () => {
    statements.length = 0
    await read('/events?limit=1&expand[]=data.staff,data.booking.invoices')
    const few = statements.length
    statements.length = 0
    await read('/events?limit=100&expand[]=data.staff,data.booking.invoices')
    expect([few, statements.length]).toEqual([4, 4])
  })
})

describe('B7: form responses', () => {
  beforeAll(async () => {
    await plant(pool, 'forms', 'co_1', 'form', { name: 'Details' })
    for (const [id, position] of [
      ['q_late', 5],
      ['q_early', 1],
    ] as const)
      await plant(pool, 'form_questions', 'co_1', id, { form_id: 'form', title: id, type: 'TEXT', position })
    for (const id of ['r1', 'r2', 'r3'])
      await plant(pool, 'form_responses', 'co_1', id, {
        form_id: 'form',
        created_at: `2026-01-0${id.slice(1)}T00:00:00Z`,
      })
    const answer = (response: string, id: string, question: string) =>
      insert(pool, 'form_answers', {
        company_id: 'co_1',
        form_response_id: response,
        id,
        ordinal: 0,
        question_id: question,
        response: `${response} ${id} ☕`,
      })
    await answer('r1', 'a1', 'q_late')
    await answer('r1', 'a2', 'q_early')
    await answer('r1', 'a3', 'q_gone')
    await answer('r3', 'a1', 'q_early')
  })

  it('L6: have their answers in the order of the questions, without answers to missing questions', async () => {
    const { data } = (await read('/form-responses')) as { data: Json[] }
    const answers = data.map(({ id, formQuestionResponses }) => [
      id,
      (formQuestionResponses as Json[]).map((one) => one['response']),
    ])
    expect(answers).toEqual([
      ['r3', ['r3 a1 ☕']],
      ['r2', []],
      ['r1', ['r1 a2 ☕', 'r1 a1 ☕']],
    ])
  })

  it('O19: have `object`, then the members of GET /form-response/{id}', async () => {
    const { body } = await server.get('/api/form-response/r1', KEY)
    const response = await read('/form-responses/r1')
    expect(JSON.stringify(response)).toBe(JSON.stringify({ object: 'formResponse', ...(body as Json[])[0] }))
  })

  it('need two statements for any number of responses', async () => {
    statements.length = 0
    await read('/form-responses?limit=1')
    await read('/form-responses?limit=100')
    expect(statements).toHaveLength(4)
  })
})

const due = (row: Row): Row => ({ issued_at: LONG_AGO, total_cents: 100, ...row })

/** Rows of each status. */
const STATUSES: Record<string, Row[]> = {
  Void: [due({ voided_at: LONG_AGO, due_date: LONG_AGO }), { voided_at: LONG_AGO }],
  Draft: [{ total_cents: 100, due_date: LONG_AGO, amount_paid_cents: 100 }],
  Paid: [
    due({ amount_paid_cents: 100, due_date: LONG_AGO }),
    due({ amount_paid_cents: 101 }),
    due({ total_cents: 0 }),
  ],
  Overdue: [due({ due_date: LONG_AGO }), due({ due_date: LONG_AGO, amount_paid_cents: 99 })],
  PartiallyPaid: [due({ amount_paid_cents: 1 }), due({ amount_paid_cents: 1, due_date: FAR_AHEAD })],
  Open: [due({}), due({ due_date: FAR_AHEAD })],
}

describe.each([
  ['few', 0],
  ['more than 1,000', 600],
])('B3: the status of invoices, %s of each status', (_, copies) => {
  beforeAll(async () => {
    await pool.query(`DELETE FROM invoices WHERE company_id = 'co_2'`)
    await insert(pool, 'bookings', {
      company_id: 'co_2',
      id: `of_${copies}`,
      currency: 'USD',
      total_price_cents: 0,
    })
    for (const [status, rows] of Object.entries(STATUSES))
      for (const [i, row] of rows.entries())
        await plant(pool, 'invoices', 'co_2', `${status}_${i}`, { booking_id: `of_${copies}`, ...row })
    const columns = `company_id, booking_id, invoice_number, currency, total_cents, amount_paid_cents, issued_at, due_date,
      voided_at`
    await pool.query(
      `INSERT INTO invoices (id, created_at, ${columns})
       SELECT id || '_' || copy, created_at - copy % 7 * interval '1 day', ${columns}
       FROM invoices, generate_series(1, $1) copy WHERE company_id = 'co_2'`,
      [copies],
    )
  })

  it.each(Object.entries(STATUSES))(
    'status=%s returns every invoice once, in the order of the list',
    async (status, rows) => {
      const seen: { id: string; status: string; createdAt: string }[] = []
      for (let cursor = ''; ; cursor = `&starting_after=${seen.at(-1)?.id ?? ''}`) {
        const page = await read(`/invoices?status=${status}&limit=100${cursor}`, OTHER_KEY)
        seen.push(...(page['data'] as typeof seen))
        if (page['hasMore'] !== true) break
      }
      expect(new Set(seen.map((invoice) => invoice.status))).toEqual(new Set([status]))
      expect(seen).toHaveLength(rows.length * (copies + 1))
      const keys = seen.map(({ createdAt, id }) => `${createdAt} ${id}`)
      expect(keys).toEqual(keys.toSorted().toReversed())
      const other = status === 'Open' ? 'Overdue' : 'Open'
      const wrong = await read(`/invoices?status=${other}&starting_after=${seen[0]?.id ?? ''}`, OTHER_KEY)
      expect(wrong['data']).toEqual([])
    },
  )

  it('B2: combines with other filters', async () => {
    const count = async (query: string) =>
      ((await read(`/invoices?limit=100&${query}`, OTHER_KEY))['data'] as object[]).length
    expect(await count(`status=Overdue&due_date[gt]=${LONG_AGO}`)).toBe(0)
    expect(await count(`status=Overdue&due_date[lte]=${LONG_AGO}`)).toBe(copies === 0 ? 2 : 100)
    expect(await count(`status=Open&due_date[gt]=${LONG_AGO}`)).toBe(copies === 0 ? 1 : 100)
    expect(await count('status=Paid&booking_id=other')).toBe(0)
  })
})
