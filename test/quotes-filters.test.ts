import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_PAGE, KEY, createQuoteApi, idsOf, plant, plantMany, refusal } from './support/quotes.ts'
import type { QuoteList } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool, list, listRaw } = await createQuoteApi()

// ---------------------------------------------------------------------------------------------------------------
// A company with few values in each column, so that filters meet, and what the list should give, worked out here.

const EPOCH = Date.UTC(2026, 4, 1, 23, 59, 58)
const MANY = 'key-of-a-company-to-filter'

interface Model {
  id: string
  leadId: string
  locationId: string
  bookingId: string | null
  eventTypeId: string | null
  /** Milliseconds after the epoch. */
  createdAt: number
  updatedAt: number
  days: number[]
  deleted: boolean
}

const model: Model[] = Array.from({ length: 90 }, (_, i) => ({
  id: `q_${String((i * 53) % 90).padStart(2, '0')}`,
  leadId: ['lead_a', 'lead_b', 'LEAD_A'][i % 3] ?? '',
  locationId: ['loc_x', 'loc_y'][i % 2] ?? '',
  bookingId: [null, 'book_1', 'book_2', null, 'book_3'][i % 5] ?? null,
  eventTypeId: [null, 'type_1', 'type_2', 'type_1'][i % 4] ?? null,
  createdAt: (i * 7) % 11,
  updatedAt: (i * 5) % 13,
  days: Array.from({ length: i % 4 }, (_day, n) => (i * 3 + n * (1 + (i % 5))) % 12),
  deleted: i % 17 === 16,
}))

const isoAt = (milliseconds: number) => new Date(EPOCH + milliseconds).toISOString()

await insertCompany(pool, 'co_many', { key: MANY })
await plantMany(
  pool,
  'quotes',
  'co_many',
  model.map((quote) => ({
    id: quote.id,
    lead_id: quote.leadId,
    location_id: quote.locationId,
    booking_id: quote.bookingId,
    event_type_id: quote.eventTypeId,
    created_at: isoAt(quote.createdAt),
    updated_at: isoAt(quote.updatedAt),
    deleted_at: quote.deleted ? isoAt(0) : null,
  })),
)
await plantMany(
  pool,
  'service_days',
  'co_many',
  model.flatMap(({ id, days }) =>
    days.map((start, n) => ({
      id: `${id}_${n}`,
      quote_id: id,
      service_start_time: isoAt(start),
      service_end_time: isoAt(start),
    })),
  ),
)

const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const
type Operator = (typeof OPERATORS)[number]
/** Microseconds after the epoch. */
type Bounds = Partial<Record<Operator, number>>

interface Filters {
  lead_id?: string
  location_id?: string
  booking_id?: string
  event_type_id?: string
  created_at?: Bounds
  updated_at?: Bounds
  service_start_time?: Bounds
}

function within(milliseconds: number, bounds: Bounds): boolean {
  const time = milliseconds * 1_000
  return (
    (bounds.gt === undefined || time > bounds.gt) &&
    (bounds.gte === undefined || time >= bounds.gte) &&
    (bounds.lt === undefined || time < bounds.lt) &&
    (bounds.lte === undefined || time <= bounds.lte)
  )
}

const same = (wanted: string | undefined, id: string | null) => wanted === undefined || wanted === id

function matches(quote: Model, filters: Filters): boolean {
  return (
    !quote.deleted &&
    same(filters.lead_id, quote.leadId) &&
    same(filters.location_id, quote.locationId) &&
    same(filters.booking_id, quote.bookingId) &&
    same(filters.event_type_id, quote.eventTypeId) &&
    within(quote.createdAt, filters.created_at ?? {}) &&
    within(quote.updatedAt, filters.updated_at ?? {}) &&
    (Object.keys(filters.service_start_time ?? {}).length === 0 ||
      quote.days.some((day) => within(day, filters.service_start_time ?? {})))
  )
}

const expectedIds = (filters: Filters): string[] =>
  model
    .filter((quote) => matches(quote, filters))
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)

const pad = (value: number) => String(value).padStart(2, '0')

