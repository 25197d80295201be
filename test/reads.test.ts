/** The lists and gets of bookings, events, invoices, form responses, staff and the catalog. */
import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
await insertCompany(pool, 'co_pro', { key: 'key-of-a-legacy-plan', plan: 'LEGACY_PRO' })

const statements: string[] = []
const server = await startServer(connection, {
  data: watchedPool(connection, 'data', (text) => statements.push(text)),
})

const LONG_AGO = '2020-01-01T00:00:00Z'
const FAR_AHEAD = '9000-01-01T00:00:00Z'
const at = (day: number) => `2026-01-0${day}T00:00:00Z`
const archivedAt = { archived_at: LONG_AGO }

interface Resource {
  table: string
  noun: string
  /** Columns of x_1 to x_4, oldest first. x_2 and x_3 are created at the same time. */
  rows: Row[]
  /** Filters with the ids of the matching records. */
  filters: [query: string, ids: string[]][]
  invalid: [query: string, param: string][]
}

const times = (name: string): Resource['filters'] => [
  [`${name}[gt]=${at(2)}`, ['x_4']],
  [`${name}[gte]=${at(2)}`, ['x_4', 'x_3', 'x_2']],
  [`${name}[lt]=${at(2)}`, ['x_1']],
  [`${name}[lte]=${at(2)}`, ['x_3', 'x_2', 'x_1']],
  [`${name}[gt]=${at(1)}&${name}[lt]=${at(3)}`, ['x_3', 'x_2']],
]
const BOTH_TIMES = [...times('created_at'), ...times('updated_at')]
const BAD_TIMES: Resource['invalid'] = [
  ['created_at=2026-01-01T00:00:00Z', 'created_at'],
  ['created_at[gt]=2026-01-01', 'created_at[gt]'],
  ['updated_at[eq]=2026-01-01T00:00:00Z', 'updated_at[eq]'],
]
const byId = (name: string): Resource['filters'] => [
  [`${name}=a`, ['x_4', 'x_2']],
  [`${name}=b`, ['x_1']],
  [`${name}=foreign`, []],
  [`${name}=A`, []],
  [`${name}=`, []],
  [`${name}=%00`, []],
]
/** Values for `byId`. */
const ids = (make: (id: string) => Row) => ['b', 'a', 'unknown', 'a'].map(make)
const CATALOG = {
  rows: [{}, archivedAt, {}, archivedAt],
  filters: [
    ['archived=true', ['x_4', 'x_2']],
    ['archived=false', ['x_3', 'x_1']],
  ] as Resource['filters'],
  invalid: [
    ['archived=yes', 'archived'],
    ['archived=', 'archived'],
    ['archived=true&archived=true', 'archived'],
    ['expand[]=data.lead', 'expand'],
  ] as Resource['invalid'],
}

