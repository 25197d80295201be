/** Rows are transferred as one text with separators. Values that contain a separator must not change the response. */
import { describe, expect, it } from 'vitest'
import { KEY, OTHER_KEY, PATHS_IN_TWO, createQuoteApi, expandQuery, plant } from './support/quotes.ts'

const { pool, list, get, server } = await createQuoteApi()

const STRANGE = [
  '\x1F',
  '\x1E',
  '=',
  '',
  '{a,b}',
  '"',
  '\\',
  'NULL',
  ',',
  '\n',
  "'",
  '😀',
  '‘x’',
  '\x1F=\x1E',
] as const

/** A row with a separator changes how its whole list is read, so the second company has no such row. */
const COMPANIES = [
  { companyId: 'co_1', key: KEY, texts: STRANGE },
  { companyId: 'co_2', key: OTHER_KEY, texts: STRANGE.filter((text) => !text.includes('\x1F')) },
]

/** A quote with all relations. All texts and ids contain the strange text. */
async function plantQuote(companyId: string, number: number, strange: string): Promise<void> {
  const id = (kind: string) => `${kind}${number}${strange}`
  const text = strange === '' ? null : `${strange}text${strange}`
  const named = { name: `n${strange}` }
  await plant(pool, 'leads', companyId, id('lead'), { first_name: text, last_name: strange, email: text })
  await plant(pool, 'locations', companyId, id('loc'), { ...named, city: text })
  await plant(pool, 'services', companyId, id('svc'), { ...named, description: text })
  await plant(pool, 'addons', companyId, id('add'), named)
  await plant(pool, 'discounts', companyId, id('disc'), named)
  await plant(pool, 'service_charges', companyId, id('charge'), named)
  await plant(pool, 'tax_rates', companyId, id('tax'), named)
  await plant(pool, 'staff', companyId, id('staff'), { first_name: `f${strange}`, phone: text })
  await plant(pool, 'bookings', companyId, id('book'), { full_name: text, billing_notes: strange })
  await plant(pool, 'invoices', companyId, id('inv'), { booking_id: id('book'), notes: text })
  await plant(pool, 'events', companyId, id('event'), {
    booking_id: id('book'),
    name: text,
    special_notes: strange,
    staff_ids: [id('staff'), `missing${strange}`],
    service_ids: [id('svc')],
  })
  await plant(pool, 'quotes', companyId, id('quote'), {
    lead_id: id('lead'),
    location_id: id('loc'),
    booking_id: id('book'),
    discount_id: id('disc'),
    tax_rate_id: id('tax'),
    service_charge_ids: [id('charge'), `missing${strange}`],
    event_address: `a${strange}`,
    event_description: text,
    site_contact_name: strange,
    base_fee_cents: 1_000,
    created_at: `2026-01-01T00:00:${String(number).padStart(2, '0')}Z`,
  })
  await plant(pool, 'service_days', companyId, id('day'), { quote_id: id('quote') })
  for (const [kind, item] of [
    ['SERVICE', { service_id: id('svc'), discount_id: id('disc') }],
    ['ADDON', { addon_id: id('add') }],
    ['CUSTOM', { discount_id: `missing${strange}` }],
  ] as const) {
    await plant(pool, 'line_items', companyId, id(kind), {
      quote_id: id('quote'),
      kind,
      price_cents: 500,
      ...item,
    })
  }
}

for (const { companyId, texts } of COMPANIES) {
  for (const [number, strange] of texts.entries()) await plantQuote(companyId, number, strange)
}

describe.each(COMPANIES)('quotes of $companyId', ({ key, texts }) => {
  it.each(PATHS_IN_TWO.map((paths) => ({ paths })))(
    'a page has the same objects as single gets, with $paths.0 and more',
    async ({ paths }) => {
      const page = await list(`limit=100&${expandQuery(paths, 'data.')}`, key)
      expect(page.data).toHaveLength(texts.length)
      for (const quote of page.data) expect(quote).toEqual(await get(quote.id, expandQuery(paths), key))
    },
  )

  it('return every text as it was stored', async () => {
    const expand = expandQuery(['lead', 'services', 'booking.events.staff'], 'data.')
    const page = await list(`limit=100&${expand}`, key)
    for (const [number, strange] of texts.entries()) {
      const text = strange === '' ? null : `${strange}text${strange}`
      expect(page.data[texts.length - 1 - number]).toMatchObject({
        id: `quote${number}${strange}`,
        eventAddress: `a${strange}`,
        eventDescription: text,
        siteContactName: strange,
        lead: { firstName: text, lastName: strange },
        services: [{ id: `svc${number}${strange}`, description: text }],
        booking: {
          billingNotes: strange,
          events: [{ name: text, specialNotes: strange, staff: [{ firstName: `f${strange}`, phone: text }] }],
        },
      })
    }
  })

  it('have the same total for both companies: 10 % off a line and off the quote, 20 % service charge, 8.875 % tax', async () => {
    const page = await list('limit=100', key)
    // 1,000 + 450 + 500 + 500 less 245, and 441 of charge, and 235 of tax.
    expect(new Set(page.data.map(({ totalPriceCents }) => totalPriceCents))).toEqual(new Set([2_881]))
  })
})

it('GET /resources returns any text as it was stored', async () => {
  for (const [number, strange] of STRANGE.entries()) {
    await plant(pool, 'resources', 'co_1', `res${number}`, { name: `n${strange}`, description: strange })
  }
  const { body } = await server.get('/api/resources?limit=100', 'key-of-the-first-company')
  const { data } = body as { data: { id: string; name: string; description: string }[] }
  const found = new Map(data.map((resource) => [resource.id, resource]))
  for (const [number, strange] of STRANGE.entries()) {
    expect(found.get(`res${number}`)).toMatchObject({ name: `n${strange}`, description: strange })
  }
})
