import { describe, expect, it } from 'vitest'
import {
  FIELDS,
  KEY,
  OTHER_KEY,
  PATHS_IN_TWO,
  ALL_PATHS,
  createQuoteApi,
  expandQuery,
  plant,
  rejection,
} from './support/quotes.ts'
import type { QuoteObject } from './support/quotes.ts'

const { pool, get, getRaw, server } = await createQuoteApi()

await plant(pool, 'quotes', 'co_1', 'q_full', {
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-03T00:00:00.5Z',
  sent_at: '2026-01-04T00:00:00.05Z',
  expires_at: '2026-02-04T23:59:59.999Z',
  booked_at: '2026-01-05T00:00:00Z',
  lost_at: '2026-01-06T12:00:00.001Z',
  lost_reason: 'WENT_SILENT',
  lead_id: 'lead_x',
  location_id: 'loc_x',
  event_type_id: 'type_x',
  booking_id: 'book_x',
  discount_id: 'disc_x',
  tax_rate_id: 'tax_x',
  payment_terms_id: 'terms_x',
  contract_id: 'contract_x',
  number_of_staff: 7,
  number_of_resources: 3,
  guest_count: 120,
  event_address: 'Pier 4, 🎪',
  event_description: 'Two "rooms"\nand a garden',
  site_contact_name: 'Mina',
  site_contact_phone: '+1 555 0100',
  entity_to_invoice: 'Harbor Ltd',
  currency: 'JPY',
  base_fee_cents: 1_000,
  travel_fee_cents: 234,
})
await plant(pool, 'quotes', 'co_1', 'q_bare', {
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
})
await plant(pool, 'quotes', 'co_1', 'q_deleted', { deleted_at: '2026-01-05T00:00:00Z' })
await plant(pool, 'quotes', 'co_2', 'q_foreign')

// One record for each path.
await plant(pool, 'quotes', 'co_1', 'q_rich', {
  lead_id: 'l',
  location_id: 'p',
  event_type_id: 't',
  booking_id: 'b',
  tax_rate_id: 'x',
  payment_terms_id: 'm',
  contract_id: 'c',
  discount_id: 'd',
  service_charge_ids: ['h'],
})
for (const [table, id, row] of [
  ['leads', 'l', {}],
  ['locations', 'p', {}],
  ['event_types', 't', {}],
  ['services', 's', {}],
  ['addons', 'a', {}],
  ['discounts', 'd', {}],
  ['tax_rates', 'x', {}],
  ['payment_terms', 'm', {}],
  ['service_charges', 'h', {}],
  ['contracts', 'c', {}],
  ['service_days', 'y', { quote_id: 'q_rich' }],
  ['line_items', 'i1', { quote_id: 'q_rich', kind: 'SERVICE', service_id: 's' }],
  ['line_items', 'i2', { quote_id: 'q_rich', kind: 'ADDON', addon_id: 'a' }],
  ['bookings', 'b', { lead_id: 'l', event_type_id: 't' }],
  ['invoices', 'n', { booking_id: 'b' }],
  ['staff', 'f', {}],
  ['resources', 'r', {}],
  [
    'events',
    'e',
    {
      booking_id: 'b',
      location_id: 'p',
      service_ids: ['s'],
      addon_ids: ['a'],
      staff_ids: ['f'],
      resource_ids: ['r'],
    },
  ],
] as const) {
  await plant(pool, table, 'co_1', id, row)
}

/** All references are missing: the ids are stored, the records do not exist. */
const HOLES = 'q_full'
/** No references except the two that are required. */
const BARE = 'q_bare'

