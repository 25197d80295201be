import { describe, expect, it } from 'vitest'
import type { PricingInput } from '../src/core/pricing/price-total.ts'
import examples from '../src/core/pricing/pricing-examples.json' with { type: 'json' }
import { PATHS_IN_TWO, ALL_PATHS, expandQuery, plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { createPricedQuotes } from './support/quotes-totals.ts'

const { pool, list, get } = await createPricedQuotes()

async function totalOf(id: string, query = '', key?: string): Promise<number> {
  return (await get(id, query, key)).totalPriceCents
}

/** A quote with one of each part that affects its price. */
async function plantPriced(id: string, row: Row = {}): Promise<void> {
  const of = (kind: string) => `${kind} of ${id}`
  await plant(pool, 'services', 'co_1', of('service'))
  await plant(pool, 'addons', 'co_1', of('addon'))
  await plant(pool, 'discounts', 'co_1', of('line discount'), { percent_off: '50' })
  await plant(pool, 'discounts', 'co_1', of('quote discount'), { percent_off: '10' })
  await plant(pool, 'service_charges', 'co_1', of('charge'), { percentage: '20' })
  await plant(pool, 'tax_rates', 'co_1', of('tax'), { rate: '10' })
  await plant(pool, 'quotes', 'co_1', id, {
    base_fee_cents: 1_000,
    travel_fee_cents: 2_000,
    discount_id: of('quote discount'),
    service_charge_ids: [of('charge')],
    tax_rate_id: of('tax'),
    updated_at: '2026-01-01T00:00:00Z',
    ...row,
  })
  const lines: [string, Row][] = [
    [
      'service',
      { kind: 'SERVICE', service_id: of('service'), price_cents: 4_000, discount_id: of('line discount') },
    ],
    ['addon', { kind: 'ADDON', addon_id: of('addon'), price_cents: 5_000 }],
    ['custom', { kind: 'CUSTOM', price_cents: 10_000 }],
  ]
  for (const [kind, values] of lines) {
    await plant(pool, 'line_items', 'co_1', `${kind} line of ${id}`, { quote_id: id, ...values })
  }
}

/** 4000 - 2000 + 5000 + 10000 + 1000 + 2000 = 20000; less 10 % = 18000; plus 20 % = 21600; plus 10 % = 23760. */
const PRICED = 23_760

describe('P1: totalPriceCents is recalculated on every request from the saved values', () => {
  it.each<[change: string, sql: string, total: number]>([
    ['a line price', "UPDATE line_items SET price_cents = 15000 WHERE id = 'custom line of $'", 29_700],
    [
      'a line that is deleted',
      "UPDATE line_items SET deleted_at = now() WHERE id = 'custom line of $'",
      11_880,
    ],
    [
      'a line that is no longer taxable',
      "UPDATE line_items SET taxable = false WHERE id = 'custom line of $'",
      22_860,
    ],
    [
      'a new line',
      "INSERT INTO line_items (company_id, id, quote_id, kind, price_cents) VALUES ('co_1', 'new of $', '$', 'CUSTOM', 5000)",
      29_700,
    ],
    ['the base fee', "UPDATE quotes SET base_fee_cents = 6000 WHERE id = '$'", 29_700],
    ['the travel fee', "UPDATE quotes SET travel_fee_cents = 7000 WHERE id = '$'", 29_700],
    [
      'whether a fee is taxable',
      "UPDATE quotes SET base_fee_taxable = false, travel_fee_taxable = false WHERE id = '$'",
      23_490,
    ],
    ['the line discount', "UPDATE discounts SET percent_off = 25 WHERE id = 'line discount of $'", 24_948],
    ['the quote discount', "UPDATE discounts SET percent_off = 50 WHERE id = 'quote discount of $'", 13_200],
    ['the service charge', "UPDATE service_charges SET percentage = 0 WHERE id = 'charge of $'", 19_800],
    [
      'whether the charge is taxable',
      "UPDATE service_charges SET taxable = false WHERE id = 'charge of $'",
      23_400,
    ],
    ['the tax rate', "UPDATE tax_rates SET rate = 0 WHERE id = 'tax of $'", 21_600],
    [
      'the references of the quote',
      "UPDATE quotes SET discount_id = NULL, service_charge_ids = '{}', tax_rate_id = NULL WHERE id = '$'",
      20_000,
    ],
  ])('after a change of %s', async (change, sql, total) => {
    const id = `changed: ${change}`
    await plantPriced(id)
    expect(await totalOf(id)).toBe(PRICED)
    await pool.query(sql.replaceAll('$', id))
    const after = await get(id)
    expect(after).toMatchObject({ totalPriceCents: total, updatedAt: '2026-01-01T00:00:00.000Z' })
  })

  const worked = (JSON.parse(JSON.stringify(examples)) as Worked[]).filter(
    // A discount above 100 % cannot be stored, so this example applies to the function only.
    ({ name }) => !name.startsWith('10 '),
  )

  it.each(worked.map((example) => [example.name, example] as const))(
    'follows the rules of calculation, rounding and currency: example %s',
    async (name, { input, expected }) => {
      const key = `key-of-${name.slice(0, 2)}-worked`
      const companyId = `co_worked_${name.slice(0, 2)}`
      await insertCompany(pool, companyId, { key })
      await plantExample(companyId, input)
      expect(await totalOf('q', '', key)).toBe(expected.totalCents)
      expect((await list('', key)).data[0]?.totalPriceCents).toBe(expected.totalCents)
    },
  )

  it('is exact at its maximum: a thousand lines, twenty service charges, 100 % tax', async () => {
    const charges = Array.from({ length: 20 }, (_, i) => ({ id: `great_${i}`, percentage: '100' }))
    await plantMany(pool, 'service_charges', 'co_1', charges)
    await plant(pool, 'tax_rates', 'co_1', 'great', { rate: '100' })
    await plant(pool, 'quotes', 'co_1', 'q_great', {
      service_charge_ids: charges.map(({ id }) => id),
      tax_rate_id: 'great',
    })
    await plantMany(
      pool,
      'line_items',
      'co_1',
      Array.from({ length: 1_000 }, (_, i) => ({
        id: `great_${i}`,
        quote_id: 'q_great',
        price_cents: i === 0 ? 99_999_999_999 : 100_000_000_000,
      })),
    )
    const subtotal = 1_000 * 100_000_000_000 - 1
    expect(await totalOf('q_great')).toBe(subtotal * 21 * 2)
  })
})

interface Worked {
  name: string
  input: PricingInput & { bookingGratuityCents: number }
  expected: { totalCents: number }
}

/** Records that must not be found are planted in the other company. */
async function plantExample(companyId: string, input: Worked['input']): Promise<void> {
  const planted = new Set<string>()
  const define = async (table: string, id: string, found: boolean, row: Row) => {
    const owner = found ? companyId : `${companyId}_other`
    if (planted.has(`${table} ${id}`)) return
    planted.add(`${table} ${id}`)
    await plant(pool, table, owner, id, row)
  }
  await insertCompany(pool, `${companyId}_other`)
  const discount = async (attached: PricingInput['discount']): Promise<string | null> => {
    if (attached === null) return null
    // Examples have values for missing discounts too. Reading them would change the total.
    const { id, found, type, percentOff, amountOff, currency: money } = { ...ZERO_DISCOUNT, ...attached }
    await define('discounts', id, found, {
      type,
      percent_off: percentOff,
      amount_off: amountOff,
      currency: money,
    })
    return id
  }
  const charge = async (attached: PricingInput['serviceCharges'][number]): Promise<string> => {
    const {
      id,
      found,
      type,
      percentage: percent,
      amountCents,
      currency: money,
      taxable,
    } = { ...ZERO_CHARGE, ...attached }
    await define('service_charges', id, found, {
      type,
      percentage: percent,
      amount_cents: amountCents,
      currency: money,
      taxable,
    })
    return id
  }
  if (input.taxRate !== null) {
    await define('tax_rates', input.taxRate.id, input.taxRate.found, {
      rate: '55',
      ...('rate' in input.taxRate ? { rate: input.taxRate.rate } : {}),
    })
  }
  const chargeIds: string[] = []
  for (const attached of input.serviceCharges) chargeIds.push(await charge(attached))
  await plant(pool, 'bookings', companyId, 'b', { gratuity_amount_cents: input.bookingGratuityCents })
  await plant(pool, 'quotes', companyId, 'q', {
    booking_id: 'b',
    currency: input.currency,
    base_fee_cents: input.baseFeeCents,
    base_fee_taxable: input.baseFeeTaxable,
    travel_fee_cents: input.travelFeeCents,
    travel_fee_taxable: input.travelFeeTaxable,
    discount_id: await discount(input.discount),
    service_charge_ids: chargeIds,
    tax_rate_id: input.taxRate?.id ?? null,
  })
  for (const { id, kind, itemFound, priceCents, taxable, deleted, discount: attached } of input.lines) {
    if (kind === 'SERVICE') await define('services', `s ${id}`, itemFound === true, {})
    if (kind === 'ADDON') await define('addons', `a ${id}`, itemFound === true, {})
    await plant(pool, 'line_items', companyId, id, {
      quote_id: 'q',
      kind,
      service_id: kind === 'SERVICE' ? `s ${id}` : null,
      addon_id: kind === 'ADDON' ? `a ${id}` : null,
      price_cents: priceCents,
      taxable,
      deleted_at: deleted ? '2026-01-01T00:00:00Z' : null,
      discount_id: await discount(attached),
    })
  }
}

const ZERO_DISCOUNT = { type: 'PERCENT', percentOff: '77', amountOff: null, currency: null }
const ZERO_CHARGE = { type: 'PERCENT', percentage: '77', amountCents: null, currency: null, taxable: true }

describe('P2: totalPriceCents has no repricing, no gratuity, no balance', () => {
  it.each<[change: string, sql: string]>([
    [
      'changing quantities and unit prices',
      "UPDATE line_items SET quantity = 9, unit_price_cents = 99999 WHERE quote_id = '$'",
    ],
    ['archiving a service', "UPDATE services SET archived_at = now() WHERE id = 'service of $'"],
    ['archiving an add-on', "UPDATE addons SET archived_at = now() WHERE id = 'addon of $'"],
    ['archiving discounts', "UPDATE discounts SET archived_at = now() WHERE id LIKE '%discount of $'"],
    ['archiving a service charge', "UPDATE service_charges SET archived_at = now() WHERE id = 'charge of $'"],
    ['archiving a tax rate', "UPDATE tax_rates SET archived_at = now() WHERE id = 'tax of $'"],
    [
      'changing the gratuity of the booking',
      "UPDATE bookings SET gratuity_amount_cents = 5000, total_price_cents = 1 WHERE id = 'booking of $'",
    ],
    [
      'paying an invoice',
      "UPDATE invoices SET amount_paid_cents = total_cents WHERE booking_id = 'booking of $'",
    ],
    ['canceling the booking', "UPDATE bookings SET canceled_at = now() WHERE id = 'booking of $'"],
    [
      'changing its dates and state',
      "UPDATE quotes SET sent_at = now(), expires_at = now(), booked_at = now(), lost_at = now() WHERE id = '$'",
    ],
  ])('does not change by %s', async (change, sql) => {
    const id = `unread: ${change}`
    await plantPriced(id, { booking_id: `booking of ${id}` })
    await plant(pool, 'bookings', 'co_1', `booking of ${id}`)
    await plant(pool, 'invoices', 'co_1', `invoice of ${id}`, {
      booking_id: `booking of ${id}`,
      total_cents: 9_000,
    })
    expect(await totalOf(id)).toBe(PRICED)
    const { rowCount } = await pool.query(sql.replaceAll('$', id))
    expect(rowCount).toBeGreaterThan(0)
    expect(await totalOf(id)).toBe(PRICED)
  })

  it('does not include a service charge that the quote does not refer to', async () => {
    await plantPriced('q_unattached')
    await plant(pool, 'service_charges', 'co_1', 'c_unattached', { percentage: '100' })
    expect(await totalOf('q_unattached')).toBe(PRICED)
  })
})

describe('P3: expansion never changes totalPriceCents', () => {
  it('with each path, and with twenty paths', async () => {
    await plantPriced('q_expanded', { booking_id: 'b_1' })
    for (const path of ALL_PATHS) expect(await totalOf('q_expanded', `expand[]=${path}`)).toBe(PRICED)
    for (const paths of PATHS_IN_TWO) expect(await totalOf('q_expanded', expandQuery(paths))).toBe(PRICED)
    expect(await totalOf('q_expanded', expandQuery(ALL_PATHS.slice(0, 20)))).toBe(PRICED)
  })
})

describe('P4: references to records of another company are excluded', () => {
  it.each<[reference: string, sql: string, total: number]>([
    [
      'the service of a line: the line is absent',
      "UPDATE line_items SET service_id = 'service_foreign' WHERE id = 'service line of $'",
      21_384,
    ],
    [
      'the add-on of a line: the line is absent',
      "UPDATE line_items SET addon_id = 'addon_foreign' WHERE id = 'addon line of $'",
      17_820,
    ],
    [
      'the discount of a line: the line counts in full',
      "UPDATE line_items SET discount_id = 'discount_foreign' WHERE id = 'service line of $'",
      26_136,
    ],
    [
      'the discount of the quote',
      "UPDATE quotes SET discount_id = 'discount_foreign' WHERE id = '$'",
      26_400,
    ],
    ['a service charge', "UPDATE quotes SET service_charge_ids = '{charge_foreign}' WHERE id = '$'", 19_800],
    ['the tax rate', "UPDATE quotes SET tax_rate_id = 'tax_foreign' WHERE id = '$'", 21_600],
  ])('%s', async (reference, sql, total) => {
    const id = `foreign: ${reference}`
    await plantPriced(id)
    expect(await totalOf(id)).toBe(PRICED)
    const { rowCount } = await pool.query(sql.replaceAll('$', id))
    expect(rowCount).toBe(1)
    expect(await totalOf(id)).toBe(total)
    // The same for a missing record.
    await pool.query(sql.replaceAll('$', id).replace(/(\w+)_foreign/, '$1_nowhere'))
    expect(await totalOf(id)).toBe(total)
  })

  it.each<[definition: string, sql: string, total: number]>([
    [
      'the quote discount',
      "UPDATE discounts SET type = 'AMOUNT', percent_off = NULL, amount_off = 500, currency = 'EUR' WHERE id = 'quote discount of $'",
      26_400,
    ],
    [
      'the line discount',
      "UPDATE discounts SET type = 'AMOUNT', percent_off = NULL, amount_off = 500, currency = 'EUR' WHERE id = 'line discount of $'",
      26_136,
    ],
    [
      'the charge',
      "UPDATE service_charges SET type = 'AMOUNT', percentage = NULL, amount_cents = 500, currency = 'EUR' WHERE id = 'charge of $'",
      19_800,
    ],
  ])('excludes an amount in another currency: %s', async (definition, sql, total) => {
    const id = `other currency: ${definition}`
    await plantPriced(id)
    await pool.query(sql.replaceAll('$', id))
    expect(await totalOf(id)).toBe(total)
  })
})