/** One of the ways to write an instant: any offset, any number of digits, of which six count. */
function spell(microseconds: number, offsetMinutes: number, moreDigits: string): string {
  const local = new Date(EPOCH + Math.floor(microseconds / 1_000) + offsetMinutes * 60_000).toISOString()
  const fraction = local.slice(20, 23) + String(((microseconds % 1_000) + 1_000) % 1_000).padStart(3, '0')
  const sign = offsetMinutes < 0 ? '-' : '+'
  const minutes = Math.abs(offsetMinutes)
  const zone = offsetMinutes === 0 ? 'Z' : `${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
  return `${local.slice(0, 19)}.${fraction}${moreDigits}${zone}`
}

const spelled = (microseconds: number) => encodeURIComponent(spell(microseconds, 0, ''))

function queryOf(filters: Filters, write: (microseconds: number) => string = spelled): string {
  return Object.entries(filters)
    .flatMap(([name, value]: [string, string | Bounds]) =>
      typeof value === 'string'
        ? [`${name}=${value}`]
        : Object.entries(value).map(([operator, bound]) => `${name}[${operator}]=${write(bound)}`),
    )
    .join('&')
}

const DATES = ['created_at', 'updated_at', 'service_start_time'] as const

describe('Q8: exact ids', () => {
  it.each<[Filters]>([
    [{ lead_id: 'lead_a' }],
    [{ location_id: 'loc_y' }],
    [{ booking_id: 'book_2' }],
    [{ event_type_id: 'type_1' }],
  ])('%j keeps those quotes and no others', async (filters) => {
    const expected = expectedIds(filters)
    expect(expected.length).toBeGreaterThan(3)
    expect(expected.length).toBeLessThan(model.length - 10)
    expect(idsOf(await list(`limit=100&${queryOf(filters)}`, MANY))).toEqual(expected)
  })

  it('R11: case counts', async () => {
    const upper = await list('limit=100&lead_id=LEAD_A', MANY)
    expect(upper.data.every(({ leadId }) => leadId === 'LEAD_A')).toBe(true)
    expect(await list('lead_id=Lead_a', MANY)).toEqual(EMPTY_PAGE)
  })

  it.each(['lead_id', 'location_id', 'booking_id', 'event_type_id'])(
    'R10, R11: %s that no quote can have, or none has, gives an empty page, never an error',
    async (name) => {
      const impossible = [
        '',
        'nobody',
        'null',
        'x'.repeat(256),
        'x'.repeat(10_000),
        '%00',
        'lead_a%00',
        '%ZZ',
        '%FF',
        '%ED%A0%80',
        "'--",
      ]
      for (const value of impossible) expect(await list(`${name}=${value}`, MANY)).toEqual(EMPTY_PAGE)
    },
  )

  it('an id of any characters is found, percent-encoded', async () => {
    const ids = ['a b', 'a+b', 'a&b=c', 'a%2Fb', 'ü', '\u{1F600}', '[]', "o'hara", '"', '\\', '\u2028']
    for (const [i, leadId] of ids.entries())
      await plant(pool, 'quotes', 'co_1', `odd_${i}`, { lead_id: leadId })
    for (const [i, leadId] of ids.entries()) {
      expect(idsOf(await list(`lead_id=${encodeURIComponent(leadId)}`))).toEqual([`odd_${i}`])
    }
    expect(idsOf(await list('lead_id=a+b'))).toEqual(['odd_0'])
  })
})

describe('Q9: date filters', () => {
  const cases = DATES.flatMap((name) => OPERATORS.map((operator) => [name, operator] as const))

  it.each(cases)('%s[%s] to the microsecond, alone', async (name, operator) => {
    for (const bound of [-1, 0, 1, 4_999, 5_000, 5_001, 9_999_999]) {
      const filters: Filters = { [name]: { [operator]: bound } }
      expect(idsOf(await list(`limit=100&${queryOf(filters)}`, MANY))).toEqual(expectedIds(filters))
    }
  })

  it('R6: six digits count, the rest is cut off and never rounded', async () => {
    const key = 'key-of-a-company-with-one-quote'
    await insertCompany(pool, 'co_one', { key })
    await plant(pool, 'quotes', 'co_one', 'one', { created_at: '2026-03-01T12:00:00.123Z' })
    const isThere = async (query: string) => (await list(query, key)).data.length === 1
    expect(await isThere('created_at[gte]=2026-03-01T12:00:00.123000999Z')).toBe(true)
    expect(await isThere('created_at[gt]=2026-03-01T12:00:00.122999999Z')).toBe(true)
    expect(await isThere('created_at[gte]=2026-03-01T12:00:00.123001Z')).toBe(false)
    expect(await isThere('created_at[lt]=2026-03-01T12:00:00.123000999Z')).toBe(false)
    expect(await isThere('created_at[lt]=2026-03-01T12:00:00.123001Z')).toBe(true)
    expect(await isThere('created_at[lte]=2026-03-01T12:00:00.122999999Z')).toBe(false)
    expect(await isThere('created_at[lte]=2026-03-01T12:00:00.1230009Z')).toBe(true)
    // Seconds and their fraction can be left out.
    expect(await isThere('created_at[gte]=2026-03-01T12:00Z')).toBe(true)
    expect(await isThere('created_at[lte]=2026-03-01T12:00Z')).toBe(false)
    expect(await isThere('created_at[gt]=2026-03-01T12:00:00.1Z')).toBe(true)
    expect(await isThere('created_at[gte]=2026-03-01T12:00:01Z')).toBe(false)
  })

  it('offsets name the same instant, over the bounds of days and years too', async () => {
    const key = 'key-of-a-company-at-new-year'
    await insertCompany(pool, 'co_year', { key })
    await plant(pool, 'quotes', 'co_year', 'eve', { created_at: '2025-12-31T23:30:00.000Z' })
    for (const instant of [
      '2026-01-01T01:30:00%2B02:00',
      '2025-12-31T18:30-05:00',
      '2026-01-01T23:29%2B23:59',
      '2025-12-31T00:00:00-23:30',
      '2025-12-31T23:30-00:00',
    ]) {
      expect(idsOf(await list(`created_at[gte]=${instant}&created_at[lte]=${instant}`, key))).toEqual(['eve'])
      expect(await list(`created_at[gt]=${instant}`, key)).toEqual(EMPTY_PAGE)
      expect(await list(`created_at[lt]=${instant}`, key)).toEqual(EMPTY_PAGE)
    }
  })

  it('R6: the first and the last instant of the years 0001 to 9999 are bounds like any other', async () => {
    const query =
      'created_at[gt]=0001-01-01T00:00:00Z&created_at[lt]=9999-12-31T23:59:59.999999999Z&limit=100'
    expect(idsOf(await list(query, MANY))).toEqual(expectedIds({}))
    expect(await list('created_at[lt]=0001-01-01T00:00:00Z', MANY)).toEqual(EMPTY_PAGE)
    expect(await list('created_at[gt]=9999-12-31T23:59:59.999Z', MANY)).toEqual(EMPTY_PAGE)
    expect(idsOf(await list('created_at[gt]=0004-02-29T12:00%2B12:00&limit=100', MANY))).toEqual(
      expectedIds({}),
    )
  })

  it('bounds that exclude one another give an empty page', async () => {
    for (const name of DATES) {
      expect(await list(`${name}[gt]=${spelled(6_000)}&${name}[lt]=${spelled(6_000)}`, MANY)).toEqual(
        EMPTY_PAGE,
      )
      expect(await list(`${name}[gte]=${spelled(8_000)}&${name}[lte]=${spelled(3_000)}`, MANY)).toEqual(
        EMPTY_PAGE,
      )
    }
  })

  it('brackets may be percent-encoded, and names are as they are', async () => {
    const bound = spelled(5_000)
    const expected = expectedIds({ created_at: { gte: 5_000 } })
    expect(idsOf(await list(`limit=100&created_at%5Bgte%5D=${bound}`, MANY))).toEqual(expected)
    expect(idsOf(await list(`limit=100&created%5fat%5bgte%5d=${bound}`, MANY))).toEqual(expected)
  })
})

const instant = (from: number, to: number) =>
  fc
    .tuple(fc.integer({ min: from, max: to }), fc.constantFrom(-1, 0, 0, 0, 1, 500))
    .map(([milliseconds, rest]) => milliseconds * 1_000 + rest)
const someOf = <T extends object>(all: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<Partial<T>> =>
  all.chain((whole) =>
    fc
      .shuffledSubarray(Object.entries(whole), { maxLength })
      .map((entries) => Object.fromEntries(entries) as Partial<T>),
  )

describe('Q1: all supplied filters apply together', () => {
  // Lower bounds lie early and upper ones late, and no request has more than four filters: else most pages are empty.
  const bounds = someOf(
    fc.record({ gt: instant(-1, 7), gte: instant(-1, 7), lt: instant(4, 13), lte: instant(4, 13) }),
    3,
  )
  const anyFilters: fc.Arbitrary<Filters> = someOf(
    fc.record({
      lead_id: fc.constantFrom('lead_a', 'lead_b', 'LEAD_A'),
      location_id: fc.constantFrom('loc_x', 'loc_y'),
      booking_id: fc.constantFrom('book_1', 'book_2', 'book_3'),
      event_type_id: fc.constantFrom('type_1', 'type_2'),
      created_at: bounds,
      updated_at: bounds,
      service_start_time: bounds,
    }),
    4,
  )
  const anyPage = fc.record({
    limit: fc.integer({ min: 1, max: 30 }),
    cursor: fc.option(fc.oneof(fc.constantFrom(...model.map(({ id }) => id)), fc.nat(20)), { freq: 2 }),
  })
  const anySpelling = fc.record({
    offset: fc.constantFrom(0, 0, 120, -300, 345, -1_439, 1_439),
    digits: fc.constantFrom('', '', '9', '99', '999'),
  })

  it('any filters, bounds, cursor and limit give exactly the page that they should', async () => {
    let cursors = 0
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        anyFilters,
        anyPage,
        anySpelling,
        async (filters, { limit, cursor }, { offset, digits }) => {
          const ids = expectedIds(filters)
          // A cursor out of the filtered quotes, by its place, or any quote at all.
          const after = typeof cursor === 'number' ? ids[cursor] : (cursor ?? undefined)
          const place = after === undefined ? 0 : ids.indexOf(after) + 1
          const rest = after !== undefined && place === 0 ? [] : ids.slice(place)
          if (after !== undefined) cursors++
          if (rest.length > 0) found++
          const query = queryOf(filters, (bound) => encodeURIComponent(spell(bound, offset, digits)))
          const answer = await listRaw(
            `limit=${limit}&${query}${after === undefined ? '' : `&starting_after=${after}`}`,
            MANY,
          )
          const page = answer.body as QuoteList
          expect(answer.headers['x-cursor']).toBe(
            after !== undefined && place === 0 ? 'not-found' : undefined,
          )
          expect(idsOf(page)).toEqual(rest.slice(0, limit))
          expect(page.hasMore).toBe(rest.length > limit)
        },
      ),
      { numRuns: 200 },
    )
    expect(cursors).toBeGreaterThan(50)
    expect(found).toBeGreaterThan(50)
  })

  it('filters in any order of the query string give the same page', async () => {
    const filters: Filters = {
      lead_id: 'lead_a',
      location_id: 'loc_x',
      created_at: { gte: 1_000, lt: 9_000 },
    }
    const parts = queryOf(filters).split('&')
    for (const query of [parts.join('&'), parts.toReversed().join('&')]) {
      expect(idsOf(await list(`limit=100&${query}`, MANY))).toEqual(expectedIds(filters))
    }
  })

  it('Q7: pages with the same filters give every matching quote once', async () => {
    const filters: Filters = { location_id: 'loc_x', service_start_time: { gte: 2_000, lte: 8_000 } }
    const expected = expectedIds(filters)
    expect(expected.length).toBeGreaterThan(9)
    const seen: string[] = []
    let page = await list(`limit=4&${queryOf(filters)}`, MANY)
    seen.push(...idsOf(page))
    while (page.hasMore) {
      page = await list(`limit=4&${queryOf(filters)}&starting_after=${seen.at(-1)}`, MANY)
      seen.push(...idsOf(page))
    }
    expect(seen).toEqual(expected)
  })
})

describe('Q6: a cursor that does not match the filters gives an empty page', () => {
  // The cursor is the newest; two more follow it that match all of the filters.
  const fits = { lead_id: 'lead_9', location_id: 'loc_9', booking_id: 'book_9', event_type_id: 'type_9' }
  const times = { created_at: '2026-02-02T00:00:00Z', updated_at: '2026-03-03T00:00:00Z' }
  const key = 'key-of-a-company-with-cursors'
  const cursorOf = async (id: string, row: Record<string, unknown>, day: string) => {
    await plant(pool, 'quotes', 'co_cursor', id, { ...fits, ...times, ...row })
    await plant(pool, 'service_days', 'co_cursor', `day of ${id}`, { quote_id: id, service_start_time: day })
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['lead_id=lead_9', { lead_id: 'lead_8' }, '2026-06-01T00:00:00Z'],
    ['location_id=loc_9', { location_id: 'loc_8' }, '2026-06-01T00:00:00Z'],
    ['booking_id=book_9', { booking_id: null }, '2026-06-01T00:00:00Z'],
    ['event_type_id=type_9', { event_type_id: 'type_8' }, '2026-06-01T00:00:00Z'],
    ['created_at[lt]=2026-02-03T00:00:00Z', { created_at: '2026-02-03T00:00:00Z' }, '2026-06-01T00:00:00Z'],
    ['created_at[lte]=2026-02-02T23:59Z', { created_at: '2026-02-03T00:00:00Z' }, '2026-06-01T00:00:00Z'],
    ['updated_at[gt]=2026-03-02T00:00:00Z', { updated_at: '2026-03-02T00:00:00Z' }, '2026-06-01T00:00:00Z'],
    ['updated_at[gte]=2026-03-02T00:00:00Z', { updated_at: '2026-03-01T00:00:00Z' }, '2026-06-01T00:00:00Z'],
    ['updated_at[lt]=2026-03-04T00:00:00Z', { updated_at: '2026-03-04T00:00:00Z' }, '2026-06-01T00:00:00Z'],
    ['service_start_time[gt]=2026-05-01T00:00:00Z', {}, '2026-05-01T00:00:00Z'],
    ['service_start_time[lte]=2026-06-30T00:00:00Z', {}, '2026-07-01T00:00:00Z'],
  ])('%s', async (filter, row, day) => {
    await pool.query("DELETE FROM service_days WHERE company_id = 'co_cursor'")
    await pool.query("DELETE FROM quotes WHERE company_id = 'co_cursor'")
    await pool.query("DELETE FROM api_keys WHERE company_id = 'co_cursor'")
    await pool.query("DELETE FROM companies WHERE id = 'co_cursor'")
    await insertCompany(pool, 'co_cursor', { key })
    await cursorOf('z_misfit', row, day)
    await cursorOf('y_fit', {}, '2026-06-01T00:00:00Z')
    await cursorOf('x_fit', {}, '2026-06-01T00:00:00Z')
    expect(idsOf(await list('starting_after=z_misfit', key))).toEqual(['y_fit', 'x_fit'])
    expect(idsOf(await list(filter, key))).toEqual(['y_fit', 'x_fit'])
    expect(await list(`${filter}&starting_after=z_misfit`, key)).toEqual(EMPTY_PAGE)
    expect(idsOf(await list(`${filter}&starting_after=y_fit`, key))).toEqual(['x_fit'])
  })
})

/** Of the quotes about days. */
const idsFor = async (query: string) => idsOf(await list(`lead_id=days&${query}`)).toSorted()

describe('Q2: one single service day satisfies every bound of service_start_time', () => {
  it('a day before the lower bound and another after the upper one do not match', async () => {
    await plant(pool, 'quotes', 'co_1', 'around', { lead_id: 'days' })
    await plant(pool, 'quotes', 'co_1', 'inside', { lead_id: 'days' })
    await plant(pool, 'quotes', 'co_1', 'no_days', { lead_id: 'days' })
    for (const [id, quoteId, day] of [
      ['d_1', 'around', '2026-06-01T10:00:00Z'],
      ['d_2', 'around', '2026-06-09T10:00:00Z'],
      ['d_3', 'inside', '2026-06-01T10:00:00Z'],
      ['d_4', 'inside', '2026-06-05T10:00:00Z'],
      ['d_5', 'inside', '2026-06-09T10:00:00Z'],
    ] as const) {
      await plant(pool, 'service_days', 'co_1', id, { quote_id: quoteId, service_start_time: day })
    }
    expect(await idsFor('service_start_time[gte]=2026-06-03T00:00:00Z')).toEqual(['around', 'inside'])
    expect(await idsFor('service_start_time[lte]=2026-06-07T00:00:00Z')).toEqual(['around', 'inside'])
    expect(
      await idsFor(
        'service_start_time[gte]=2026-06-03T00:00:00Z&service_start_time[lte]=2026-06-07T00:00:00Z',
      ),
    ).toEqual(['inside'])
    expect(
      await idsFor('service_start_time[gt]=2026-06-03T00:00:00Z&service_start_time[lt]=2026-06-07T00:00:00Z'),
    ).toEqual(['inside'])
    expect(
      await idsFor(
        'service_start_time[gt]=2026-06-01T10:00:00Z&service_start_time[gte]=2026-06-01T00:00Z&service_start_time[lt]=2026-06-09T10:00:00Z&service_start_time[lte]=2026-07-01T00:00Z',
      ),
    ).toEqual(['inside'])
  })

  it('a quote with several matching days appears once', async () => {
    const page = await list('lead_id=days&service_start_time[gte]=2026-01-01T00:00:00Z')
    expect(idsOf(page)).toEqual([...new Set(idsOf(page))])
    expect(page.data).toHaveLength(2)
  })

  it('Q3: all its service days are returned, those outside the range too', async () => {
    const range = 'service_start_time[gte]=2026-06-03T00:00:00Z&service_start_time[lte]=2026-06-07T00:00:00Z'
    const page = await list(`lead_id=days&${range}&expand[]=data.serviceDays`)
    const days = page.data[0]?.['serviceDays'] as { id: string }[]
    expect(days.map(({ id }) => id)).toEqual(['d_3', 'd_4', 'd_5'])
  })
})

describe('Q4: updated_at is about the quote row only', () => {
  it('an edit of a line changes the total, but not updatedAt', async () => {
    await plant(pool, 'quotes', 'co_1', 'edited', { lead_id: 'edits', updated_at: '2026-01-01T00:00:00Z' })
    await plant(pool, 'line_items', 'co_1', 'l_1', { quote_id: 'edited', price_cents: 100 })
    const filter = 'lead_id=edits&updated_at[lte]=2026-01-01T00:00:00Z'
    expect((await list(filter)).data[0]).toMatchObject({ totalPriceCents: 100 })
    await pool.query("UPDATE line_items SET price_cents = 250, updated_at = now() WHERE id = 'l_1'")
    expect((await list(filter)).data[0]).toMatchObject({
      totalPriceCents: 250,
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
  })
})

const BAD_DATE_TIMES = [
  '',
  ' ',
  'now',
  '2026-05-01',
  '20260501T093000Z',
  '2026-05-01T09:30:00',
  '2026-05-01T09:30:00.123',
  '2026-05-01 09:30:00Z',
  '2026-05-01t09:30:00Z',
  '2026-05-01T09:30:00z',
  '2026-05-01T09Z',
  '2026-05-01T9:30Z',
  '2026-5-1T09:30:00Z',
  '2026-05-01T09:30:00.Z',
  '2026-05-01T09:30:00,5Z',
  '2026-05-01T09:30:00.1234567890Z',
  '2026-05-01T09:30:00+02',
  '2026-05-01T09:30:00+0200',
  '2026-05-01T09:30:00+2:00',
  '2026-05-01T09:30:00+24:00',
  '2026-05-01T09:30:00+02:60',
  '2026-05-01T09:30:00\u221202:00',
  '2026-05-01T09:30:00 Z',
  ' 2026-05-01T09:30:00Z',
  '2026-05-01T09:30:00Z ',
  '2026-05-01T09:30:00Z\n',
  '2026-05-01T09:30:00Z\0',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-05-01T24:00:00Z',
  '2026-05-01T23:60:00Z',
  '2026-05-01T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '-001-01-01T00:00:00Z',
  '+002026-05-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '1746091800',
  '٢٠٢٦-05-01T09:30:00Z',
  'infinity',
  "2026-05-01T09:30:00Z' OR '1'='1",
]

describe('R5, R6: a bad date-time', () => {
  const names = DATES.flatMap((name) => OPERATORS.map((operator) => `${name}[${operator}]`))

  it.each(BAD_DATE_TIMES.map((value, i) => [value, names[i % names.length] ?? '']))(
    '%j is refused: the message names the parameter and shows an example',
    async (value, name) => {
      const answer = await listRaw(`${name}=${encodeURIComponent(value)}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(refusal(name, expect.stringContaining(name)))
      expect(answer.body).toEqual(refusal(name, expect.stringMatching(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z/)))
    },
  )

  it.each(names)('a bare date as %s is refused', async (name) => {
    const answer = await listRaw(`${name}=2026-05-01`)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(refusal(name, expect.stringContaining(name)))
  })

  it('an invalid percent-encoding is refused, too', async () => {
    for (const value of ['%ZZ', '2026-05-01T09:30:00Z%', '2026-05-01T09:30:00Z%FF']) {
      expect((await listRaw(`created_at[gt]=${value}`)).body).toEqual(refusal('created_at[gt]'))
    }
  })

  it('the example of the message is a date-time that is accepted', async () => {
    const { body } = await listRaw('updated_at[lt]=yesterday')
    const { message } = (body as { error: { message: string } }).error
    const [example = ''] = /\d{4}-\d\d-\d\dT\S*Z/.exec(message) ?? []
    expect((await listRaw(`updated_at[lt]=${example}`)).status).toBe(200)
  })

  it.each(['2026-05-01T09:30:00+02:00', '2026-05-01T09:30+02:00', '2026-05-01T09:30:00.123456+02:00'])(
    '%s with its plus sent as it is: the message says how to send it',
    async (value) => {
      for (const name of names) {
        const answer = await listRaw(`${name}=${value}`)
        expect(answer.status).toBe(400)
        expect(answer.body).toEqual(refusal(name, expect.stringContaining('%2B')))
      }
      expect((await listRaw(`created_at[gt]=${value.replace('+', '%2B')}`)).status).toBe(200)
    },
  )

  it.each(['2026-05-01', 'yesterday', '2026-05-01T09:30:00', ''])('%j gets no such hint', async (value) => {
    const { text } = await listRaw(`created_at[gt]=${value}`)
    expect(text).not.toContain('%2B')
  })
})

