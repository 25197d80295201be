import { describe, expect, it } from 'vitest'
import { EMPTY_PAGE, idsOf, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { createFilterApi } from './support/quotes-filters.ts'

const { pool, list } = await createFilterApi()

describe('Q6: a cursor that does not match the filter leads to an empty page', () => {
  // The cursor is the newest quote. Two quotes that match all filters follow it.
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

/** The ids among the quotes of the tests of days. */
const idsFor = async (query: string) => idsOf(await list(`lead_id=days&${query}`)).toSorted()

describe('Q2: one service day must satisfy every bound of service_start_time', () => {
  it('does not match a quote with one day before and one day after the range', async () => {
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

  it('returns a quote with several matching days once', async () => {
    const page = await list('lead_id=days&service_start_time[gte]=2026-01-01T00:00:00Z')
    expect(idsOf(page)).toEqual([...new Set(idsOf(page))])
    expect(page.data).toHaveLength(2)
  })

  it('Q3: returns all service days of the quote, including those outside the range', async () => {
    const range = 'service_start_time[gte]=2026-06-03T00:00:00Z&service_start_time[lte]=2026-06-07T00:00:00Z'
    const page = await list(`lead_id=days&${range}&expand[]=data.serviceDays`)
    const days = page.data[0]?.['serviceDays'] as { id: string }[]
    expect(days.map(({ id }) => id)).toEqual(['d_3', 'd_4', 'd_5'])
  })
})

describe('Q4: updated_at filters by the quote row only', () => {
  it('a change of a line changes the total, but not updatedAt', async () => {
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
