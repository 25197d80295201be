import { describe, expect, it } from 'vitest'
import { QUOTE_PATHS } from '../src/api/expansion/relations.ts'
import { FIELDS, ALL_PATHS, expandQuery, idsOf, plant, rejection } from './support/quotes.ts'
import { createExpandApi } from './support/quotes-expand.ts'

const { pool, list, listRaw, get, getRaw, quoteWith, plantLine } = await createExpandApi()

describe('X6: the allowed paths', () => {
  it('are exactly these 26', () => {
    expect(ALL_PATHS).toHaveLength(26)
    expect(QUOTE_PATHS.toSorted()).toEqual(ALL_PATHS.toSorted())
  })

  it.each(ALL_PATHS)('%s is accepted by both endpoints', async (path) => {
    expect((await listRaw(`expand[]=data.${path}`)).status).toBe(200)
    expect((await getRaw('nothing', `expand[]=${path}`)).status).toBe(404)
  })

  it('exceed the limit of paths together', async () => {
    const answer = await listRaw(expandQuery(ALL_PATHS, 'data.'))
    expect([answer.status, answer.body]).toEqual([400, rejection('expand', expect.stringContaining('20'))])
  })
})

describe('X1, R7: spellings of the parameter', () => {
  const wanted = ['booking', 'contract', 'lead']

  it.each([
    ['expand[]=lead&expand[]=contract&expand[]=booking'],
    ['expand=lead&expand=contract&expand=booking'],
    ['expand[0]=lead&expand[1]=contract&expand[2]=booking'],
    ['expand[7]=lead&expand[7]=contract&expand[00]=booking'],
    ['expand%5B%5D=lead&expand%5b%5d=contract&%65xpand=booking'],
    ['expand[]=lead,contract,booking'],
    ['expand[]=lead%2Ccontract%2cbooking'],
    ['expand=lead,contract&expand[0]=booking'],
    ['expand[]=booking&expand=contract&expand[3]=lead'],
    ['expand[]=lead,lead,contract&expand=lead&expand[1]=booking,booking'],
    ['limit=5&expand[]=lead&x=y&expand[]=contract,booking'],
  ])('%s', async (query) => {
    await pool.query(
      "INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency) VALUES ('co_1', 'q_spelled', 'l', 'p', 'a', 'USD') ON CONFLICT DO NOTHING",
    )
    const quote = await get('q_spelled', query)
    expect(Object.keys(quote).slice(FIELDS['quote']?.length).toSorted()).toEqual(wanted)
    const onList = query.replaceAll(/(lead|contract|booking)/g, 'data.$1')
    const [first] = (await list(`${onList}&lead_id=l`)).data
    expect(
      Object.keys(first ?? {})
        .slice(FIELDS['quote']?.length)
        .toSorted(),
    ).toEqual(wanted)
  })

  it.each([
    ['expand[]=', ''],
    ['expand[]', ''],
    ['expand', ''],
    ['expand[0]=', ''],
    ['expand[]=,', ''],
    ['expand[]=lead,', ''],
    ['expand[]=,lead', ''],
    ['expand[]=lead,,contract', ''],
    ['expand[]=+lead', ' lead'],
    ['expand[]=lead,+contract', ' contract'],
    ['expand[]=lead%20', 'lead '],
    ['expand[]=lead%09', 'lead\\t'],
    ['expand[]=lead%252Ccontract', 'lead%2Ccontract'],
    ['expand[]=lead;contract', 'lead;contract'],
    ['expand[]=["lead"]', '[\\"lead\\"]'],
    ['expand[]=__proto__', '__proto__'],
    ['expand[]=constructor', 'constructor'],
    ['expand[]=data.lead', 'data.lead'],
    ['expand[]=lead&expand[]=nope&expand[]=neither', 'nope'],
  ])('the get rejects %s, and the message names the path', async (query, path) => {
    const answer = await getRaw('nothing', query)
    expect([answer.status, answer.body]).toEqual([400, rejection('expand')])
    expect(answer.text).toContain(`\\"${path}\\"`)
  })

  it('an invalid percent-encoding is an invalid path', async () => {
    for (const path of ['%ZZ', 'lead%', 'lead%FF']) {
      expect((await getRaw('nothing', `expand[]=${path}`)).body).toEqual(rejection('expand'))
    }
  })
})

