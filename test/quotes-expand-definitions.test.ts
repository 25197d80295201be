import { describe, expect, it } from 'vitest'
import { plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { BYTE_ORDER, SHUFFLED, createExpandApi, ids } from './support/quotes-expand.ts'

const { pool, get, quoteWith, member, plantLine } = await createExpandApi()

describe('O7: discounts', () => {
  const AMOUNT = { type: 'AMOUNT', percent_off: null, amount_off: 1_500, currency: 'USD' }

  it('have id, name, type, percentOff as a number in percent, and amountOff', async () => {
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

  it('begin with the discount of the quote, once, also if lines have it too', async () => {
    await plant(pool, 'discounts', 'co_1', 'd_last', { name: 'zzz' })
    await plant(pool, 'discounts', 'co_1', 'd_first', { name: 'AAA' })
    await quoteWith('q_first', { discount_id: 'd_last' })
    for (const id of ['d_last', 'd_first', 'd_last', 'd_first'])
      await plantLine('q_first', { discount_id: id })
    expect(ids(await member('q_first', 'discounts'))).toEqual(['d_last', 'd_first'])
  })

  it('of lines are in byte order of names, then ids', async () => {
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

  it('X9: include archived ones and those of lines with a missing or archived service, but not missing ones or those of deleted lines', async () => {
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

  it('begin with the discount of the quote if it is archived', async () => {
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

describe('O8, O9, O12, X9: tax rate, payment terms and contract', () => {
  it.each<[string | null]>([[null], ['2026-01-01T00:00:00Z']])(
    'are included with archivedAt %s',
    async (archivedAt) => {
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
    },
  )

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
  ])('payment terms have schedule %s with %j', async (schedule, row, shown) => {
    const id = `${schedule} ${JSON.stringify(row)}`
    await plant(pool, 'payment_terms', 'co_1', id, { payment_schedule: schedule, ...row })
    await quoteWith(id, { payment_terms_id: id })
    expect(await member(id, 'paymentTerms')).toMatchObject({ id, paymentSchedule: schedule, ...shown })
  })
})

describe('O10, X9: serviceCharges', () => {
  it('are definitions with percentage or amount and taxability, including archived ones, without missing ones', async () => {
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