describe('O2: the base fields of a quote', () => {
  it('are exactly these, in this order', async () => {
    for (const id of [HOLES, BARE]) expect(Object.keys(await get(id))).toEqual(FIELDS['quote'])
  })

  it('have the stored values, with times in UTC with milliseconds and the currency as an object', async () => {
    expect(await get('q_full')).toEqual({
      object: 'quote',
      id: 'q_full',
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-03T00:00:00.500Z',
      sentAt: '2026-01-04T00:00:00.050Z',
      expiresAt: '2026-02-04T23:59:59.999Z',
      bookedAt: '2026-01-05T00:00:00.000Z',
      lostAt: '2026-01-06T12:00:00.001Z',
      lostReason: 'WENT_SILENT',
      leadId: 'lead_x',
      locationId: 'loc_x',
      eventTypeId: 'type_x',
      bookingId: 'book_x',
      discountId: 'disc_x',
      taxRateId: 'tax_x',
      paymentTermsId: 'terms_x',
      contractId: 'contract_x',
      numberOfStaff: 7,
      numberOfResources: 3,
      guestCount: 120,
      eventAddress: 'Pier 4, 🎪',
      eventDescription: 'Two "rooms"\nand a garden',
      siteContactName: 'Mina',
      siteContactPhone: '+1 555 0100',
      entityToInvoice: 'Harbor Ltd',
      currency: { isoCode: 'JPY' },
      totalPriceCents: 1_234,
    })
  })

  it('are null if unset', async () => {
    expect(await get('q_bare')).toEqual({
      object: 'quote',
      id: 'q_bare',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      sentAt: null,
      expiresAt: null,
      bookedAt: null,
      lostAt: null,
      lostReason: null,
      leadId: 'lead_1',
      locationId: 'loc_1',
      eventTypeId: null,
      bookingId: null,
      discountId: null,
      taxRateId: null,
      paymentTermsId: null,
      contractId: null,
      numberOfStaff: 0,
      numberOfResources: 0,
      guestCount: 0,
      eventAddress: '1 Quay Street',
      eventDescription: null,
      siteContactName: null,
      siteContactPhone: null,
      entityToInvoice: null,
      currency: { isoCode: 'USD' },
      totalPriceCents: 0,
    })
  })

  it.each(['PRICE', 'DATE_UNAVAILABLE', 'WENT_SILENT', 'CHOSE_COMPETITOR', 'OTHER'])(
    'lostReason can be %s',
    async (reason) => {
      await plant(pool, 'quotes', 'co_1', `q_${reason}`, {
        lost_reason: reason,
        lost_at: '2026-01-01T00:00:00Z',
      })
      expect(await get(`q_${reason}`)).toMatchObject({ lostReason: reason })
    },
  )

  it('can be the first and last times that can be stored', async () => {
    await plant(pool, 'quotes', 'co_1', 'q_times', {
      created_at: '0001-01-01T00:00:00Z',
      expires_at: '9999-12-31T23:59:59.999Z',
      sent_at: '0099-12-31T23:59:59.1Z',
    })
    expect(await get('q_times')).toMatchObject({
      createdAt: '0001-01-01T00:00:00.000Z',
      expiresAt: '9999-12-31T23:59:59.999Z',
      sentAt: '0099-12-31T23:59:59.100Z',
    })
  })
})

/** The members at a path: `a.b` of a quote is `[...quote.a].b`. */
function membersAt(quote: QuoteObject, path: string): unknown[] {
  let objects: unknown[] = [quote]
  for (const segment of path.split('.')) {
    objects = objects
      .flat()
      .filter((object) => object !== null && object !== undefined)
      .map((object) => (object as Record<string, unknown>)[segment])
  }
  return objects
}

const COLLECTIONS = new Set(
  'services addons discounts serviceCharges serviceDays invoices events staff resources'.split(' '),
)
const isCollection = (path: string) => COLLECTIONS.has(path.split('.').at(-1) ?? '')

describe('X7: a missing or inaccessible relation is null, an empty collection is []', () => {
  it.each(ALL_PATHS.filter((path) => !path.includes('.')))('%s', async (path) => {
    for (const id of [HOLES, BARE]) {
      const quote = await get(id, expandQuery([path]))
      expect(Object.keys(quote)).toEqual([...(FIELDS['quote'] ?? []), path])
      expect(quote[path]).toEqual(isCollection(path) ? [] : null)
    }
  })

  it('a missing booking has no members', async () => {
    for (const id of [HOLES, BARE]) {
      expect(await get(id, expandQuery(PATHS_IN_TWO[1]))).toMatchObject({ booking: null })
    }
  })

  it('a booking and an event without relations have null and []', async () => {
    await plant(pool, 'quotes', 'co_1', 'q_thin', { booking_id: 'b_thin' })
    await plant(pool, 'bookings', 'co_1', 'b_thin')
    expect(
      await get(
        'q_thin',
        expandQuery(['booking.lead', 'booking.eventType', 'booking.invoices', 'booking.events']),
      ),
    ).toMatchObject({
      booking: { id: 'b_thin', lead: null, eventType: null, invoices: [], events: [] },
    })
    await plant(pool, 'events', 'co_1', 'e_thin', { booking_id: 'b_thin' })
    const quote = await get('q_thin', expandQuery(PATHS_IN_TWO[1]))
    expect(quote).toMatchObject({
      booking: {
        events: [
          {
            id: 'e_thin',
            location: null,
            services: [],
            staff: [],
            addons: [],
            resources: [],
            booking: { id: 'b_thin', lead: null, eventType: null, invoices: [], events: [{ id: 'e_thin' }] },
          },
        ],
      },
    })
  })
})

