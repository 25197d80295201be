import { describe, expect, it } from 'vitest'
import {
  PATHS_IN_TWO,
  EMPTY_PAGE,
  OTHER_KEY,
  createQuoteApi,
  expandQuery,
  idsOf,
  plant,
} from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insert } from './support/records.ts'

const { pool, list, listRaw, get, getRaw } = await createQuoteApi()

// ---------------------------------------------------------------------------------------------------------------
// The first company: quotes whose references are its own, and quotes whose every reference leads to an `x_…` that only
// the other company is going to have. References that say who owns a row have foreign keys and cannot lead astray.

const X_ITEMS = {
  service_ids: ['x_service'],
  addon_ids: ['x_addon'],
  staff_ids: ['x_staff'],
  resource_ids: ['x_resource'],
}
const X_QUOTE = {
  lead_id: 'x_lead',
  location_id: 'x_location',
  event_type_id: 'x_type',
  booking_id: 'x_booking',
  discount_id: 'x_discount',
  tax_rate_id: 'x_tax',
  payment_terms_id: 'x_terms',
  contract_id: 'x_contract',
  service_charge_ids: ['x_charge'],
}
const OWN_QUOTE = {
  lead_id: 'lead',
  location_id: 'location',
  event_type_id: 'type',
  booking_id: 'booking',
  discount_id: 'discount',
  tax_rate_id: 'tax',
  payment_terms_id: 'terms',
  contract_id: 'contract',
  service_charge_ids: ['charge'],
}

const FIRST: [table: string, id: string, row: Row][] = [
  ['leads', 'lead', { first_name: 'Own', email: 'own@example.com' }],
  ['locations', 'location', {}],
  ['event_types', 'type', {}],
  ['services', 'service', { description: 'Own' }],
  ['addons', 'addon', {}],
  ['discounts', 'discount', {}],
  ['discounts', 'line_discount', { type: 'AMOUNT', percent_off: null, amount_off: 100, currency: 'USD' }],
  ['tax_rates', 'tax', {}],
  [
    'payment_terms',
    'terms',
    { payment_schedule: 'DEPOSIT', deposit_type: 'PERCENT', deposit_percentage: '50' },
  ],
  ['service_charges', 'charge', {}],
  ['contracts', 'contract', { description: 'Own', content: 'Own' }],
  ['staff', 'staff', { phone: '1', role: 'Own' }],
  ['resources', 'resource', { location_id: 'x_location' }],
  [
    'quotes',
    'q_own',
    {
      ...OWN_QUOTE,
      event_description: 'Own',
      base_fee_cents: 500,
      created_at: '2026-03-03T00:00:00Z',
      updated_at: '2026-03-03T00:00:00Z',
    },
  ],
  ['service_days', 'day', { quote_id: 'q_own' }],
  [
    'line_items',
    'line_1',
    {
      quote_id: 'q_own',
      kind: 'SERVICE',
      service_id: 'service',
      price_cents: 1_000,
      discount_id: 'line_discount',
      service_day_id: 'day',
    },
  ],
  ['line_items', 'line_2', { quote_id: 'q_own', kind: 'ADDON', addon_id: 'addon', price_cents: 2_000 }],
  [
    'bookings',
    'booking',
    { quote_id: 'q_own', lead_id: 'lead', event_type_id: 'type', full_name: 'Own', total_price_cents: 7 },
  ],
  [
    'events',
    'event',
    {
      booking_id: 'booking',
      location_id: 'location',
      name: 'Own',
      service_ids: ['service'],
      addon_ids: ['addon'],
      staff_ids: ['staff'],
      resource_ids: ['resource'],
    },
  ],
  ['invoices', 'invoice', { booking_id: 'booking', lead_id: 'lead', notes: 'Own', total_cents: 5 }],

  ['quotes', 'q_x', { ...X_QUOTE, created_at: '2026-03-02T00:00:00Z', updated_at: '2026-03-02T00:00:00Z' }],
  [
    'line_items',
    'line_x1',
    {
      quote_id: 'q_x',
      kind: 'SERVICE',
      service_id: 'x_service',
      price_cents: 1_000,
      discount_id: 'x_line_discount',
      service_day_id: 'x_day',
    },
  ],
  ['line_items', 'line_x2', { quote_id: 'q_x', kind: 'ADDON', addon_id: 'x_addon', price_cents: 2_000 }],
  [
    'line_items',
    'line_x3',
    { quote_id: 'q_x', kind: 'CUSTOM', price_cents: 4_000, discount_id: 'x_line_discount' },
  ],
  // Its event, but of a booking that it does not have.
  ['events', 'event_x', { booking_id: 'x_booking', location_id: 'x_location', ...X_ITEMS }],

  [
    'quotes',
    'q_booked',
    {
      ...OWN_QUOTE,
      booking_id: 'booking_x',
      created_at: '2026-03-01T00:00:00Z',
      updated_at: '2026-03-01T00:00:00Z',
    },
  ],
  ['bookings', 'booking_x', { quote_id: 'x_quote', lead_id: 'x_lead', event_type_id: 'x_type' }],
  ['events', 'event_booked', { booking_id: 'booking_x', location_id: 'x_location', ...X_ITEMS }],
  ['invoices', 'invoice_x', { booking_id: 'booking_x', lead_id: 'x_lead', total_cents: 9 }],
]