const RESOURCES: Record<string, Resource> = {
  bookings: {
    table: 'bookings',
    noun: 'Booking',
    rows: ids((id) => ({ lead_id: id, quote_id: id, event_type_id: id })),
    filters: [
      ...BOTH_TIMES,
      ...['lead_id', 'quote_id', 'event_type_id'].flatMap(byId),
      ['lead_id=a&quote_id=b', []],
      [`lead_id=a&updated_at[gt]=${at(2)}`, ['x_4']],
    ],
    invalid: [...BAD_TIMES, ['lead_id[]=a', 'lead_id[]'], ['expand[]=lead', 'expand']],
  },
  events: {
    table: 'events',
    noun: 'Event',
    rows: ids((id) => ({
      location_id: id,
      booking_id: id,
      staff_ids: [id, 'all'],
      resource_ids: ['all', id],
    })).map((row, i) => ({
      ...row,
      service_start_time: at(i === 0 ? 1 : i === 3 ? 3 : 2),
      canceled_at: i === 3 ? LONG_AGO : null,
    })),
    filters: [
      ...BOTH_TIMES,
      ...times('service_start_time'),
      ...['location_id', 'booking_id', 'staff_id', 'resource_id'].flatMap(byId),
      ['staff_id=all&resource_id=all', ['x_4', 'x_3', 'x_2', 'x_1']],
      ['staff_id=all&resource_id=a', ['x_4', 'x_2']],
      ['resource_id=all&location_id=b', ['x_1']],
      [`staff_id=a&service_start_time[lt]=${at(3)}`, ['x_2']],
      [`staff_id=a&created_at[gt]=${at(2)}`, ['x_4']],
      [`service_start_time[gt]=${at(1)}&updated_at[lt]=${at(3)}`, ['x_3', 'x_2']],
    ],
    invalid: [
      ...BAD_TIMES,
      ['service_start_time[gt]=soon', 'service_start_time[gt]'],
      ['staff_id=a&staff_id=b', 'staff_id'],
      ['expand[]=data.lead', 'expand'],
      ['expand[]=data.booking.events.booking.events.booking', 'expand'],
    ],
  },
  invoices: {
    table: 'invoices',
    noun: 'Invoice',
    rows: ids((id) => ({ booking_id: id, lead_id: id })).map((row, i) => ({
      ...row,
      due_date: i === 2 ? null : at(i === 0 ? 1 : i === 1 ? 2 : 3),
    })),
    filters: [
      ...BOTH_TIMES,
      ...['booking_id', 'lead_id'].flatMap(byId),
      [`due_date[gte]=${at(2)}`, ['x_4', 'x_2']],
      [`due_date[lt]=${FAR_AHEAD}`, ['x_4', 'x_2', 'x_1']],
      ['status=Draft', ['x_4', 'x_3', 'x_2', 'x_1']],
      ['status=Open', []],
    ],
    invalid: [
      ...BAD_TIMES,
      ['status=draft', 'status'],
      ['status=', 'status'],
      ['status=Open,Paid', 'status'],
      ['expand[]=data.booking', 'expand'],
    ],
  },
  'form-responses': {
    table: 'form_responses',
    noun: 'Form response',
    rows: ids((id) => ({ form_id: id, booking_id: id, quote_id: id })),
    filters: [...BOTH_TIMES, ...['form_id', 'booking_id', 'quote_id'].flatMap(byId)],
    invalid: [...BAD_TIMES, ['expand[]=data.form', 'expand']],
  },
  staff: {
    table: 'staff',
    noun: 'Staff',
    rows: [{ status: 'inactive' }, {}, {}, { status: 'inactive' }],
    filters: [
      ['status=active', ['x_3', 'x_2']],
      ['status=inactive', ['x_4', 'x_1']],
    ],
    invalid: [
      ['status=Active', 'status'],
      ['status=', 'status'],
      ['expand[]=data.events', 'expand'],
    ],
  },
  services: { table: 'services', noun: 'Service', ...CATALOG },
  addons: { table: 'addons', noun: 'Add-on', ...CATALOG },
  locations: { table: 'locations', noun: 'Location', ...CATALOG },
  'event-types': { table: 'event_types', noun: 'Event type', ...CATALOG },
}

for (const id of ['a', 'b', 'unknown', 'foreign']) {
  await plant(pool, 'bookings', 'co_1', id, { created_at: LONG_AGO, updated_at: LONG_AGO })
  await plant(pool, 'bookings', 'co_2', id, { created_at: LONG_AGO })
}
for (const { table, rows } of Object.values(RESOURCES)) {
  const foreign = Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => {
      if (name.endsWith('_ids')) return [name, ['foreign']]
      return [name, name.endsWith('_id') ? 'foreign' : value]
    }),
  )
  await plant(pool, table, 'co_2', 'foreign_x', foreign)
  await plant(pool, table, 'co_2', 'x_1', { ...rows[3], created_at: at(3), updated_at: at(3) })
  for (const [i, row] of rows.entries()) {
    const time = at([1, 2, 2, 3][i] ?? 0)
    await plant(pool, table, 'co_1', `x_${i + 1}`, { created_at: time, updated_at: time, ...row })
  }
}
interface Listed {
  id: string
  object: string
}

const readList = async (path: string, query: string, key = KEY) => {
  const { status, body, headers, text } = await server.get(`/api/${path}?${query}`, key)
  expect(status, text).toBe(200)
  const { data, hasMore } = body as { data: Listed[]; hasMore: boolean }
  return { ids: data.map(({ id }) => id), hasMore, cursor: headers['x-cursor'] }
}
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})

