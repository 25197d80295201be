import { describe, expect, it } from 'vitest'
import { CONTENT, LINE } from '../../../test/support/quote-content.ts'
import type { Catalog, QuoteContent, QuoteLine } from './quote-edit.ts'
import { findReferenceErrors } from './quote-references.ts'

const percent = { type: 'PERCENT', percentOff: '5', amountOff: null, currency: null }
const amount = (currency: string) => ({ type: 'AMOUNT', percentOff: null, amountOff: 5, currency })

/** Each kind has a current definition `ok` and an archived one `old`. */
const catalog = {
  services: [
    { id: 'ok', isArchived: false },
    { id: 'old', isArchived: true },
  ],
  addons: [
    { id: 'ok', isArchived: false },
    { id: 'old', isArchived: true },
  ],
  discounts: [
    { id: 'ok', isArchived: false, ...percent },
    { id: 'usd', isArchived: false, ...amount('USD') },
    { id: 'eur', isArchived: false, ...amount('EUR') },
    { id: 'old', isArchived: true, ...percent },
  ],
  taxRates: [
    { id: 'ok', isArchived: false },
    { id: 'old', isArchived: true },
  ],
  serviceCharges: [
    { id: 'ok', isArchived: false, ...percent },
    { id: 'eur', isArchived: false, ...amount('EUR') },
    { id: 'old', isArchived: true, ...percent },
  ],
} as unknown as Catalog

const KNOWN = { catalog, currency: 'USD' }

const day = (id: string, end = '22') => ({
  id,
  serviceStartTime: '2026-06-01T10:00:00.000Z',
  serviceEndTime: `2026-06-01T${end}:00:00.000Z`,
})
const BASE: QuoteContent = { ...CONTENT, serviceDays: [day('day_1'), day('day_2')] }

const line = (changes: Partial<QuoteLine>): QuoteContent => ({ ...BASE, lines: [{ ...LINE, ...changes }] })
const errorsOf = (before: QuoteContent, after: QuoteContent) =>
  Object.entries(findReferenceErrors(before, after, KNOWN)).map(([field, { _errors }]) => [field, ..._errors])

describe('references of an edited quote', () => {
  it.each<[name: string, after: QuoteContent]>([
    ['no references', BASE],
    ['a service', line({ serviceId: 'ok' })],
    ['an add-on', line({ addonId: 'ok' })],
    ['a percentage off a line', line({ discountId: 'ok' })],
    ["an amount in the quote's currency", line({ discountId: 'usd' })],
    ['a day of the quote', line({ serviceDayId: 'day_2' })],
    ['a new day with a line', { ...line({ serviceDayId: 'new' }), serviceDays: [day('new')] }],
    ['a new line', line({ id: null, serviceId: 'ok', serviceDayId: 'day_1' })],
    ['a quote discount', { ...BASE, discountId: 'ok' }],
    ['a tax rate', { ...BASE, taxRateId: 'ok' }],
    ['a service charge', { ...BASE, serviceChargeIds: ['ok'] }],
  ])('accepts %s', (_, after) => {
    expect(errorsOf(BASE, after)).toEqual([])
  })

  it.each<[field: string, message: string, after: QuoteContent]>([
    ['lines.0.serviceId', 'This service does not exist.', line({ serviceId: 'x' })],
    ['lines.0.serviceId', 'This service is archived. Choose another one.', line({ serviceId: 'old' })],
    ['lines.0.addonId', 'This add-on does not exist.', line({ addonId: 'x' })],
    ['lines.0.addonId', 'This add-on is archived. Choose another one.', line({ addonId: 'old' })],
    ['lines.0.discountId', 'This discount does not exist.', line({ discountId: 'x' })],
    [
      'lines.0.discountId',
      'This discount is an amount in EUR, but the quote is in USD.',
      line({ discountId: 'eur' }),
    ],
    ['lines.0.id', 'This line is not on the quote.', line({ id: 'b' })],
    ['lines.0.serviceDayId', 'This day is not on the quote.', line({ serviceDayId: 'day_3' })],
    [
      'serviceDays.0.serviceEndTime',
      'A day must end after it starts.',
      { ...BASE, serviceDays: [day('day_1', '10'), day('day_2')] },
    ],
    [
      'serviceDays',
      'A quote has at most 100 days.',
      { ...BASE, serviceDays: Array.from({ length: 101 }, (_, i) => day(`d${i}`)) },
    ],
    ['discountId', 'This discount is archived. Choose another one.', { ...BASE, discountId: 'old' }],
    ['taxRateId', 'This tax rate does not exist.', { ...BASE, taxRateId: 'x' }],
    ['taxRateId', 'This tax rate is archived. Choose another one.', { ...BASE, taxRateId: 'old' }],
    ['serviceChargeIds.1', 'This service charge does not exist.', { ...BASE, serviceChargeIds: ['ok', 'x'] }],
    [
      'serviceChargeIds.0',
      'This service charge is an amount in EUR, but the quote is in USD.',
      { ...BASE, serviceChargeIds: ['eur'] },
    ],
  ])('rejects %s: %s', (field, message, after) => {
    expect(errorsOf(BASE, after)).toEqual([[field, message]])
  })

  it('reports every error', () => {
    const after = { ...line({ serviceId: 'x', addonId: 'x', serviceDayId: 'x' }), taxRateId: 'x' }
    expect(errorsOf(BASE, after).map(([field]) => field)).toEqual([
      'lines.0.serviceId',
      'lines.0.addonId',
      'lines.0.serviceDayId',
      'taxRateId',
    ])
  })

  it('keeps stored references to archived and missing records', () => {
    const before = {
      ...line({ serviceId: 'gone', addonId: 'old', discountId: 'eur', serviceDayId: 'day_9' }),
      discountId: 'old',
      taxRateId: 'gone',
      serviceChargeIds: ['gone', 'old'],
    }
    expect(errorsOf(before, before)).toEqual([])
  })

  it('rejects a line of a day that is removed', () => {
    const before = line({ serviceDayId: 'day_1' })
    const after = { ...before, serviceDays: [day('day_2')] }
    expect(errorsOf(before, after)).toEqual([['lines.0.serviceDayId', 'This day is not on the quote.']])
  })

  it('keeps an imported day that ends before it starts', () => {
    const before = { ...BASE, serviceDays: [day('day_1', '09')] }
    expect(errorsOf(before, { ...before, guestCount: 5 })).toEqual([])
  })

  it('checks a reference that moves to another line', () => {
    const before = line({ discountId: 'old' })
    const added = { ...LINE, id: null, discountId: 'old' }
    const after = { ...before, lines: [...before.lines, added] }
    expect(errorsOf(before, after)).toEqual([
      ['lines.1.discountId', 'This discount is archived. Choose another one.'],
    ])
  })
})