describe('X3, X4, R8: limits and unsupported paths', () => {
  it('accepts 20 distinct paths in any spelling, and rejects a 21st', async () => {
    const twenty = ALL_PATHS.slice(0, 20).map((path) => `data.${path}`)
    expect((await listRaw(`expand[]=${twenty.join(',')}`)).status).toBe(200)
    expect((await listRaw(`expand[]=${[...twenty, ...twenty].join(',')}&expand=${twenty[3]}`)).status).toBe(
      200,
    )
    const answer = await listRaw(`expand[]=${twenty.join(',')}&expand[1]=data.booking.events.booking`)
    expect([answer.status, answer.body]).toEqual([400, rejection('expand', expect.stringContaining('20'))])
  })

  it('counts 25 copies of one path as one', async () => {
    expect((await listRaw(Array.from({ length: 25 }, () => 'expand[]=data.lead').join('&'))).status).toBe(200)
  })

  it.each([
    'lineItems',
    'serviceDays.lineItems',
    'booking.invoices.lineItems',
    'discount',
    'serviceCharges.serviceCharge',
    'booking.events.booking.events.staff',
  ])('rejects %s as not supported', async (path) => {
    const onList = await listRaw(`expand[]=data.${path}`)
    expect([onList.status, onList.body]).toEqual([
      400,
      rejection('expand', expect.stringContaining(`"data.${path}"`)),
    ])
    const onGet = await getRaw('nothing', `expand[]=${path}`)
    expect([onGet.status, onGet.body]).toEqual([
      400,
      rejection('expand', expect.stringContaining(`"${path}"`)),
    ])
  })

  it('X5: the list rejects a path without data.', async () => {
    for (const path of ALL_PATHS) {
      const answer = await listRaw(`expand[]=${path}`)
      expect([answer.status, answer.body]).toEqual([
        400,
        rejection('expand', expect.stringContaining(`"${path}"`)),
      ])
    }
  })
})

describe('X6: expansion on a page', () => {
  it('returns the relations of each quote, also if quotes share a contact, a booking or a discount', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_s', { first_name: 'Shared' })
    await plant(pool, 'leads', 'co_1', 'lead_o', { first_name: 'Own' })
    await plant(pool, 'bookings', 'co_1', 'b_s')
    await plant(pool, 'events', 'co_1', 'e_s', { booking_id: 'b_s' })
    await plant(pool, 'discounts', 'co_1', 'ds_1', { name: 'A' })
    await plant(pool, 'discounts', 'co_1', 'ds_2', { name: 'B' })
    const time = { event_type_id: 'on a page', created_at: '2026-01-01T00:00:00Z' }
    await quoteWith('pg_1', { ...time, lead_id: 'lead_s', booking_id: 'b_s', discount_id: 'ds_2' })
    await quoteWith('pg_2', { ...time, lead_id: 'lead_o' })
    await quoteWith('pg_3', { ...time, lead_id: 'lead_s', booking_id: 'b_s', discount_id: 'ds_1' })
    await quoteWith('pg_4', { ...time, lead_id: 'lead_missing', discount_id: null })
    for (const quote of ['pg_1', 'pg_3', 'pg_4']) {
      await plantLine(quote, { discount_id: 'ds_1' })
      await plantLine(quote, { discount_id: 'ds_2' })
    }
    const paths = ['lead', 'discounts', 'booking.events']
    const page = await list(`event_type_id=on+a+page&${expandQuery(paths, 'data.')}`)
    expect(idsOf(page)).toEqual(['pg_4', 'pg_3', 'pg_2', 'pg_1'])
    expect(page.data).toMatchObject([
      { lead: null, booking: null, discounts: [{ id: 'ds_1' }, { id: 'ds_2' }] },
      {
        lead: { name: 'Shared' },
        booking: { events: [{ id: 'e_s' }] },
        discounts: [{ id: 'ds_1' }, { id: 'ds_2' }],
      },
      { lead: { name: 'Own' }, booking: null, discounts: [] },
      {
        lead: { name: 'Shared' },
        booking: { events: [{ id: 'e_s' }] },
        discounts: [{ id: 'ds_2' }, { id: 'ds_1' }],
      },
    ])
    for (const quote of page.data) expect(await get(quote.id, expandQuery(paths))).toEqual(quote)
  })
})