for (const [table, id, row] of FIRST) {
  const times = { created_at: '2026-03-01T00:00:00Z', updated_at: '2026-03-01T00:00:00Z' }
  await plant(pool, table, 'co_1', id, { ...times, ...row })
}

// ---------------------------------------------------------------------------------------------------------------
// Everything that can be asked about them, before the other company has anything.

const QUOTES = ['q_own', 'q_x', 'q_booked']
const FILTERS = [
  '',
  ...['lead', 'x_lead'].map((id) => `lead_id=${id}`),
  ...['location', 'x_location'].map((id) => `location_id=${id}`),
  ...['booking', 'x_booking', 'booking_x'].map((id) => `booking_id=${id}`),
  ...['type', 'x_type'].map((id) => `event_type_id=${id}`),
  ...['created_at', 'updated_at', 'service_start_time'].flatMap((name) => [
    `${name}[gte]=2026-01-01T00:00:00Z`,
    `${name}[gte]=2027-01-01T00:00:00Z`,
    `${name}[lt]=2027-01-01T00:00:00Z`,
  ]),
]
const CURSORS = ['', ...QUOTES, 'x_quote', 'q_only_foreign'].map((id) =>
  id === '' ? '' : `starting_after=${id}`,
)

async function askEverything(): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const paths of [[], ...PATHS_IN_TWO]) {
    for (const id of [...QUOTES, 'x_quote', 'q_only_foreign']) {
      const query = expandQuery(paths)
      answers.set(`${id}?${query}`, (await getRaw(id, query)).text)
    }
    const query = expandQuery(paths, 'data.')
    answers.set(`?${query}`, (await listRaw(query)).text)
  }
  for (const filter of FILTERS) {
    for (const cursor of CURSORS) {
      for (const limit of ['limit=1', 'limit=50&expand[]=data.serviceDays']) {
        const query = [filter, cursor, limit].filter((part) => part !== '').join('&')
        answers.set(`?${query}`, (await listRaw(query)).text)
      }
    }
  }
  return answers
}

const before = await askEverything()

// ---------------------------------------------------------------------------------------------------------------
// The other company: the same ids with other values, everything that the first one's references name, and more rows
// that say they belong to the first one's quotes and bookings.

const TABLES = [...new Set(FIRST.map(([table]) => table))]
const KEPT = new Set(
  'kind type status payment_schedule deposit_type currency lost_reason time_zone'.split(' '),
)

/** The same row as the other company has it: every value that is not a key is another one. */
function foreignValue(column: string, value: unknown): unknown {
  if (value === null || /(^|_)ids?$/.test(column) || KEPT.has(column)) return value
  if (typeof value === 'string' && /_(at|time)$/.test(column)) return value.replace('2026-', '2027-')
  if (/^(percent_off|percentage|rate|deposit_percentage)$/.test(column)) return '66.6'
  if (typeof value === 'boolean') return !value
  if (/_cents$|^amount_off$/.test(column)) return 66_600_666
  if (typeof value === 'number' || column === 'quantity') return 666
  return column === 'lines' ? '[]' : 'FOREIGN'
}