describe.each(Object.entries(RESOURCES))('/%s', (path, { noun, filters, invalid }) => {
  /** Excludes the bookings that the invoices belong to. */
  const list = async (query = '', key = KEY) => readList(path, `created_at[gt]=${LONG_AGO}&${query}`, key)
  const get = (id: string, key = KEY, query = '') => server.get(`/api/${path}/${id}${query}`, key)

  it('B1, S4: lists newest first, then by id', async () => {
    const { body } = await server.get(`/api/${path}?limit=4`, KEY)
    expect(body).toMatchObject({ object: 'list', url: `/api/${path}` })
    expect((await list()).ids).toEqual(['x_4', 'x_3', 'x_2', 'x_1'])
  })

  it.each([1, 2, 3, 4, 100])('B1, R17: returns every record once with limit %i', async (limit) => {
    const seen: string[] = []
    let page = await list(`limit=${limit}`)
    for (seen.push(...page.ids); page.hasMore; seen.push(...page.ids))
      page = await list(`limit=${limit}&starting_after=${page.ids.at(-1) ?? ''}`)
    expect(seen).toEqual(['x_4', 'x_3', 'x_2', 'x_1'])
  })

  it.each(['unknown_x', 'foreign_x', '', '%00', 'x'.repeat(256)])(
    'B1, R19: returns an empty page after %j',
    async (cursor) => {
      expect(await list(`starting_after=${cursor}`)).toEqual({ ids: [], hasMore: false, cursor: 'not-found' })
    },
  )

  it('A11: shows each company its own records', async () => {
    expect((await list('', OTHER_KEY)).ids.toSorted()).toEqual(['foreign_x', 'x_1'])
  })

  it.each(filters)('B2, B3, B4, S4: filters by %s', async (query, expected) => {
    expect((await readList(path, query)).ids.filter((id) => id.startsWith('x_'))).toEqual(expected)
    const [first, ...rest] = expected
    if (first === undefined) return
    const after = await readList(path, `${query}&starting_after=${first}`)
    expect(after.ids.filter((id) => id.startsWith('x_'))).toEqual(rest)
    const others = ['x_1', 'x_2', 'x_3', 'x_4'].filter((id) => !expected.includes(id))
    for (const id of others)
      expect(await readList(path, `${query}&starting_after=${id}`)).toMatchObject({
        ids: [],
        cursor: 'not-found',
      })
  })

  it.each([...invalid, ['limit=0', 'limit'] as const])('B2, B6, S4, R3: rejects %s', async (query, param) => {
    expect(errorOf(await server.get(`/api/${path}?${query}`, KEY))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param,
    })
  })

  it('B5, A11: gets the record of the company', async () => {
    const { status, body } = await get('x_2')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'x_2' })
    const listed = (await server.get(`/api/${path}?limit=100`, KEY)).body as { data: Listed[] }
    expect(listed.data.find(({ id }) => id === 'x_2')).toEqual(body)
    expect((await get('x_2', OTHER_KEY)).status).toBe(404)
  })

  it.each(['unknown_x', 'foreign_x', '%00'])('B5, A11: responds with 404 for %s', async (id) => {
    expect(errorOf(await get(id))).toEqual({
      status: 404,
      type: 'invalid_request_error',
      code: 'not_found',
      message: `${noun} not found`,
      param: 'id',
    })
  })

  it('B6: rejects an unknown path before a missing record', async () => {
    for (const id of ['x_1', 'unknown_x'])
      expect(errorOf(await get(id, KEY, '?expand[]=lineItems'))).toMatchObject({
        status: 400,
        param: 'expand',
      })
  })

  it.each(['', '/x_1'])('A2, R12: requires the plan PREMIUM and GET, with suffix %j', async (suffix) => {
    const denied = await server.get(`/api/${path}${suffix}`, 'key-of-a-legacy-plan')
    expect(errorOf(denied)).toMatchObject({ status: 401, code: 'missing_or_invalid_api_key' })
    const wrong = await server.call(`/api/${path}${suffix}`, { method: 'PUT' })
    const allowed = path === 'events' && suffix !== '' ? 'GET, HEAD, POST' : 'GET, HEAD'
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, allowed])
  })
})

describe('C5: statements', () => {
  it.each(Object.keys(RESOURCES))(
    'their number does not depend on the number of records of /%s',
    async (path) => {
      const count = async (limit: number) => {
        statements.length = 0
        await readList(path, `limit=${limit}`)
        return statements.length
      }
      expect(await count(100)).toBe(await count(1))
    },
  )
})