describe('Q11, X6: all 26 paths, in two requests', () => {
  it('return each member at its path, and no other', async () => {
    for (const paths of PATHS_IN_TWO) {
      const quote = await get('q_rich', expandQuery(paths))
      const requested = new Set(
        paths.flatMap((path) => path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.'))),
      )
      for (const path of ALL_PATHS) {
        const object = path.split('.').at(-1)
        const found = expect.objectContaining(isCollection(path) ? { length: 1 } : { object })
        const members = membersAt(quote, path).filter((value) => value !== undefined)
        expect([path, members]).toEqual([path, requested.has(path) ? [found] : []])
      }
    }
  })

  it('booking.events.resources also includes booking, its events and each event’s resources', async () => {
    const quote = await get('q_rich', 'expand[]=booking.events.resources')
    expect(Object.keys(quote)).toEqual([...(FIELDS['quote'] ?? []), 'booking'])
    const booking = quote['booking'] as Record<string, unknown>
    expect(Object.keys(booking)).toEqual([...(FIELDS['booking'] ?? []), 'events'])
    const [event] = booking['events'] as Record<string, unknown>[]
    expect(Object.keys(event ?? {})).toEqual([...(FIELDS['event'] ?? []), 'resources'])
    expect(event).toMatchObject({ resources: [{ object: 'resource', id: 'r' }] })
  })
})

describe('Q11: 404 for a quote that is missing, deleted or inaccessible to the company', () => {
  const MISSING = [
    'nothing',
    'q_deleted',
    'q_foreign',
    'Q_FULL',
    'q_full%20',
    '%20',
    'x'.repeat(256),
    'x'.repeat(8_000),
    'q_full%00',
    '%00',
    'q_full%ZZ',
    '%FF',
    '%ED%A0%80',
    '%F0%9F%98%80'.repeat(256),
    'q_full%2F',
    'q_full;x',
    'q_full%3Fexpand[]=lead',
    "'%20OR%20'1'='1",
    'undefined',
    '..',
  ]

  it('all responses have the same bytes', async () => {
    const answers = await Promise.all(MISSING.map((id) => server.get(`/api/quotes/${id}`, KEY)))
    for (const [i, answer] of answers.entries()) {
      expect([MISSING[i], answer.status, answer.text]).toEqual([MISSING[i], 404, answers[0]?.text])
      const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
      const { date: _date0, 'x-request-id': _id0, ...first } = answers[0]?.headers ?? {}
      expect(headers).toEqual(first)
    }
    expect(answers[0]?.body).toEqual({
      error: { type: 'invalid_request_error', code: 'not_found', message: expect.any(String), param: 'id' },
    })
  })

  it('all responses with expansion are equal', async () => {
    const [missing, deleted, foreign] = await Promise.all(
      ['nothing', 'q_deleted', 'q_foreign'].map((id) => getRaw(id, expandQuery(PATHS_IN_TWO[1]))),
    )
    expect(missing?.status).toBe(404)
    expect([deleted?.text, foreign?.text]).toEqual([missing?.text, missing?.text])
  })

  it('the other company can read its quote', async () => {
    expect(await get('q_foreign', '', OTHER_KEY)).toMatchObject({ id: 'q_foreign' })
    expect((await getRaw('q_full', '', OTHER_KEY)).status).toBe(404)
  })

  it('R1: an invalid expansion is reported before a missing quote', async () => {
    for (const id of ['nothing', 'q_deleted', 'q_foreign', 'q_full']) {
      const answer = await getRaw(id, 'expand[]=nope')
      expect([answer.status, answer.body]).toEqual([
        400,
        rejection('expand', expect.stringContaining('"nope"')),
      ])
    }
  })
})

describe('R11: finds percent-encoded ids with any characters', () => {
  it.each([
    'a b',
    'a+b',
    'a/b',
    'a%b',
    'a%2Fb',
    'a?b',
    'a#b',
    'a&b',
    'a;b',
    'a,b',
    'ü',
    'u\u0308',
    '日本',
    '\u{1F600}',
    '.',
    '...',
    "o'hara",
    '"quoted"',
    '\\',
    '\u2028',
    '\u0001',
    'A',
    'a',
  ])('%j', async (id) => {
    await plant(pool, 'quotes', 'co_1', id)
    expect(await get(id)).toMatchObject({ id })
  })

  it.each(['x', 'ü', '\u{1F600}'])('255 times %j', async (character) => {
    const id = character.repeat(255)
    await plant(pool, 'quotes', 'co_1', id)
    expect(await get(id)).toMatchObject({ id })
  })
})

describe('R2, R3: parameters of the get', () => {
  it('ignores parameters of the list', async () => {
    const query =
      'limit=0&starting_after=&lead_id[]=x&created_at=x&created_at[gt]=x&service_start_time[lt]=&format=flat'
    expect(await get('q_full', query)).toEqual(await get('q_full'))
  })

  it.each(['expand[x]', 'expand[][]', 'expand[-1]', 'expand['])('rejects %s', async (name) => {
    const answer = await getRaw('q_full', `${name}=lead`)
    expect([answer.status, answer.body]).toEqual([400, rejection(name, expect.stringContaining(name))])
  })
})
