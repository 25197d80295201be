import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { QUOTE_PATHS } from '../src/api/expansion/relations.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createDatabase } from './support/database.ts'
import {
  FIELDS,
  PATHS_IN_TWO,
  ALL_PATHS,
  createQuoteApi,
  expandQuery,
  idsOf,
  plant,
  plantMany,
  quoteApi,
  refusal,
} from './support/quotes.ts'
import type { QuoteObject, Row } from './support/quotes.ts'
import { startServer } from './support/server.ts'

const { pool, list, listRaw, get, getRaw } = await createQuoteApi()

type Thing = Record<string, unknown> & { id: string }

/** Plants a quote and gives it back with one member expanded. */
async function quoteWith(id: string, row: Row): Promise<void> {
  await plant(pool, 'quotes', 'co_1', id, row)
}

async function member<T = Thing[]>(id: string, path: string): Promise<T> {
  let object: unknown = await get(id, `expand[]=${path}`)
  for (const segment of path.split('.')) object = (object as Record<string, unknown>)[segment]
  return object as T
}

const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)

let lines = 0
async function plantLine(quoteId: string, row: Row): Promise<void> {
  await plant(pool, 'line_items', 'co_1', `line_${String(++lines)}`, { quote_id: quoteId, ...row })
}

// Names and ids in byte order, which is neither the order of any language nor that of UTF-16 (the last two swap there).
const BYTE_ORDER = [
  '',
  ' ',
  '10',
  '9',
  'B',
  'Z',
  'a',
  'b',
  'z',
  'zz',
  'ä',
  'é',
  'ß',
  '日',
  '\uFF5E',
  '\u{1F600}',
]
  .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  .slice(1)
const SHUFFLED = [
  ...BYTE_ORDER.filter((_, i) => i % 2 === 1).toReversed(),
  ...BYTE_ORDER.filter((_, i) => i % 2 === 0),
]

describe('X6: the allowed paths', () => {
  it('are exactly these 26', () => {
    expect(ALL_PATHS).toHaveLength(26)
    expect(QUOTE_PATHS.toSorted()).toEqual(ALL_PATHS.toSorted())
  })

  it.each(ALL_PATHS)('%s is taken by both endpoints', async (path) => {
    expect((await listRaw(`expand[]=data.${path}`)).status).toBe(200)
    expect((await getRaw('nothing', `expand[]=${path}`)).status).toBe(404)
  })

  it('the full set exceeds the limit', async () => {
    const answer = await listRaw(expandQuery(ALL_PATHS, 'data.'))
    expect([answer.status, answer.body]).toEqual([400, refusal('expand', expect.stringContaining('20'))])
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
  ])('get: %s is refused, and the message names the path', async (query, path) => {
    const answer = await getRaw('nothing', query)
    expect([answer.status, answer.body]).toEqual([400, refusal('expand')])
    expect(answer.text).toContain(`\\"${path}\\"`)
  })

  it('an invalid percent-encoding is a malformed path', async () => {
    for (const path of ['%ZZ', 'lead%', 'lead%FF']) {
      expect((await getRaw('nothing', `expand[]=${path}`)).body).toEqual(refusal('expand'))
    }
  })
})

describe('X3, X4, R8: limits and unsupported paths', () => {
  it('20 distinct paths are taken, in any spelling, and a 21st is not', async () => {
    const twenty = ALL_PATHS.slice(0, 20).map((path) => `data.${path}`)
    expect((await listRaw(`expand[]=${twenty.join(',')}`)).status).toBe(200)
    expect((await listRaw(`expand[]=${[...twenty, ...twenty].join(',')}&expand=${twenty[3]}`)).status).toBe(
      200,
    )
    const answer = await listRaw(`expand[]=${twenty.join(',')}&expand[1]=data.booking.events.booking`)
    expect([answer.status, answer.body]).toEqual([400, refusal('expand', expect.stringContaining('20'))])
  })

  it('25 copies of one path are one path', async () => {
    expect((await listRaw(Array.from({ length: 25 }, () => 'expand[]=data.lead').join('&'))).status).toBe(200)
  })

  it.each([
    'lineItems',
    'serviceDays.lineItems',
    'booking.invoices.lineItems',
    'discount',
    'serviceCharges.serviceCharge',
    'booking.events.booking.events.staff',
  ])('%s is not supported', async (path) => {
    const onList = await listRaw(`expand[]=data.${path}`)
    expect([onList.status, onList.body]).toEqual([
      400,
      refusal('expand', expect.stringContaining(`"data.${path}"`)),
    ])
    const onGet = await getRaw('nothing', `expand[]=${path}`)
    expect([onGet.status, onGet.body]).toEqual([400, refusal('expand', expect.stringContaining(`"${path}"`))])
  })

  it('X5: a path without data. is refused on the list', async () => {
    for (const path of ALL_PATHS) {
      const answer = await listRaw(`expand[]=${path}`)
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal('expand', expect.stringContaining(`"${path}"`)),
      ])
    }
  })
})

describe('O3: lead', () => {
  it('has all its fields', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_full', {
      first_name: 'Ada',
      last_name: 'Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      company_name: 'Harbor Ltd',
    })
    await quoteWith('q_lead', { lead_id: 'lead_full' })
    expect(await member('q_lead', 'lead')).toEqual({
      object: 'lead',
      id: 'lead_full',
      name: 'Ada Lindqvist',
      firstName: 'Ada',
      lastName: 'Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      companyName: 'Harbor Ltd',
    })
  })

  it.each<
    [name: string, first: string | null, last: string | null, company: string | null, email: string | null]
  >([
    ['Ada Lindqvist', 'Ada', 'Lindqvist', 'Harbor Ltd', 'a@example.com'],
    ['Ada', 'Ada', null, 'Harbor Ltd', 'a@example.com'],
    ['Lindqvist', null, 'Lindqvist', 'Harbor Ltd', 'a@example.com'],
    ['Ada', 'Ada', '', 'Harbor Ltd', null],
    ['Lindqvist', ' \t', 'Lindqvist', null, null],
    ['Harbor Ltd', null, null, 'Harbor Ltd', 'a@example.com'],
    ['Harbor Ltd', '', '  ', 'Harbor Ltd', 'a@example.com'],
    ['a@example.com', null, null, null, 'a@example.com'],
    ['a@example.com', ' ', '', '\n', 'a@example.com'],
    ['', null, null, null, null],
    ['', '', ' ', '  ', ' '],
  ])('O3: is called %j with %j, %j, %j, %j', async (name, firstName, lastName, companyName, email) => {
    const id = `lead ${JSON.stringify([firstName, lastName, companyName, email])}`
    await plant(pool, 'leads', 'co_1', id, {
      first_name: firstName,
      last_name: lastName,
      company_name: companyName,
      email,
    })
    await quoteWith(`q of ${id}`, { lead_id: id })
    expect(await member(`q of ${id}`, 'lead')).toEqual({
      object: 'lead',
      id,
      name,
      firstName,
      lastName,
      email,
      phone: null,
      companyName,
    })
  })
})