const asForeign = (row: Row): Row => ({
  ...Object.fromEntries(Object.entries(row).map(([column, value]) => [column, foreignValue(column, value)])),
  company_id: 'co_2',
})

async function rowsOfFirst(table: string): Promise<Row[]> {
  return (await pool.query<Row>(`SELECT * FROM ${table} WHERE company_id = 'co_1' ORDER BY id`)).rows
}

for (const table of TABLES)
  for (const row of await rowsOfFirst(table)) await insert(pool, table, asForeign(row))

/** What `x_…` ids lead to: the other company's row of the kind, under that id. */
const X_ROWS: Record<string, [table: string, of: string]> = {
  x_lead: ['leads', 'lead'],
  x_location: ['locations', 'location'],
  x_type: ['event_types', 'type'],
  x_service: ['services', 'service'],
  x_addon: ['addons', 'addon'],
  x_discount: ['discounts', 'discount'],
  x_line_discount: ['discounts', 'line_discount'],
  x_tax: ['tax_rates', 'tax'],
  x_terms: ['payment_terms', 'terms'],
  x_charge: ['service_charges', 'charge'],
  x_contract: ['contracts', 'contract'],
  x_staff: ['staff', 'staff'],
  x_resource: ['resources', 'resource'],
  x_quote: ['quotes', 'q_own'],
  x_day: ['service_days', 'day'],
  x_booking: ['bookings', 'booking'],
}
for (const [id, [table, of]] of Object.entries(X_ROWS)) {
  const row = (await rowsOfFirst(table)).find((candidate) => candidate['id'] === of)
  await insert(pool, table, { ...asForeign(row ?? {}), id })
}
await plant(pool, 'quotes', 'co_2', 'q_only_foreign', { ...OWN_QUOTE, event_description: 'FOREIGN' })
for (const id of QUOTES) {
  const more = { quote_id: id, price_cents: 66_600_666, discount_id: 'x_discount' }
  await plant(pool, 'line_items', 'co_2', `more of ${id}`, {
    kind: 'SERVICE',
    service_id: 'x_service',
    ...more,
  })
  await plant(pool, 'service_days', 'co_2', `more of ${id}`, {
    quote_id: id,
    service_start_time: '2027-06-01T00:00:00Z',
  })
}
for (const id of ['booking', 'booking_x', 'x_booking']) {
  await plant(pool, 'events', 'co_2', `more of ${id}`, { booking_id: id, name: 'FOREIGN' })
  await plant(pool, 'invoices', 'co_2', `more of ${id}`, { booking_id: id, notes: 'FOREIGN' })
}

const after = await askEverything()

