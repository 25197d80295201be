/** POST /quotes/{id}. */
import { describe, expect, it } from 'vitest'
import { readChanges } from './support/actions.ts'
import { OTHER_KEY, createQuoteApi, plant } from './support/quotes.ts'
import type { QuoteObject, Row } from './support/quotes.ts'
import { errorOf, poster } from './support/writes.ts'

const { pool, server, get } = await createQuoteApi()
const post = poster(server)
await plant(pool, 'leads', 'co_1', 'lead_1')
await plant(pool, 'leads', 'co_1', 'lead_2')
await plant(pool, 'tax_rates', 'co_1', 'tax')
await plant(pool, 'tax_rates', 'co_1', 'old_tax', { archived_at: '2026-01-01T00:00:00Z' })
await plant(pool, 'service_charges', 'co_1', 'fifth')
await plant(pool, 'discounts', 'co_1', 'euros', {
  type: 'AMOUNT',
  percent_off: null,
  amount_off: 500,
  currency: 'EUR',
})

const EARLIER = '2026-01-01T00:00:00.000Z'
let planted = 0

/** A quote with a line of 100.00. */
async function plantQuote(row: Row = {}): Promise<string> {
  const id = `q_${++planted}`
  await plant(pool, 'quotes', 'co_1', id, { updated_at: EARLIER, expires_at: EARLIER, ...row })
  await plant(pool, 'line_items', 'co_1', `line of ${id}`, { quote_id: id, price_cents: 10_000 })
  return id
}
const changesOf = async (id: string) =>
  (await readChanges(pool)).filter(({ subject }) => subject === `quote ${id}`)