describe('O4, O5: location and event type', () => {
  it('location has all its fields, null when unset', async () => {
    const place = { street_address: '4 Pier Road', city: 'Brooklyn', state: 'NY', zip: '11201' }
    await plant(pool, 'locations', 'co_1', 'loc_full', {
      name: 'Pier 4',
      time_zone: 'America/New_York',
      ...place,
    })
    await plant(pool, 'locations', 'co_1', 'loc_bare', { name: 'Barn', time_zone: 'Europe/Lisbon' })
    await quoteWith('q_loc_full', { location_id: 'loc_full' })
    await quoteWith('q_loc_bare', { location_id: 'loc_bare' })
    expect(await member('q_loc_full', 'location')).toEqual({
      object: 'location',
      id: 'loc_full',
      name: 'Pier 4',
      streetAddress: '4 Pier Road',
      city: 'Brooklyn',
      state: 'NY',
      zip: '11201',
      timeZone: 'America/New_York',
    })
    expect(await member('q_loc_bare', 'location')).toEqual({
      object: 'location',
      id: 'loc_bare',
      name: 'Barn',
      streetAddress: null,
      city: null,
      state: null,
      zip: null,
      timeZone: 'Europe/Lisbon',
    })
  })

  it('eventType has id and name', async () => {
    await plant(pool, 'event_types', 'co_1', 'type_1', { name: 'Gala' })
    await quoteWith('q_type', { event_type_id: 'type_1' })
    expect(await member('q_type', 'eventType')).toEqual({ object: 'eventType', id: 'type_1', name: 'Gala' })
  })
})