describe('R3: a filter is never silently dropped', () => {
  it.each([
    ['created_at=2026-05-01T09:30:00Z', 'created_at'],
    ['created_at[]=2026-05-01T09:30:00Z', 'created_at[]'],
    ['created_at[eq]=2026-05-01T09:30:00Z', 'created_at[eq]'],
    ['created_at%5Beq%5D=2026-05-01T09:30:00Z', 'created_at[eq]'],
    ['created_at[GT]=2026-05-01T09:30:00Z', 'created_at[GT]'],
    ['created_at[gt]=2026-05-01T09:30:00Z&created_at[gt]=2026-05-01T09:30:00Z', 'created_at[gt]'],
    ['created_at[gt][]=2026-05-01T09:30:00Z', 'created_at[gt][]'],
    ['created_at[gt=2026-05-01T09:30:00Z', 'created_at[gt'],
    ['updated_at=2026-05-01T09:30:00Z', 'updated_at'],
    ['updated_at[ne]=2026-05-01T09:30:00Z', 'updated_at[ne]'],
    ['updated_at[lte]=2026-05-01T09:30:00Z&updated_at[lte]=2026-05-02T09:30:00Z', 'updated_at[lte]'],
    ['service_start_time=2026-05-01T09:30:00Z', 'service_start_time'],
    ['service_start_time[]=x', 'service_start_time[]'],
    [
      'service_start_time[gte]=2026-05-01T09:30Z&service_start_time[gte]=2026-05-01T09:30Z',
      'service_start_time[gte]',
    ],
    ['lead_id=a&lead_id=b', 'lead_id'],
    ['lead_id=a&lead_id=a', 'lead_id'],
    ['lead_id[]=a', 'lead_id[]'],
    ['lead_id[eq]=a', 'lead_id[eq]'],
    ['location_id[0]=a', 'location_id[0]'],
    ['location_id=a&location_id=b', 'location_id'],
    ['booking_id[gt]=a', 'booking_id[gt]'],
    ['booking_id=&booking_id=', 'booking_id'],
    ['event_type_id[]=a', 'event_type_id[]'],
    ['event_type_id=a&event_type_id=b', 'event_type_id'],
  ])('%s is refused', async (query, param) => {
    const answer = await listRaw(query, KEY)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(refusal(param, expect.stringContaining(param)))
  })

  it('different operators of one name go together', async () => {
    const query = OPERATORS.map((operator) => `created_at[${operator}]=2026-05-01T09:30:00Z`).join('&')
    expect((await listRaw(query)).status).toBe(200)
  })

  it('the first of several is reported', async () => {
    const bad = ['created_at[gt]=x', 'updated_at=x', 'lead_id[]=x', 'service_start_time[lt]=']
    for (const [i, first] of bad.entries()) {
      const query = [first, ...bad.filter((_, other) => other !== i)].join('&')
      expect((await listRaw(query)).body).toEqual(refusal(first.slice(0, first.indexOf('='))))
    }
  })
})
