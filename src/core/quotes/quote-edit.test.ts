import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONTENT, LINE } from '../../../test/support/quote-content.ts'
import { NewDiscount, NewServiceCharge, NewTaxRate } from '../pricing/definitions.ts'
import { priceQuote } from '../pricing/price-quote.ts'
import { refusalOf } from './quote-actions.ts'
import { planEvents } from './quote-booking.ts'
import { QuoteContent, linePriceCents, lineKey, plainQuantity, pricingInputOf } from './quote-edit.ts'
import type { Catalog } from './quote-edit.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)

const pathsOf = (content: unknown): string[] =>
  (QuoteContent.safeParse(content).error?.issues ?? []).map(({ path }) => path.join('.'))
const withLine = (line: Record<string, unknown>) => ({ ...CONTENT, lines: [{ ...LINE, ...line }] })

describe('the content of a quote', () => {
  it.each<[name: string, content: unknown]>([
    ['required fields only', CONTENT],
    ['a new line', withLine({ id: null })],
    ['a service', withLine({ kind: 'SERVICE', serviceId: 's' })],
    ['an add-on', withLine({ kind: 'ADDON', addonId: 'a' })],
    ['the largest amounts', withLine({ priceCents: 100_000_000_000, unitPriceCents: 100_000_000_000 })],
    ['the largest quantity', withLine({ quantity: '1000000.0000' })],
    ['1,000 new lines', { ...CONTENT, lines: Array.from({ length: 1_000 }, () => ({ ...LINE, id: null })) }],
    ['an optional line that is not selected', withLine({ optional: true, selected: false })],
    [
      'two alternatives',
      {
        ...CONTENT,
        lines: [
          { ...LINE, optionGroup: 'Bar' },
          { ...LINE, id: 'b', optionGroup: 'Bar', selected: false },
        ],
      },
    ],
    ['20 service charges', { ...CONTENT, serviceChargeIds: Array.from({ length: 20 }, (_, i) => `c${i}`) }],
  ])('accepts %s', (_, content) => {
    expect(pathsOf(content)).toEqual([])
  })

  it.each<[name: string, content: unknown, path: string]>([
    ['an unknown member', { ...CONTENT, total: 1 }, ''],
    ['an unknown member of a line', withLine({ deleted: true }), 'lines.0'],
    ['a missing member', withLine({ taxable: undefined }), 'lines.0.taxable'],
    ['a negative price', withLine({ priceCents: -1 }), 'lines.0.priceCents'],
    ['half a cent', withLine({ priceCents: 0.5 }), 'lines.0.priceCents'],
    ['a price above the limit', withLine({ priceCents: 100_000_000_001 }), 'lines.0.priceCents'],
    ['a price as a text', withLine({ priceCents: '1' }), 'lines.0.priceCents'],
    ['no price', withLine({ priceCents: null }), 'lines.0.priceCents'],
    ['a quantity above the limit', withLine({ quantity: '1000000.0001' }), 'lines.0.quantity'],
    ['a quantity with five decimals', withLine({ quantity: '1.00000' }), 'lines.0.quantity'],
    ['a negative quantity', withLine({ quantity: '-1' }), 'lines.0.quantity'],
    ['an empty quantity', withLine({ quantity: '' }), 'lines.0.quantity'],
    ['an exponent', withLine({ quantity: '1e3' }), 'lines.0.quantity'],
    ['a quantity as a number', withLine({ quantity: 1 }), 'lines.0.quantity'],
    ['a service without id', withLine({ kind: 'SERVICE' }), 'lines.0.serviceId'],
    ['a custom line with a service', withLine({ serviceId: 's' }), 'lines.0.serviceId'],
    ['an add-on without id', withLine({ kind: 'ADDON' }), 'lines.0.addonId'],
    ['an unknown kind', withLine({ kind: 'GIFT' }), 'lines.0.kind'],
    ['an invalid id', withLine({ id: '' }), 'lines.0.id'],
    ['a NUL in a description', withLine({ description: 'a\0b' }), 'lines.0.description'],
    ['an unpaired surrogate', withLine({ description: '\ud800' }), 'lines.0.description'],
    ['no address', { ...CONTENT, eventAddress: '' }, 'eventAddress'],
    ['half a guest', { ...CONTENT, guestCount: 0.5 }, 'guestCount'],
    [
      'a day without a time zone',
      {
        ...CONTENT,
        serviceDays: [
          { id: 'd', serviceStartTime: '2026-06-01T10:00', serviceEndTime: '2026-06-01T12:00:00Z' },
        ],
      },
      'serviceDays.0.serviceStartTime',
    ],
    ['a duplicate line', { ...CONTENT, lines: [LINE, LINE] }, 'lines'],
    [
      '1,001 lines',
      { ...CONTENT, lines: Array.from({ length: 1_001 }, () => ({ ...LINE, id: null })) },
      'lines',
    ],
    [
      '21 service charges',
      { ...CONTENT, serviceChargeIds: Array.from({ length: 21 }, (_, i) => `c${i}`) },
      'serviceChargeIds',
    ],
    ['a duplicate service charge', { ...CONTENT, serviceChargeIds: ['c', 'c'] }, 'serviceChargeIds'],
    ['a fee above the limit', { ...CONTENT, baseFeeCents: 100_000_000_001 }, 'baseFeeCents'],
  ])('rejects %s', (_, content, path) => {
    expect(pathsOf(content)).toEqual([path])
  })

  it('normalizes quantities', () => {
    expect(plainQuantity('0002.5000')).toBe('2.5')
    expect(plainQuantity('0.0000')).toBe('0')
    expect(plainQuantity('1000')).toBe('1000')
    expect(QuoteContent.parse(withLine({ quantity: '02.50' })).lines[0]?.quantity).toBe('2.5')
  })
})

