import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_PAGE, idsOf, plant } from './support/quotes.ts'
import type { QuoteList } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { DATES, EPOCH, MANY, OPERATORS, createFilterApi, model } from './support/quotes-filters.ts'
import type { Model } from './support/quotes-filters.ts'

const { pool, list, listRaw } = await createFilterApi()

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

/** Spells an instant with any offset and any number of digits, of which six count. */
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

describe('Q8: exact ids', () => {
  it.each<[Filters]>([
    [{ lead_id: 'lead_a' }],
    [{ location_id: 'loc_y' }],
    [{ booking_id: 'book_2' }],
    [{ event_type_id: 'type_1' }],
  ])('%j returns exactly the matching quotes', async (filters) => {
    const expected = expectedIds(filters)
    expect(expected.length).toBeGreaterThan(3)
    expect(expected.length).toBeLessThan(model.length - 10)
    expect(idsOf(await list(`limit=100&${queryOf(filters)}`, MANY))).toEqual(expected)
  })

  it('R11: is case-sensitive', async () => {
    const upper = await list('limit=100&lead_id=LEAD_A', MANY)
    expect(upper.data.every(({ leadId }) => leadId === 'LEAD_A')).toBe(true)
    expect(await list('lead_id=Lead_a', MANY)).toEqual(EMPTY_PAGE)
  })

  it.each(['lead_id', 'location_id', 'booking_id', 'event_type_id'])(
    'R10, R11: %s with an impossible or unknown id returns an empty page',
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

  it('finds percent-encoded ids with any characters', async () => {
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

  it.each(cases)('%s[%s] is exact to the microsecond', async (name, operator) => {
    for (const bound of [-1, 0, 1, 4_999, 5_000, 5_001, 9_999_999]) {
      const filters: Filters = { [name]: { [operator]: bound } }
      expect(idsOf(await list(`limit=100&${queryOf(filters)}`, MANY))).toEqual(expectedIds(filters))
    }
  })

  it('R6: six digits count, further digits are truncated', async () => {
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

  it('accepts offsets, also across days and years', async () => {
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

  it('R6: accepts the first and last instant of the years 0001 to 9999', async () => {
    const query =
      'created_at[gt]=0001-01-01T00:00:00Z&created_at[lt]=9999-12-31T23:59:59.999999999Z&limit=100'
    expect(idsOf(await list(query, MANY))).toEqual(expectedIds({}))
    expect(await list('created_at[lt]=0001-01-01T00:00:00Z', MANY)).toEqual(EMPTY_PAGE)
    expect(await list('created_at[gt]=9999-12-31T23:59:59.999Z', MANY)).toEqual(EMPTY_PAGE)
    expect(idsOf(await list('created_at[gt]=0004-02-29T12:00%2B12:00&limit=100', MANY))).toEqual(
      expectedIds({}),
    )
  })

  it('returns an empty page for bounds that exclude each other', async () => {
    for (const name of DATES) {
      expect(await list(`${name}[gt]=${spelled(6_000)}&${name}[lt]=${spelled(6_000)}`, MANY)).toEqual(
        EMPTY_PAGE,
      )
      expect(await list(`${name}[gte]=${spelled(8_000)}&${name}[lte]=${spelled(3_000)}`, MANY)).toEqual(
        EMPTY_PAGE,
      )
    }
  })

  it('accepts percent-encoded names and brackets', async () => {
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
  // Lower bounds are early, upper bounds late, and requests have at most four filters. Otherwise most pages are empty.
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

  it('any filters, bounds, cursor and limit lead to the expected page', async () => {
    let cursors = 0
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        anyFilters,
        anyPage,
        anySpelling,
        async (filters, { limit, cursor }, { offset, digits }) => {
          const ids = expectedIds(filters)
          // A position among the filtered quotes, or any quote.
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

  it('the order of filters in the query string does not matter', async () => {
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

  it('Q7: pages with the same filters have every matching quote once', async () => {
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