describe('1: records of other companies behave as if they do not exist', () => {
  it('every reference column of the tables was planted', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = ANY($1) AND column_name ~ '_ids?$' AND column_name <> 'company_id'`,
      [TABLES],
    )
    const owned = ['service_days.quote_id', 'line_items.quote_id', 'invoices.booking_id']
    const planted = FIRST.flatMap(([table, , row]) =>
      Object.entries(row)
        .filter(([, value]) => [value].flat().some((id) => Object.hasOwn(X_ROWS, String(id))))
        .map(([column]) => `${table}.${column}`),
    )
    expect([...new Set([...planted, ...owned])].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it('not a byte of any answer changed when the other company got its data: paths, filters, cursors, totals', () => {
    const changed = [...after].filter(([query, text]) => text !== before.get(query)).map(([query]) => query)
    expect(changed).toEqual([])
    expect(after.size).toBe(before.size)
    expect(before.size).toBeGreaterThan(180)
  })

  it('no answer holds a value of the other company', () => {
    const leaks = [...after].filter(([, text]) => /FOREIGN|666|66\.6|co_2/.test(text)).map(([query]) => query)
    expect(leaks).toEqual([])
  })

  it('the other company does have them: it sees its own, under the same ids', async () => {
    for (const paths of PATHS_IN_TWO) {
      for (const id of QUOTES) {
        const text = JSON.stringify(await get(id, expandQuery(paths), OTHER_KEY))
        expect(text).toContain('FOREIGN')
        expect(text).not.toContain('"Own')
        expect(text).not.toContain('co_1')
      }
    }
    const dangling = await get('q_x', expandQuery(PATHS_IN_TWO[0]), OTHER_KEY)
    expect(dangling).toMatchObject({
      lead: { id: 'x_lead' },
      location: { name: 'FOREIGN' },
      eventType: { name: 'FOREIGN' },
      services: [{ id: 'x_service' }],
      addons: [{ id: 'x_addon' }],
      discounts: [{ id: 'x_discount' }, { id: 'x_line_discount' }],
      taxRate: { rate: 66.6 },
      paymentTerms: { id: 'x_terms' },
      serviceCharges: [{ percentage: 66.6 }],
      serviceDays: [{ id: 'more of q_x' }],
      contract: { id: 'x_contract' },
      booking: { id: 'x_booking' },
    })
    expect(idsOf(await list('service_start_time[gte]=2027-01-01T00:00:00Z', OTHER_KEY))).toEqual(QUOTES)
  })
})

describe('section 3: an id that points to another company’s record is still shown as the id', () => {
  it('the expanded member of a quote is null, the entry of a collection is missing', async () => {
    const quote = await get('q_x', expandQuery(PATHS_IN_TWO[0]))
    const { service_charge_ids: _charges, ...references } = X_QUOTE
    for (const [column, id] of Object.entries(references)) {
      const field = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      expect([field, quote[field]]).toEqual([field, id])
    }
    expect(quote).toMatchObject({
      lead: null,
      location: null,
      eventType: null,
      services: [],
      addons: [],
      discounts: [],
      taxRate: null,
      paymentTerms: null,
      serviceCharges: [],
      serviceDays: [],
      contract: null,
      booking: null,
    })
    expect(quote.totalPriceCents).toBe(4_000)
  })

  it('so inside a booking and its events', async () => {
    expect(await get('q_booked', expandQuery(PATHS_IN_TWO[1]))).toMatchObject({
      booking: {
        quoteId: 'x_quote',
        leadId: 'x_lead',
        eventTypeId: 'x_type',
        lead: null,
        eventType: null,
        invoices: [{ id: 'invoice_x', leadId: 'x_lead', total: 9 }],
        events: [
          {
            id: 'event_booked',
            companyId: 'co_1',
            locationId: 'x_location',
            location: null,
            services: [],
            staff: [],
            addons: [],
            resources: [],
            booking: {
              id: 'booking_x',
              lead: null,
              eventType: null,
              invoices: [{ id: 'invoice_x' }],
              events: [{ id: 'event_booked' }],
            },
          },
        ],
      },
    })
  })
})

describe('4.2.6 and filters', () => {
  it('a quote can be found by an id that leads to another company, since the id is its own', async () => {
    for (const [name, id] of [
      ['lead_id', 'x_lead'],
      ['location_id', 'x_location'],
      ['booking_id', 'x_booking'],
      ['event_type_id', 'x_type'],
    ]) {
      expect(idsOf(await list(`${name}=${id}`))).toEqual(['q_x'])
    }
  })

  it('service days of the other company’s quote of the same id do not match', async () => {
    expect(await list('service_start_time[gte]=2027-01-01T00:00:00Z')).toEqual(EMPTY_PAGE)
    expect(idsOf(await list('service_start_time[gte]=2026-01-01T00:00:00Z'))).toEqual(['q_own'])
  })

  it('a cursor that both companies have is the caller’s own', async () => {
    expect(idsOf(await list('starting_after=q_own'))).toEqual(['q_x', 'q_booked'])
    expect(idsOf(await list('starting_after=q_x'))).toEqual(['q_booked'])
    expect(await list('starting_after=q_only_foreign')).toEqual(EMPTY_PAGE)
    expect(await list('starting_after=x_quote')).toEqual(EMPTY_PAGE)
  })
})