describe('the price of a line', () => {
  it.each<[quantity: string, unitPriceCents: number, price: number | null]>([
    ['3', 60_000, 180_000],
    ['2.5', 333, 833], // 832.5
    ['0.0001', 4_999, 0],
    ['0.0001', 5_000, 1],
    ['1.15', 100, 115],
    ['1000000', 100_000, 100_000_000_000],
    ['1000000', 100_001, null],
    ['0', 5, 0],
    ['', 5, null],
    ['1,5', 5, null],
  ])('for "%s" times %d is %d', (quantity, unitPriceCents, price) => {
    expect(linePriceCents(quantity, unitPriceCents)).toBe(price)
  })

  it('is the exact product, rounded to an integer', () => {
    const tenThousandths = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(tenThousandths, fc.nat(1_000_000), (count, unit) => {
        const quantity = `${Math.floor(count / 10_000)}.${String(count % 10_000).padStart(4, '0')}`
        const price = linePriceCents(quantity, unit)
        const twice = 2n * BigInt(count) * BigInt(unit) - 20_000n * BigInt(price ?? -1)
        expect(twice >= -10_000n && twice < 10_000n).toBe(true)
      }),
      { numRuns },
    )
  })
})

const UNPRICED = { prices: [], unit: 'EACH', taxable: true } as const
const CATALOG: Catalog = {
  services: [{ id: 's', name: 'Bar', isArchived: true, ...UNPRICED }],
  addons: ['i', 'j'].map((id) => ({ id, name: 'Ice', isArchived: false, ...UNPRICED })),
  discounts: [
    {
      id: 'd',
      found: true,
      type: 'PERCENT',
      percentOff: '10',
      amountOff: null,
      currency: null,
      name: 'Tenth',
      isArchived: false,
    },
  ],
  serviceCharges: [],
  taxRates: [{ id: 't', found: true, rate: '10', name: 'Tax', isArchived: false }],
}

describe('the price of edited content', () => {
  it('excludes items that are not in the catalog, and distinguishes new lines from stored ones', () => {
    const content: QuoteContent = {
      ...CONTENT,
      lines: [
        { ...LINE, kind: 'SERVICE', serviceId: 's' },
        { ...LINE, id: 'b', kind: 'SERVICE', serviceId: 'gone' },
        { ...LINE, id: null, discountId: 'd' },
        { ...LINE, id: '2', discountId: 'gone' },
      ],
      taxRateId: 't',
      serviceChargeIds: ['gone'],
    }
    const price = priceQuote(pricingInputOf(content, CATALOG, 'USD'))
    expect(price.totalCents).toBe(3_190)
    expect(price.excluded.map(({ subject }) => subject)).toEqual(['LINE', 'LINE_DISCOUNT', 'SERVICE_CHARGE'])
    const keys = content.lines.map(lineKey)
    expect(new Set(keys).size).toBe(4)
    expect(price.lines.find(({ id }) => id === keys[2])).toMatchObject({ netCents: 900 })
  })

  it('P26: treats a line that is not selected like a deleted one', () => {
    const option = { ...LINE, id: null, priceCents: 500, optional: true, selected: false, discountId: 'gone' }
    const lines = [LINE, option, { ...option, selected: true, discountId: null }]
    const price = priceQuote(pricingInputOf({ ...CONTENT, lines }, CATALOG, 'USD'))
    expect([price.totalCents, price.lines.length, price.excluded]).toEqual([1_500, 2, []])
  })
})