describe('Q19: POST /quotes/{id}', () => {
  it('Q19, W3: changes the members that are sent, and returns the quote as a get does', async () => {
    const id = await plantQuote({ site_contact_name: 'Bo', guest_count: 4 })
    const members = {
      leadId: 'lead_2',
      guestCount: 90,
      eventAddress: 'Pier 5',
      siteContactName: null,
      expiresAt: null,
    }
    const { status, body } = await post(`/api/quotes/${id}`, members)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...members, totalPriceCents: 10_000, locationId: 'loc_1' })
    expect((body as QuoteObject)['updatedAt']).not.toBe(EARLIER)
    expect(await get(id)).toEqual(body)
    expect(await changesOf(id)).toMatchObject([{ type: 'quote.updated', data: { object: body } }])
    expect((await changesOf(id))[0]?.previous).toEqual({
      leadId: 'lead_1',
      guestCount: 4,
      eventAddress: '1 Quay Street',
      siteContactName: 'Bo',
      expiresAt: EARLIER,
    })
  })

  it.each<[object, number, object]>([
    [{ taxRateId: 'tax' }, 10_888, { taxRateId: null, totalPriceCents: 10_000 }],
    [{ baseFeeCents: 2_500 }, 12_500, { totalPriceCents: 10_000 }],
    [{ travelFeeCents: 1 }, 10_001, { totalPriceCents: 10_000 }],
    [{ serviceChargeIds: ['fifth'] }, 12_000, { totalPriceCents: 10_000 }],
  ])('Q19, F6: %j changes the total to %d, and records the old one', async (members, total, previous) => {
    const id = await plantQuote()
    expect((await post(`/api/quotes/${id}`, members)).body).toMatchObject({ totalPriceCents: total })
    expect((await changesOf(id)).map((change) => change.previous)).toEqual([previous])
  })

  it.each([
    {},
    { eventAddress: '1 Quay Street' },
    { expiresAt: '2026-01-01T01:00:00+01:00' },
    { leadId: 'lead_1', siteContactName: null, baseFeeCents: 0, serviceChargeIds: [] },
  ])('W8: changes and records nothing for %j', async (members) => {
    const id = await plantQuote()
    const before = await get(id)
    const { status, body } = await post(`/api/quotes/${id}`, members)
    expect([status, body]).toEqual([200, before])
    expect(await get(id)).toEqual(before)
    expect(await changesOf(id)).toEqual([])
  })

  it('W7: keeps stored references to missing and archived records', async () => {
    const stored = {
      location_id: 'gone',
      tax_rate_id: 'old_tax',
      discount_id: 'euros',
      service_charge_ids: ['gone', 'fifth'],
    }
    const id = await plantQuote(stored)
    const { status } = await post(`/api/quotes/${id}`, {
      locationId: 'gone',
      taxRateId: 'old_tax',
      discountId: 'euros',
      serviceChargeIds: ['fifth', 'gone'],
      guestCount: 5,
    })
    expect(status).toBe(200)
    expect(await get(id)).toMatchObject({ locationId: 'gone', taxRateId: 'old_tax', guestCount: 5 })
  })

  it('W5: does not treat another order of service charges as a change', async () => {
    const id = await plantQuote({ service_charge_ids: ['gone', 'fifth'] })
    const before = await get(id)
    await post(`/api/quotes/${id}`, { serviceChargeIds: ['fifth', 'gone'] })
    expect(await get(id)).toEqual(before)
    expect(await changesOf(id)).toEqual([])
  })

  it.each<[object, string, string | RegExp]>([
    [{ currency: 'EUR' }, 'currency', /not a known/],
    [{ lines: [] }, 'lines', /not a known/],
    [{ serviceDays: [] }, 'serviceDays', /not a known/],
    [{ lead: {} }, 'lead', /not a known/],
    [{ leadId: null }, 'leadId', /string/],
    [{ guestCount: null }, 'guestCount', /integer/],
    [{ eventAddress: '' }, 'eventAddress', /blank/],
    [{ leadId: 'unknown' }, 'leadId', /not the id of a lead/],
    [{ taxRateId: 'old_tax' }, 'taxRateId', /archived/],
    [{ discountId: 'euros' }, 'discountId', /amount in EUR/],
    [{ serviceChargeIds: ['fifth', 'unknown'] }, 'serviceChargeIds[1]', /not the id of a service charge/],
    [{ contractId: 'none', paymentTermsId: 'none' }, 'contractId', /not the id of a contract/],
    [{ paymentTermsId: 'none', contractId: 'none' }, 'paymentTermsId', /not the id of payment terms/],
  ])('W4, W7: rejects %j', async (members, param, message) => {
    const id = await plantQuote()
    const error = errorOf(await post(`/api/quotes/${id}`, members))
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(error.message).toMatch(message)
    expect(await changesOf(id)).toEqual([])
  })

  it('W7: checks values, the quote, references and the state in this order', async () => {
    const lost = await plantQuote({ lost_at: EARLIER, lost_reason: 'PRICE' })
    const all = { leadId: 'unknown', guestCount: 'x' }
    expect(errorOf(await post('/api/quotes/unknown', all))).toMatchObject({ param: 'guestCount' })
    expect(errorOf(await post('/api/quotes/unknown', { leadId: 'unknown' }))).toMatchObject({ status: 404 })
    expect(errorOf(await post(`/api/quotes/${lost}`, { leadId: 'unknown' }))).toMatchObject({
      status: 400,
      param: 'leadId',
    })
    expect(errorOf(await post(`/api/quotes/${lost}`, { leadId: 'lead_2' }))).toMatchObject({
      status: 409,
      code: 'quote_lost',
    })
    expect(errorOf(await post(`/api/quotes/${lost}`, {}, { key: OTHER_KEY }))).toMatchObject({ status: 404 })
  })

  it.each([
    [{ booked_at: EARLIER, lost_at: EARLIER, lost_reason: 'PRICE' }, 'quote_booked'],
    [{ lost_at: EARLIER, lost_reason: 'PRICE' }, 'quote_lost'],
  ])('Q15: rejects a quote with %j as %s, also without a change', async (row, code) => {
    const id = await plantQuote(row)
    expect(errorOf(await post(`/api/quotes/${id}`))).toMatchObject({ status: 409, code })
  })
})