describe.each([
  ['services', 'service', 'SERVICE', 'service_id'],
  ['addons', 'addon', 'ADDON', 'addon_id'],
] as const)('O6: %s', (path, object, kind, column) => {
  const itemOf = (id: string, row: Row = {}) => plant(pool, path, 'co_1', id, row)

  it('have id, name, description and image URL, and nothing of the line', async () => {
    await itemOf('full', {
      name: 'Cocktail bar',
      description: 'Four hours',
      image_url: 'https://example.com/bar.jpg',
    })
    await itemOf('bare', { name: 'Bare' })
    await quoteWith(`q_${path}`, {})
    await plantLine(`q_${path}`, {
      kind,
      [column]: 'full',
      quantity: 3,
      unit_price_cents: 100,
      price_cents: 300,
    })
    await plantLine(`q_${path}`, { kind, [column]: 'bare' })
    expect(await member(`q_${path}`, path)).toEqual([
      { object, id: 'bare', name: 'Bare', description: null, imageUrl: null },
      {
        object,
        id: 'full',
        name: 'Cocktail bar',
        description: 'Four hours',
        imageUrl: 'https://example.com/bar.jpg',
      },
    ])
  })

  it('are those of current lines, each once; archived ones, deleted lines and missing items do not count', async () => {
    for (const id of ['used', 'used_once_deleted', 'of_deleted_line', 'unused', 'twin'])
      await itemOf(id, { name: id })
    await itemOf('archived', { archived_at: '2026-01-01T00:00:00Z' })
    await itemOf('archived_later', { archived_at: '2999-01-01T00:00:00Z' })
    const other = path === 'services' ? 'addons' : 'services'
    await plant(pool, other, 'co_1', `one of ${other}`, {})
    const quote = `q_${path}_lines`
    await quoteWith(quote, {})
    for (const id of [
      'used',
      'used',
      'used_once_deleted',
      'archived',
      'archived_later',
      'missing',
      'twin',
      'used',
      `one of ${other}`,
    ]) {
      await plantLine(quote, { kind, [column]: id })
    }
    await plantLine(quote, { kind, [column]: 'used_once_deleted', deleted_at: '2026-01-01T00:00:00Z' })
    await plantLine(quote, { kind, [column]: 'of_deleted_line', deleted_at: '2999-01-01T00:00:00Z' })
    await plantLine(quote, { kind: 'CUSTOM', description: 'unused' })
    expect(ids(await member(quote, path))).toEqual(['twin', 'used', 'used_once_deleted'])
  })

  it('are in byte order of their names, then ids', async () => {
    const quote = `q_${path}_order`
    await quoteWith(quote, {})
    for (const [i, name] of SHUFFLED.entries()) {
      await itemOf(`n${i}`, { name })
      await plantLine(quote, { kind, [column]: `n${i}` })
    }
    for (const id of SHUFFLED) {
      await itemOf(`same ${id}`, { name: 'same' })
      await plantLine(quote, { kind, [column]: `same ${id}` })
    }
    const found = await member(quote, path)
    expect(found.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(BYTE_ORDER)
    expect(ids(found.filter(({ name }) => name === 'same'))).toEqual(BYTE_ORDER.map((id) => `same ${id}`))
  })
})

describe('O6: services and addons of the same id', () => {
  it('are two things', async () => {
    await plant(pool, 'services', 'co_1', 'both', { name: 'The service' })
    await plant(pool, 'addons', 'co_1', 'both', { name: 'The add-on' })
    await quoteWith('q_both', {})
    await plantLine('q_both', { kind: 'ADDON', addon_id: 'both' })
    expect(await get('q_both', 'expand[]=services,addons')).toMatchObject({
      services: [],
      addons: [{ object: 'addon', name: 'The add-on' }],
    })
    await plantLine('q_both', { kind: 'SERVICE', service_id: 'both' })
    expect(await get('q_both', 'expand[]=services,addons')).toMatchObject({
      services: [{ name: 'The service' }],
      addons: [{ name: 'The add-on' }],
    })
  })
})

describe('O7: discounts', () => {
  const AMOUNT = { type: 'AMOUNT', percent_off: null, amount_off: 1_500, currency: 'USD' }

  it('have id, name, type, percentOff and amountOff; percentages are numbers in percent', async () => {
    await plant(pool, 'discounts', 'co_1', 'd_pct', { name: 'A', percent_off: '12.5' })
    await plant(pool, 'discounts', 'co_1', 'd_fine', { name: 'B', percent_off: '33.333333' })
    await plant(pool, 'discounts', 'co_1', 'd_amt', { name: 'C', ...AMOUNT, amount_off: 100_000_000_000 })
    await quoteWith('q_disc', { discount_id: 'd_pct' })
    for (const id of ['d_fine', 'd_amt']) await plantLine('q_disc', { discount_id: id })
    expect(await member('q_disc', 'discounts')).toEqual([
      { object: 'discount', id: 'd_pct', name: 'A', type: 'PERCENT', percentOff: 12.5, amountOff: null },
      {
        object: 'discount',
        id: 'd_fine',
        name: 'B',
        type: 'PERCENT',
        percentOff: 33.333333,
        amountOff: null,
      },
      {
        object: 'discount',
        id: 'd_amt',
        name: 'C',
        type: 'AMOUNT',
        percentOff: null,
        amountOff: 100_000_000_000,
      },
    ])
  })

  it('the quote-level one comes first whatever its name, and once, also when lines have it too', async () => {
    await plant(pool, 'discounts', 'co_1', 'd_last', { name: 'zzz' })
    await plant(pool, 'discounts', 'co_1', 'd_first', { name: 'AAA' })
    await quoteWith('q_first', { discount_id: 'd_last' })
    for (const id of ['d_last', 'd_first', 'd_last', 'd_first'])
      await plantLine('q_first', { discount_id: id })
    expect(ids(await member('q_first', 'discounts'))).toEqual(['d_last', 'd_first'])
  })

  it('the rest is in byte order of names, then ids', async () => {
    await quoteWith('q_disc_order', { discount_id: 'o3' })
    for (const [i, name] of SHUFFLED.entries()) {
      await plant(pool, 'discounts', 'co_1', `o${i}`, { name })
      await plantLine('q_disc_order', { discount_id: `o${i}` })
    }
    for (const id of ['é', 'b', 'B']) {
      await plant(pool, 'discounts', 'co_1', `same ${id}`, { name: 'same' })
      await plantLine('q_disc_order', { discount_id: `same ${id}` })
    }
    const found = await member('q_disc_order', 'discounts')
    expect(found[0]?.id).toBe('o3')
    const rest = found.slice(1)
    expect(rest.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(
      BYTE_ORDER.filter((name) => name !== SHUFFLED[3]),
    )
    expect(ids(rest.filter(({ name }) => name === 'same'))).toEqual(['same B', 'same b', 'same é'])
  })

  it('X9: archived ones stay; of lines whose item is missing or archived too, of deleted lines not; missing ones are left out', async () => {
    for (const id of [
      'x_archived',
      'x_item_missing',
      'x_item_archived',
      'x_custom',
      'x_deleted_line',
      'x_unused',
    ]) {
      await plant(pool, 'discounts', 'co_1', id, {
        name: id,
        archived_at: id === 'x_archived' ? '2026-01-01T00:00:00Z' : null,
      })
    }
    await plant(pool, 'services', 'co_1', 's_archived', { archived_at: '2026-01-01T00:00:00Z' })
    await quoteWith('q_lines', { discount_id: 'd_missing' })
    await plantLine('q_lines', { discount_id: 'x_archived' })
    await plantLine('q_lines', { kind: 'SERVICE', service_id: 'nowhere', discount_id: 'x_item_missing' })
    await plantLine('q_lines', { kind: 'SERVICE', service_id: 's_archived', discount_id: 'x_item_archived' })
    await plantLine('q_lines', { discount_id: 'x_custom' })
    await plantLine('q_lines', { discount_id: 'x_deleted_line', deleted_at: '2026-01-01T00:00:00Z' })
    await plantLine('q_lines', { discount_id: 'x_missing' })
    expect(ids(await member('q_lines', 'discounts'))).toEqual([
      'x_archived',
      'x_custom',
      'x_item_archived',
      'x_item_missing',
    ])
  })

  it('an archived quote-level discount stays, first', async () => {
    await plant(pool, 'discounts', 'co_1', 'y_archived', {
      name: 'zz',
      archived_at: '2026-01-01T00:00:00Z',
      ...AMOUNT,
      currency: 'EUR',
    })
    await plant(pool, 'discounts', 'co_1', 'y_line', { name: 'aa' })
    await quoteWith('q_archived_discount', { discount_id: 'y_archived' })
    await plantLine('q_archived_discount', { discount_id: 'y_line' })
    expect(ids(await member('q_archived_discount', 'discounts'))).toEqual(['y_archived', 'y_line'])
  })
})

describe('O8, O9, O12, X9: tax rate, payment terms and contract; archived ones that are attached stay', () => {
  it.each<[string | null]>([[null], ['2026-01-01T00:00:00Z']])('archivedAt %s', async (archivedAt) => {
    const id = archivedAt === null ? 'current' : 'archived'
    const times = {
      created_at: '2026-01-01T00:00:00.5Z',
      updated_at: '2026-01-02T00:00:00Z',
      archived_at: archivedAt,
    }
    await plant(pool, 'tax_rates', 'co_1', id, { name: 'NYC', rate: '8.875', archived_at: archivedAt })
    await plant(pool, 'payment_terms', 'co_1', id, {
      name: 'Half',
      payment_schedule: 'DEPOSIT',
      deposit_type: 'PERCENT',
      deposit_percentage: '50',
      invoice_due_days: 14,
      archived_at: archivedAt,
    })
    await plant(pool, 'contracts', 'co_1', id, {
      name: 'Standard',
      description: 'Two pages',
      content: 'SECRET CLAUSE',
      ...times,
    })
    await quoteWith(`q_${id}`, { tax_rate_id: id, payment_terms_id: id, contract_id: id })
    const quote = await get(`q_${id}`, 'expand[]=taxRate,paymentTerms,contract')
    expect(quote['taxRate']).toEqual({ object: 'taxRate', id, name: 'NYC', rate: 8.875 })
    expect(quote['paymentTerms']).toEqual({
      object: 'paymentTerms',
      id,
      name: 'Half',
      paymentSchedule: 'DEPOSIT',
      depositType: 'PERCENT',
      depositPercentage: 50,
      depositAmountCents: null,
      invoiceDueDays: 14,
    })
    expect(quote['contract']).toEqual({
      object: 'contract',
      id,
      name: 'Standard',
      description: 'Two pages',
      createdAt: '2026-01-01T00:00:00.500Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
    expect(JSON.stringify(quote)).not.toContain('SECRET')
  })

  it.each<[string, Row, Row]>([
    ['FULL', {}, { depositType: null, depositPercentage: null, depositAmountCents: null, invoiceDueDays: 0 }],
    [
      'DEPOSIT',
      { deposit_type: 'AMOUNT', deposit_amount_cents: 25_000 },
      { depositType: 'AMOUNT', depositPercentage: null, depositAmountCents: 25_000 },
    ],
    [
      'DEPOSIT',
      { deposit_type: 'PERCENT', deposit_percentage: '33.3' },
      { depositType: 'PERCENT', depositPercentage: 33.3, depositAmountCents: null },
    ],
    ['CARD_ON_FILE', { invoice_due_days: 30 }, { depositType: null, invoiceDueDays: 30 }],
    ['INVOICE_ONLY', {}, { depositType: null }],
  ])('payment terms of %s with %j', async (schedule, row, shown) => {
    const id = `${schedule} ${JSON.stringify(row)}`
    await plant(pool, 'payment_terms', 'co_1', id, { payment_schedule: schedule, ...row })
    await quoteWith(id, { payment_terms_id: id })
    expect(await member(id, 'paymentTerms')).toMatchObject({ id, paymentSchedule: schedule, ...shown })
  })
})

describe('O10, X9: serviceCharges', () => {
  it('are a flat array of definitions; archived ones stay, missing ones are left out; percentage or amount, taxability', async () => {
    await plant(pool, 'service_charges', 'co_1', 'c_pct', { name: 'B', percentage: '22.5', taxable: false })
    await plant(pool, 'service_charges', 'co_1', 'c_amt', {
      name: 'A',
      type: 'AMOUNT',
      percentage: null,
      amount_cents: 7_500,
      currency: 'USD',
    })
    await plant(pool, 'service_charges', 'co_1', 'c_arch', { name: 'C', archived_at: '2026-01-01T00:00:00Z' })
    await plant(pool, 'service_charges', 'co_1', 'c_other_currency', {
      name: 'D',
      type: 'AMOUNT',
      percentage: null,
      amount_cents: 1,
      currency: 'EUR',
    })
    await plant(pool, 'service_charges', 'co_1', 'c_unattached', { name: 'E' })
    await quoteWith('q_charges', {
      service_charge_ids: ['c_arch', 'c_pct', 'c_missing', 'c_other_currency', 'c_amt'],
    })
    expect(await member('q_charges', 'serviceCharges')).toEqual([
      {
        object: 'serviceCharge',
        id: 'c_amt',
        name: 'A',
        type: 'AMOUNT',
        percentage: null,
        amountCents: 7_500,
        taxable: true,
      },
      {
        object: 'serviceCharge',
        id: 'c_pct',
        name: 'B',
        type: 'PERCENT',
        percentage: 22.5,
        amountCents: null,
        taxable: false,
      },
      {
        object: 'serviceCharge',
        id: 'c_arch',
        name: 'C',
        type: 'PERCENT',
        percentage: 20,
        amountCents: null,
        taxable: true,
      },
      {
        object: 'serviceCharge',
        id: 'c_other_currency',
        name: 'D',
        type: 'AMOUNT',
        percentage: null,
        amountCents: 1,
        taxable: true,
      },
    ])
  })

  it('are in byte order of names, then ids', async () => {
    for (const [i, name] of SHUFFLED.entries())
      await plant(pool, 'service_charges', 'co_1', `oc${i}`, { name })
    for (const id of ['é', 'b', 'B'])
      await plant(pool, 'service_charges', 'co_1', `same ${id}`, { name: 'same' })
    await quoteWith('q_charge_order', {
      service_charge_ids: ['same é', 'same b', 'same B', ...SHUFFLED.map((_, i) => `oc${i}`)],
    })
    const found = await member('q_charge_order', 'serviceCharges')
    expect(found.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(BYTE_ORDER)
    expect(ids(found.filter(({ name }) => name === 'same'))).toEqual(['same B', 'same b', 'same é'])
  })
})

describe('O11: serviceDays', () => {
  it('are ordered by serviceStartTime ascending, then id ascending; each has quote id, start, end and times', async () => {
    await quoteWith('q_days', {})
    for (const [id, start] of [
      ['y_é', '2026-06-02T10:00:00Z'],
      ['y_\u{1F600}', '2026-06-02T10:00:00Z'],
      ['y_\uFF5E', '2026-06-02T10:00:00Z'],
      ['y_a', '2026-06-02T10:00:00.000Z'],
      ['y_B', '2026-06-02T10:00:00Z'],
      ['y_0', '2026-06-02T10:00:00.001Z'],
      ['y_z', '2026-06-01T10:00:00Z'],
    ] as const) {
      await plant(pool, 'service_days', 'co_1', id, {
        quote_id: 'q_days',
        service_start_time: start,
        service_end_time: '2026-06-03T00:00:00Z',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-02T00:00:00Z',
      })
    }
    const days = await member('q_days', 'serviceDays')
    expect(ids(days)).toEqual(['y_z', 'y_B', 'y_a', 'y_é', 'y_\uFF5E', 'y_\u{1F600}', 'y_0'])
    expect(days[0]).toEqual({
      object: 'serviceDay',
      id: 'y_z',
      quoteId: 'q_days',
      serviceStartTime: '2026-06-01T10:00:00.000Z',
      serviceEndTime: '2026-06-03T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
  })
})

describe('O13: booking', () => {
  it('is a summary with all its fields', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_full', {
      quote_id: 'q_other',
      lead_id: 'lead_nowhere',
      event_type_id: 'type_nowhere',
      full_name: 'Ada Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      entity_to_invoice: 'Harbor Ltd',
      payment_method: 'CARD',
      billing_notes: 'Net 14',
      card_on_file: true,
      currency: 'KWD',
      total_price_cents: 100_000_000_000,
      gratuity_amount_cents: 5_000,
      canceled_at: '2026-03-01T00:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await quoteWith('q_booking', { booking_id: 'b_full' })
    expect(await member('q_booking', 'booking')).toEqual({
      object: 'booking',
      id: 'b_full',
      quoteId: 'q_other',
      leadId: 'lead_nowhere',
      eventTypeId: 'type_nowhere',
      fullName: 'Ada Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      entityToInvoice: 'Harbor Ltd',
      paymentMethod: 'CARD',
      billingNotes: 'Net 14',
      cardOnFile: true,
      currency: { isoCode: 'KWD' },
      totalPriceCents: 100_000_000_000,
      gratuityAmountCents: 5_000,
      canceledAt: '2026-03-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
  })

  it('its nullable fields are null when unset', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_bare', {
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    })
    await quoteWith('q_bare_booking', { booking_id: 'b_bare' })
    const empty = {
      quoteId: null,
      leadId: null,
      eventTypeId: null,
      fullName: null,
      email: null,
      phone: null,
      entityToInvoice: null,
      paymentMethod: null,
      billingNotes: null,
      gratuityAmountCents: null,
      canceledAt: null,
    }
    expect(await member('q_bare_booking', 'booking')).toMatchObject({
      ...empty,
      cardOnFile: false,
      totalPriceCents: 0,
    })
  })

  it('O13: its lead and event type are its own, not those of the quote, and can be null', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_q', { first_name: 'Quote' })
    await plant(pool, 'leads', 'co_1', 'lead_b', { first_name: 'Booking' })
    await plant(pool, 'event_types', 'co_1', 'type_b', { name: 'Of the booking' })
    await plant(pool, 'bookings', 'co_1', 'b_own', { lead_id: 'lead_b', event_type_id: 'type_b' })
    await quoteWith('q_own', { lead_id: 'lead_q', booking_id: 'b_own' })
    expect(await get('q_own', 'expand[]=lead,eventType,booking.lead,booking.eventType')).toMatchObject({
      lead: { name: 'Quote' },
      eventType: null,
      booking: {
        lead: { object: 'lead', name: 'Booking' },
        eventType: { object: 'eventType', name: 'Of the booking' },
      },
    })
    expect(await get('q_booking', 'expand[]=booking.lead,booking.eventType')).toMatchObject({
      booking: { lead: null, eventType: null },
    })
  })
})

/** Where an invoice opens. */
const urlOf = (id: string) =>
  `http://127.0.0.1:3000/i/${createInvoiceTokens('a secret for tests').seal({ companyId: 'co_1', invoiceId: id })}`

describe('O15: booking.invoices', () => {
  const PAST = '2026-01-01T00:00:00Z'
  const FUTURE = '2999-01-01T00:00:00Z'

  it('have all their fields, the URL opens exactly this invoice and is the same at every read', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_inv')
    await quoteWith('q_inv', { booking_id: 'b_inv' })
    await plant(pool, 'invoices', 'co_1', 'i_full', {
      booking_id: 'b_inv',
      lead_id: 'lead_i',
      invoice_number: 'INV-7',
      description: 'Deposit',
      notes: 'Thank you',
      po_number: 'PO-1',
      currency: 'EUR',
      total_cents: 10_000,
      amount_paid_cents: 2_500,
      issued_at: PAST,
      due_date: FUTURE,
      lines: JSON.stringify([{ description: 'SECRET LINE', quantity: 2, amountCents: 5_000 }]),
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await plant(pool, 'invoices', 'co_1', 'i_bare', {
      booking_id: 'b_inv',
      created_at: '2026-01-03T00:00:00Z',
      updated_at: '2026-01-03T00:00:00Z',
    })
    const invoices = await member('q_inv', 'booking.invoices')
    expect(invoices).toEqual([
      {
        object: 'invoice',
        id: 'i_full',
        bookingId: 'b_inv',
        leadId: 'lead_i',
        invoiceNumber: 'INV-7',
        description: 'Deposit',
        notes: 'Thank you',
        poNumber: 'PO-1',
        status: 'PartiallyPaid',
        currency: { isoCode: 'EUR' },
        total: 10_000,
        amountPaid: 2_500,
        amountDue: 7_500,
        dueDate: '2999-01-01T00:00:00.000Z',
        voidedAt: null,
        url: urlOf('i_full'),
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
      },
      {
        object: 'invoice',
        id: 'i_bare',
        bookingId: 'b_inv',
        leadId: null,
        invoiceNumber: 'INV-1',
        description: null,
        notes: null,
        poNumber: null,
        status: 'Draft',
        currency: { isoCode: 'USD' },
        total: 0,
        amountPaid: 0,
        amountDue: 0,
        dueDate: null,
        voidedAt: null,
        url: urlOf('i_bare'),
        createdAt: '2026-01-03T00:00:00.000Z',
        updatedAt: '2026-01-03T00:00:00.000Z',
      },
    ])
    expect(await member('q_inv', 'booking.invoices')).toEqual(invoices)
    expect(JSON.stringify(invoices)).not.toContain('SECRET')
  })

  it.each<[status: string, due: number, row: Row]>([
    ['Void', 0, { voided_at: PAST, issued_at: PAST, due_date: PAST, amount_paid_cents: 400 }],
    ['Void', 0, { voided_at: FUTURE }],
    ['Draft', 1_000, { due_date: PAST }],
    ['Draft', 0, { amount_paid_cents: 1_000 }],
    ['Paid', 0, { issued_at: PAST, amount_paid_cents: 1_000, due_date: PAST }],
    ['Paid', 0, { issued_at: PAST, amount_paid_cents: 5_000 }],
    ['Overdue', 1_000, { issued_at: PAST, due_date: PAST }],
    ['Overdue', 1, { issued_at: PAST, due_date: PAST, amount_paid_cents: 999 }],
    ['PartiallyPaid', 999, { issued_at: PAST, due_date: FUTURE, amount_paid_cents: 1 }],
    ['PartiallyPaid', 999, { issued_at: PAST, amount_paid_cents: 1 }],
    ['Open', 1_000, { issued_at: PAST, due_date: FUTURE }],
    ['Open', 1_000, { issued_at: PAST }],
  ])('O15: status %s, amountDue %i of 1000 with %j', async (status, amountDue, row) => {
    const id = `invoice ${JSON.stringify(row)}`
    await plant(pool, 'bookings', 'co_1', id)
    await quoteWith(id, { booking_id: id })
    await plant(pool, 'invoices', 'co_1', id, { booking_id: id, total_cents: 1_000, ...row })
    expect(await member(id, 'booking.invoices')).toMatchObject([{ status, amountDue, total: 1_000 }])
  })

  it('are ordered by createdAt, then id', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_order')
    await quoteWith('q_inv_order', { booking_id: 'b_order' })
    for (const [id, createdAt, number] of [
      ['n_z', '2026-01-01T00:00:00.001Z', 'INV-1'],
      ['n_é', '2026-01-01T00:00:00Z', 'INV-2'],
      ['n_a', '2026-01-01T00:00:00Z', 'INV-3'],
      ['n_B', '2026-01-01T00:00:00Z', 'INV-4'],
      ['n_9', '2025-01-01T00:00:00Z', 'INV-5'],
    ]) {
      await plant(pool, 'invoices', 'co_1', id ?? '', {
        booking_id: 'b_order',
        created_at: createdAt,
        invoice_number: number,
      })
    }
    expect(ids(await member('q_inv_order', 'booking.invoices'))).toEqual(['n_9', 'n_B', 'n_a', 'n_é', 'n_z'])
  })
})

describe('O14: booking.events', () => {
  it('have all their fields, null when unset, and never the lists of ids', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_events')
    await quoteWith('q_events', { booking_id: 'b_events' })
    const texts = {
      name: 'Gala',
      client_name: 'Ada',
      client_email: 'ada@example.com',
      client_phone: '1',
      site_contact_name: 'Mina',
      site_contact_phone: '2',
      event_description: 'Dinner',
      event_address: 'Pier 4',
      additional_location_info: 'Gate B',
      special_notes: 'Quiet',
      parking_loading_info: 'Dock 2',
      staff_dress_code: 'Black',
    }
    await plant(pool, 'events', 'co_1', 'e_full', {
      booking_id: 'b_events',
      location_id: 'loc_e',
      ...texts,
      service_start_time: '2026-06-01T16:00:00Z',
      service_end_time: '2026-06-01T22:00:00.25Z',
      shift_start_time: '2026-06-01T15:00:00Z',
      shift_end_time: '2026-06-01T23:00:00Z',
      staff_number: 4,
      resource_number: 2,
      guest_count: 80,
      multi_day: true,
      outdoors: true,
      tip_jar_allowed: true,
      service_ids: ['s'],
      addon_ids: ['a'],
      staff_ids: ['f'],
      resource_ids: ['r'],
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await plant(pool, 'events', 'co_1', 'e_bare', {
      booking_id: 'b_events',
      service_start_time: '2026-06-02T16:00:00Z',
      service_end_time: '2026-06-02T22:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    })
    expect(await member('q_events', 'booking.events')).toEqual([
      {
        object: 'event',
        id: 'e_full',
        companyId: 'co_1',
        bookingId: 'b_events',
        locationId: 'loc_e',
        name: 'Gala',
        clientName: 'Ada',
        clientEmail: 'ada@example.com',
        clientPhone: '1',
        siteContactName: 'Mina',
        siteContactPhone: '2',
        eventDescription: 'Dinner',
        eventAddress: 'Pier 4',
        additionalLocationInfo: 'Gate B',
        specialNotes: 'Quiet',
        parkingLoadingInfo: 'Dock 2',
        staffDressCode: 'Black',
        serviceStartTime: '2026-06-01T16:00:00.000Z',
        serviceEndTime: '2026-06-01T22:00:00.250Z',
        shiftStartTime: '2026-06-01T15:00:00.000Z',
        shiftEndTime: '2026-06-01T23:00:00.000Z',
        staffNumber: 4,
        resourceNumber: 2,
        guestCount: 80,
        multiDay: true,
        outdoors: true,
        tipJarAllowed: true,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
      },
      {
        object: 'event',
        id: 'e_bare',
        companyId: 'co_1',
        bookingId: 'b_events',
        locationId: null,
        name: null,
        clientName: null,
        clientEmail: null,
        clientPhone: null,
        siteContactName: null,
        siteContactPhone: null,
        eventDescription: null,
        eventAddress: null,
        additionalLocationInfo: null,
        specialNotes: null,
        parkingLoadingInfo: null,
        staffDressCode: null,
        serviceStartTime: '2026-06-02T16:00:00.000Z',
        serviceEndTime: '2026-06-02T22:00:00.000Z',
        shiftStartTime: null,
        shiftEndTime: null,
        staffNumber: 0,
        resourceNumber: 0,
        guestCount: null,
        multiDay: false,
        outdoors: false,
        tipJarAllowed: false,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  it('are ordered by start time ascending, then id ascending', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_event_order')
    await quoteWith('q_event_order', { booking_id: 'b_event_order' })
    for (const [id, start] of [
      ['v_é', '2026-06-02T10:00:00Z'],
      ['v_\u{1F600}', '2026-06-02T10:00:00Z'],
      ['v_\uFF5E', '2026-06-02T10:00:00Z'],
      ['v_a', '2026-06-02T10:00:00Z'],
      ['v_B', '2026-06-02T10:00:00Z'],
      ['v_0', '2026-06-02T10:00:00.001Z'],
      ['v_z', '2026-06-01T10:00:00Z'],
    ] as const) {
      await plant(pool, 'events', 'co_1', id, { booking_id: 'b_event_order', service_start_time: start })
    }
    expect(ids(await member('q_event_order', 'booking.events'))).toEqual([
      'v_z',
      'v_B',
      'v_a',
      'v_é',
      'v_\uFF5E',
      'v_\u{1F600}',
      'v_0',
    ])
  })
})

/** The first event of the quote's booking, with one of its members. */
async function eventWith(quoteId: string, path: string): Promise<Thing> {
  const quote = await get(quoteId, `expand[]=booking.events.${path}`)
  const [event] = (quote['booking'] as { events: Thing[] }).events
  return event ?? { id: 'no event' }
}

describe('X10: booking.events.*', () => {
  it('location, or null', async () => {
    await plant(pool, 'locations', 'co_1', 'loc_event', { name: 'Rooftop' })
    await plant(pool, 'bookings', 'co_1', 'b_loc')
    await quoteWith('q_event_loc', { booking_id: 'b_loc' })
    await plant(pool, 'events', 'co_1', 'e_loc', { booking_id: 'b_loc', location_id: 'loc_event' })
    expect((await eventWith('q_event_loc', 'location'))['location']).toMatchObject({
      object: 'location',
      name: 'Rooftop',
      timeZone: 'America/New_York',
    })
  })

  it('services and addons without archived and missing ones, by name; resources of any status, by name', async () => {
    for (const table of ['services', 'addons', 'resources']) {
      for (const [i, name] of SHUFFLED.entries()) await plant(pool, table, 'co_1', `ev${i}`, { name })
      for (const id of ['é', 'B']) await plant(pool, table, 'co_1', `ev same ${id}`, { name: 'same' })
    }
    for (const table of ['services', 'addons'])
      await plant(pool, table, 'co_1', 'ev_archived', { archived_at: '2026-01-01T00:00:00Z' })
    await pool.query("UPDATE resources SET status = 'Inactive' WHERE id = 'ev3'")
    const all = ['ev_archived', 'ev same é', 'ev_missing', 'ev same B', ...SHUFFLED.map((_, i) => `ev${i}`)]
    await plant(pool, 'bookings', 'co_1', 'b_items')
    await quoteWith('q_event_items', { booking_id: 'b_items' })
    await plant(pool, 'events', 'co_1', 'e_items', {
      booking_id: 'b_items',
      service_ids: all,
      addon_ids: all,
      resource_ids: all,
    })
    for (const [path, object] of [
      ['services', 'service'],
      ['addons', 'addon'],
      ['resources', 'resource'],
    ] as const) {
      const found = (await eventWith('q_event_items', path))[path] as Thing[]
      expect(found.every((thing) => thing['object'] === object)).toBe(true)
      expect(found.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(BYTE_ORDER)
      expect(ids(found.filter(({ name }) => name === 'same'))).toEqual(['ev same B', 'ev same é'])
      expect(Object.keys(found[0] ?? {})).toEqual(FIELDS[object])
    }
  })

  it('staff by last name, first name, then id, inactive ones too', async () => {
    const people = [
      ['p1', 'Bo', 'lindqvist'],
      ['p2', 'Ada', 'Ängel'],
      ['p3', 'Zoe', 'Lindqvist'],
      ['p4', 'ada', 'Lindqvist'],
      ['p5', 'Ada', 'Lindqvist'],
      ['p5b', 'Ada', 'Lindqvist'],
      ['P5', 'Ada', 'Lindqvist'],
      ['p6', '\u{1F600}', 'Lindqvist'],
      ['p7', '\uFF5E', 'Lindqvist'],
      ['p8', 'Ada', 'Abel'],
      ['p9', 'Ada Z', 'Abel'],
    ] as const
    for (const [id, first, last] of people) {
      await plant(pool, 'staff', 'co_1', id, {
        first_name: first,
        last_name: last,
        status: id === 'p4' ? 'inactive' : 'active',
        role: null,
      })
    }
    await plant(pool, 'bookings', 'co_1', 'b_staff')
    await quoteWith('q_event_staff', { booking_id: 'b_staff' })
    await plant(pool, 'events', 'co_1', 'e_staff', {
      booking_id: 'b_staff',
      staff_ids: ['gone', ...people.map(([id]) => id)],
    })
    const staff = (await eventWith('q_event_staff', 'staff'))['staff'] as Thing[]
    expect(ids(staff)).toEqual(['p8', 'p9', 'P5', 'p5', 'p5b', 'p3', 'p4', 'p7', 'p6', 'p1', 'p2'])
    expect(Object.keys(staff[0] ?? {})).toEqual(FIELDS['staff'])
    expect(staff.find(({ id }) => id === 'p4')).toMatchObject({
      object: 'staff',
      status: 'inactive',
      phone: null,
      role: null,
    })
  })
})

describe('X6: booking.events.booking.events', () => {
  it('goes round once: each event has its booking, which has all the events again, and there it ends', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_round', { first_name: 'Round' })
    await plant(pool, 'bookings', 'co_1', 'b_round', { lead_id: 'lead_round' })
    await quoteWith('q_round', { booking_id: 'b_round' })
    await plant(pool, 'events', 'co_1', 'e_1', {
      booking_id: 'b_round',
      service_start_time: '2026-06-01T00:00:00Z',
    })
    await plant(pool, 'events', 'co_1', 'e_2', {
      booking_id: 'b_round',
      service_start_time: '2026-06-02T00:00:00Z',
    })
    const quote = await get('q_round', 'expand[]=booking.events.booking.events')
    const booking = quote['booking'] as { events: Thing[] }
    expect(Object.keys(booking)).toEqual([...(FIELDS['booking'] ?? []), 'events'])
    expect(ids(booking.events)).toEqual(['e_1', 'e_2'])
    for (const event of booking.events) {
      expect(Object.keys(event)).toEqual([...(FIELDS['event'] ?? []), 'booking'])
      const inner = event['booking'] as { id: string; events: Thing[] }
      expect(inner.id).toBe('b_round')
      expect(Object.keys(inner)).toEqual([...(FIELDS['booking'] ?? []), 'events'])
      expect(ids(inner.events)).toEqual(['e_1', 'e_2'])
      for (const innermost of inner.events) expect(Object.keys(innermost)).toEqual(FIELDS['event'])
    }
  })

  it('X2: what is asked for on one round is absent on the other', async () => {
    const quote = await get(
      'q_round',
      'expand[]=booking.lead,booking.events.staff,booking.events.booking.invoices',
    )
    expect(quote).toMatchObject({
      booking: { lead: { name: 'Round' }, events: [{ staff: [], booking: { invoices: [] } }, { staff: [] }] },
    })
    const booking = quote['booking'] as { events: { booking: Thing }[] }
    expect(booking).not.toHaveProperty('invoices')
    expect(booking.events[0]?.booking).not.toHaveProperty('lead')
    expect(booking.events[0]?.booking).not.toHaveProperty('events')
    const deep = await get('q_round', 'expand[]=booking.events.booking.lead')
    expect(deep['booking']).not.toHaveProperty('lead')
    expect(deep).toMatchObject({ booking: { events: [{ booking: { lead: { name: 'Round' } } }, {}] } })
  })

  it('X11, X12: is refused above 32 MiB; without the repetition, all 400 events are returned', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_wide')
    await quoteWith('q_wide', { booking_id: 'b_wide' })
    const events = Array.from({ length: 400 }, (_, i) => ({ id: `wide_${i}`, booking_id: 'b_wide' }))
    await plantMany(pool, 'events', 'co_1', events)
    const refused = await getRaw('q_wide', 'expand[]=booking.events.booking.events')
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal('expand', expect.stringContaining('larger than 32 MiB')),
    ])
    const quote = await get('q_wide', 'expand[]=booking.events.booking')
    expect((quote['booking'] as { events: Thing[] }).events).toHaveLength(400)
  })
})

describe('X6: expansion on a page', () => {
  it('gives each quote its own, also where they share a lead, a booking or a discount', async () => {
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

// ---------------------------------------------------------------------------------------------------------------
// The demo world: every object of every answer.

const demo = await createDatabase()
await fillWithDemo(demo.connection)
const demoApi = quoteApi(await startServer(demo.connection, { logLevel: 'error' }))

/** Every object inside, with the path that leads to it. */
function* objectsIn(value: unknown, path = ''): Generator<[path: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) yield* objectsIn(item, path)
    return
  }
  yield [path, value as Record<string, unknown>]
  for (const [name, inner] of Object.entries(value))
    yield* objectsIn(inner, path === '' ? name : `${path}.${name}`)
}

const FORBIDDEN_WORDS = new Set(
  `line lines item items quantity unit content signature signatures signed pricing configuration archived deleted
  allocation allocations realized breakdown hash ids`.split(/\s+/),
)

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

/** What is wrong with the objects of an answer: nothing, it is hoped. */
function faultsIn(quotes: readonly QuoteObject[], paths: readonly string[], company: string): Set<string> {
  const asked = new Set(
    paths.flatMap((path) => path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.'))),
  )
  const faults = new Set<string>()
  for (const [path, object] of objectsIn(quotes)) {
    const names = Object.keys(object)
    for (const name of names) {
      if (wordsOf(name).some((word) => FORBIDDEN_WORDS.has(word)))
        faults.add(`${path}: ${name} must not be there`)
    }
    if (path.endsWith('currency')) {
      if (names.join() !== 'isoCode') faults.add(`${path} has ${names.join()}`)
      continue
    }
    // Exactly what is documented, in that order; then only members that were asked for.
    const fields = FIELDS[String(object['object'])] ?? []
    const members = names.slice(fields.length)
    if (names.slice(0, fields.length).join() !== fields.join()) faults.add(`${path} has ${names.join()}`)
    for (const name of members) {
      if (!asked.has(path === '' ? name : `${path}.${name}`)) faults.add(`${path}: nobody asked for ${name}`)
    }
    if ('companyId' in object && object['companyId'] !== company) faults.add(`${path} of another company`)
  }
  return faults
}

async function demoQuotes(key: string, paths: readonly string[]): Promise<QuoteObject[]> {
  const quotes: QuoteObject[] = []
  let hasMore = true
  while (hasMore) {
    const after = quotes.at(-1)
    const cursor = after === undefined ? '' : `&starting_after=${after.id}`
    const page = await demoApi.list(`limit=100&${expandQuery(paths, 'data.')}${cursor}`, key)
    quotes.push(...page.data)
    hasMore = page.hasMore
  }
  return quotes
}

const readable = DEMO_KEYS.filter(
  ({ company, revokedAt }) =>
    revokedAt === undefined && ['co_harborlight', 'co_maison_rivage', 'co_prairie_lantern'].includes(company),
)

describe('X8: line items, quantities, unit prices, pricing configuration, contract content and signatures are never returned', () => {
  const contents: string[] = []
  const seen = new Set<string>()

  it('the demo world has contents that could leak', async () => {
    const { rows } = await demo.pool.query<{ content: string }>(
      'SELECT content FROM contracts WHERE content IS NOT NULL',
    )
    contents.push(...rows.map(({ content }) => content))
    expect(contents.length).toBeGreaterThan(0)
    expect(contents.every((content) => content.length > 20)).toBe(true)
  })

  it.each(readable.map(({ company, key }) => [company, key]))('in any answer to %s', async (company, key) => {
    for (const paths of PATHS_IN_TWO) {
      const quotes = await demoQuotes(key, paths)
      expect(quotes.length).toBeGreaterThan(20)
      expect([...faultsIn(quotes, paths, company)]).toEqual([])
      for (const [, { object }] of objectsIn(quotes)) if (typeof object === 'string') seen.add(object)
      const text = JSON.stringify(quotes)
      expect(contents.filter((content) => text.includes(JSON.stringify(content).slice(1, -1)))).toEqual([])
    }
  })

  it('and every kind of object was among them', () => {
    expect([...seen].toSorted()).toEqual(Object.keys(FIELDS).toSorted())
  })
})

describe('Q10, Q11: a quote of a page and the same quote by its id', () => {
  it('are equal, with all paths', async () => {
    const [{ key }] = DEMO_KEYS
    for (const paths of PATHS_IN_TWO) {
      const { data } = await demoApi.list(`limit=100&${expandQuery(paths, 'data.')}`, key)
      const booked = data.filter((quote) => quote['bookingId'] !== null)
      for (const quote of [...booked.slice(0, 8), ...data.slice(0, 8)]) {
        expect(await demoApi.get(quote.id, expandQuery(paths), key)).toEqual(quote)
      }
    }
  })
})