describe('the events of a booking', () => {
  const days = ['1', '2'].map((id) => ({
    id,
    serviceStartTime: `2026-06-0${id}T10:00:00.000Z`,
    serviceEndTime: `2026-06-0${id}T12:00:00.000Z`,
  }))
  const lines = [
    { ...LINE, kind: 'SERVICE' as const, serviceId: 's', serviceDayId: '1' },
    { ...LINE, kind: 'ADDON' as const, addonId: 'j', serviceDayId: 'gone' },
    { ...LINE, kind: 'ADDON' as const, addonId: 'i' },
    { ...LINE, kind: 'ADDON' as const, addonId: 'gone' },
    { ...LINE, kind: 'SERVICE' as const, serviceId: 's', optional: true, selected: false },
  ]

  it('have the items of their day and of lines without a day', () => {
    expect(
      planEvents({ client: 'Ada', eventType: 'Wedding' }, { serviceDays: days, lines }, CATALOG),
    ).toEqual([
      {
        name: 'Ada: Wedding, day 1 of 2',
        serviceStartTime: '2026-06-01T10:00:00.000Z',
        serviceEndTime: '2026-06-01T12:00:00.000Z',
        multiDay: true,
        serviceIds: ['s'],
        addonIds: ['j', 'i'],
      },
      {
        name: 'Ada: Wedding, day 2 of 2',
        serviceStartTime: '2026-06-02T10:00:00.000Z',
        serviceEndTime: '2026-06-02T12:00:00.000Z',
        multiDay: true,
        serviceIds: [],
        addonIds: ['j', 'i'],
      },
    ])
  })

  it.each([
    [{ client: 'Ada', eventType: 'Wedding' }, 'Ada: Wedding'],
    [{ client: 'Ada', eventType: null }, 'Ada'],
    [{ client: null, eventType: 'Wedding' }, 'Wedding'],
    [{ client: null, eventType: null }, null],
  ])('are named after %o', (names, name) => {
    expect(planEvents(names, { serviceDays: days.slice(0, 1), lines }, CATALOG)).toMatchObject([
      { name, multiDay: false },
    ])
  })
})

describe('allowed actions', () => {
  it('depend on the state of the quote', () => {
    const states = ['draft', 'sent', 'expired', 'lost', 'booked'] as const
    const allowed = (action: Parameters<typeof refusalOf>[0]) =>
      states.filter((standing) => refusalOf(action, standing) === null)
    expect(allowed('edit')).toEqual(['draft', 'sent', 'expired', 'lost'])
    expect(allowed('send')).toEqual(['draft', 'sent', 'expired'])
    expect(allowed('book')).toEqual(['draft', 'sent', 'expired'])
    expect(allowed('lose')).toEqual(['draft', 'sent', 'expired'])
    expect(allowed('reopen')).toEqual(['lost'])
  })
})

describe('new definitions', () => {
  it.each<[unknown, boolean]>([
    [NewDiscount.safeParse({ name: ' A ', type: 'PERCENT', percentOff: '12.5' }).data, true],
    [NewDiscount.safeParse({ name: 'A', type: 'AMOUNT', amountOff: 5, currency: 'USD' }).data, true],
    [NewDiscount.safeParse({ name: 'A', type: 'AMOUNT', amountOff: 5, currency: 'ABC' }).data, false],
    [NewDiscount.safeParse({ name: 'A', type: 'AMOUNT', amountOff: 5 }).data, false],
    [NewDiscount.safeParse({ name: 'A', type: 'PERCENT', percentOff: '100.000001' }).data, false],
    [NewDiscount.safeParse({ name: 'A', type: 'PERCENT', percentOff: '12.5', amountOff: 5 }).data, false],
    [NewDiscount.safeParse({ name: ' ', type: 'PERCENT', percentOff: '12.5' }).data, false],
    [NewServiceCharge.safeParse({ name: 'A', type: 'PERCENT', percentage: '100', taxable: true }).data, true],
    [NewServiceCharge.safeParse({ name: 'A', type: 'PERCENT', percentage: '100' }).data, false],
    [NewTaxRate.safeParse({ name: 'A', rate: '8.875' }).data, true],
    [NewTaxRate.safeParse({ name: 'A', rate: '8.8750000' }).data, false],
    [NewTaxRate.safeParse({ name: 'A', rate: 'x' }).data, false],
  ])('are valid for %o: %s', (data, isValid) => {
    expect(data !== undefined).toBe(isValid)
  })
})
