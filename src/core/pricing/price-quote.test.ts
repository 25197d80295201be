import { describe, expect, it } from 'vitest'
import { priceQuote, type PriceBreakdown } from './price-quote.ts'
import {
  type Discount,
  type NotFound,
  type PricingInput,
  type PricingLine,
  type ServiceCharge,
  type TaxRate,
  priceTotal,
} from './price-total.ts'
import examples from './pricing-examples.json' with { type: 'json' }

interface WorkedExample {
  name: string
  input: PricingInput
  expected: PriceBreakdown
}

// The inferred type of a JSON module has `string` instead of enumerations.
const workedExamples: WorkedExample[] = JSON.parse(JSON.stringify(examples))
const byName = workedExamples.map((example) => [example.name, example] as const)

function quote(overrides: Partial<PricingInput> = {}): PricingInput {
  return {
    currency: 'USD',
    baseFeeCents: 0,
    baseFeeTaxable: true,
    travelFeeCents: 0,
    travelFeeTaxable: true,
    lines: [],
    discount: null,
    serviceCharges: [],
    taxRate: null,
    ...overrides,
  }
}

function line(id: string, priceCents: number, overrides: Partial<PricingLine> = {}): PricingLine {
  return {
    id,
    kind: 'SERVICE',
    itemFound: true,
    priceCents,
    taxable: true,
    deleted: false,
    discount: null,
    ...overrides,
  }
}

function percentDiscount(percentOff: string): Discount {
  return { id: 'd_pct', found: true, type: 'PERCENT', percentOff, amountOff: null, currency: null }
}

function amountDiscount(amountOff: number, currency = 'USD'): Discount {
  return { id: 'd_amt', found: true, type: 'AMOUNT', percentOff: null, amountOff, currency }
}

function percentCharge(id: string, percentage: string, taxable = false): ServiceCharge {
  return { id, found: true, type: 'PERCENT', percentage, amountCents: null, currency: null, taxable }
}

function amountCharge(id: string, amountCents: number, currency = 'USD'): ServiceCharge {
  return { id, found: true, type: 'AMOUNT', percentage: null, amountCents, currency, taxable: false }
}

function taxRate(rate: string): TaxRate {
  return { id: 'tax', found: true, rate }
}

function lost(id: string): NotFound {
  return { id, found: false }
}

describe('P24: worked examples', () => {
  it('are complete', () => {
    expect(workedExamples).toHaveLength(15)
  })

  it.each(byName)('%s', (_, { input, expected }) => {
    expect(priceQuote(input)).toEqual(expected)
    expect(priceTotal(input)).toBe(expected.totalCents)
  })

  it.each(byName)('%s: does not change the input', (_, { input }) => {
    const before = structuredClone(input)
    priceQuote(input)
    expect(input).toEqual(before)
  })
})

describe('P7: included parts', () => {
  const kept = line('a', 1000)
  const only = priceQuote(quote({ lines: [kept] }))

  it('excludes a deleted line', () => {
    const deleted = line('b', 500, { deleted: true, discount: lost('d') })
    expect(priceQuote(quote({ lines: [kept, deleted] }))).toEqual(only)
  })

  it('does not report a deleted line with a missing item', () => {
    expect(priceQuote(quote({ lines: [kept, line('b', 500, { deleted: true, itemFound: false })] }))).toEqual(
      only,
    )
  })

  it.each(['SERVICE', 'ADDON'] as const)(
    'excludes a %s line with a missing item together with its discount',
    (kind) => {
      const absent = line('b', 500, { kind, itemFound: false, discount: lost('d') })
      expect(priceQuote(quote({ lines: [kept, absent] }))).toEqual({
        ...only,
        excluded: [{ subject: 'LINE', id: 'b', lineId: 'b', reason: 'NOT_FOUND' }],
      })
    },
  )

  it('treats an item that was not read as missing', () => {
    expect(priceTotal(quote({ lines: [kept, line('b', 500, { itemFound: null })] }))).toBe(1000)
  })

  it('includes a custom line, which has no item', () => {
    expect(priceTotal(quote({ lines: [kept, line('b', 500, { kind: 'CUSTOM', itemFound: null })] }))).toBe(
      1500,
    )
  })

  it('includes a line of an archived item with its saved price', () => {
    const archived = { ...line('b', 500), archived: true, quantity: 3, unitPriceCents: 9 }
    expect(priceTotal(quote({ lines: [kept, archived] }))).toBe(1500)
  })

  it('uses the full saved price if the line discount is missing', () => {
    const priced = priceQuote(quote({ lines: [line('a', 1000, { discount: lost('d') })] }))
    expect(priced).toEqual({
      ...only,
      excluded: [{ subject: 'LINE_DISCOUNT', id: 'd', lineId: 'a', reason: 'NOT_FOUND' }],
    })
  })

  it('excludes a missing quote discount, service charge or tax rate', () => {
    const priced = priceQuote(
      quote({
        lines: [kept],
        discount: lost('d'),
        serviceCharges: [lost('c')],
        taxRate: lost('t'),
      }),
    )
    expect(priced).toEqual({
      ...only,
      excluded: [
        { subject: 'QUOTE_DISCOUNT', id: 'd', lineId: null, reason: 'NOT_FOUND' },
        { subject: 'SERVICE_CHARGE', id: 'c', lineId: null, reason: 'NOT_FOUND' },
        { subject: 'TAX_RATE', id: 't', lineId: null, reason: 'NOT_FOUND' },
      ],
    })
  })

  it('excludes an amount in another currency', () => {
    const priced = priceQuote(
      quote({
        lines: [line('a', 1000, { discount: amountDiscount(100, 'EUR') })],
        discount: amountDiscount(100, 'EUR'),
        serviceCharges: [amountCharge('c', 100, 'EUR')],
      }),
    )
    expect(priced).toEqual({
      ...only,
      excluded: [
        { subject: 'LINE_DISCOUNT', id: 'd_amt', lineId: 'a', reason: 'CURRENCY_MISMATCH' },
        { subject: 'QUOTE_DISCOUNT', id: 'd_amt', lineId: null, reason: 'CURRENCY_MISMATCH' },
        { subject: 'SERVICE_CHARGE', id: 'c', lineId: null, reason: 'CURRENCY_MISMATCH' },
      ],
    })
  })

  it('includes a percentage regardless of currency', () => {
    const discount = { ...percentDiscount('10'), currency: 'EUR' }
    expect(priceTotal(quote({ lines: [kept], discount }))).toBe(900)
  })

  it('includes referenced definitions that are archived', () => {
    const archived = { archived: true }
    const priced = priceTotal(
      quote({
        lines: [line('a', 1000, { discount: { ...amountDiscount(100), ...archived } })],
        discount: { ...amountDiscount(100), ...archived },
        serviceCharges: [{ ...amountCharge('c', 50), ...archived }],
        taxRate: { ...taxRate('10'), ...archived },
      }),
    )
    expect(priced).toBe(800 + 50 + 80)
  })

  it('includes only service charges of the quote', () => {
    expect(priceTotal(quote({ lines: [kept], serviceCharges: [] }))).toBe(1000)
    expect(priceTotal(quote({ lines: [kept], serviceCharges: [amountCharge('c', 50)] }))).toBe(1050)
  })

  it('ignores gratuity, payments and balances', () => {
    const noise = { bookingGratuityCents: -1, amountPaid: 'x', amountDue: 1.5, taxProvider: {} }
    expect(priceQuote({ ...quote({ lines: [kept] }), ...noise })).toEqual(only)
  })
})

describe('P6: the five steps round to the nearest unit, halves up', () => {
  const halves = [
    ['50', 1],
    ['49.999999', 0],
  ] as const

  it.each(halves)('P8: line discount of %s percent', (percent, expected) => {
    const lines = [line('a', 1, { discount: percentDiscount(percent) })]
    expect(priceQuote(quote({ lines })).lineDiscountCents).toBe(expected)
  })

  it.each(halves)('P9: quote discount of %s percent', (percent, expected) => {
    const lines = [line('a', 1, { taxable: false })]
    expect(priceQuote(quote({ lines, discount: percentDiscount(percent) })).quoteDiscountCents).toBe(expected)
  })

  it.each(halves)('P9: taxable part of a quote discount of %s percent', (percent, expected) => {
    const lines = [line('a', 1), line('b', 1, { taxable: false })]
    const priced = priceQuote(quote({ lines, discount: percentDiscount(percent) }))
    expect(priced.quoteDiscountCents).toBe(1)
    expect(priced.taxableCents).toBe(1 - expected)
  })

  it.each([
    [1, 1],
    [2, 0],
  ])('P9: taxable part of an amount, with one taxable unit and %d not taxable', (exempt, expected) => {
    const lines = [line('a', 1), line('b', exempt, { taxable: false })]
    expect(priceQuote(quote({ lines, discount: amountDiscount(1) })).taxableCents).toBe(1 - expected)
  })

  it.each(halves)('P11: service charge of %s percent', (percent, expected) => {
    const serviceCharges = [percentCharge('c', percent)]
    expect(priceQuote(quote({ baseFeeCents: 1, serviceCharges })).serviceChargeCents).toBe(expected)
  })

  it.each(halves)('P12: tax of %s percent', (percent, expected) => {
    expect(priceQuote(quote({ baseFeeCents: 1, taxRate: taxRate(percent) })).taxCents).toBe(expected)
  })

  it('P12: tax is rounded once for the quote, not per line', () => {
    const lines = [line('a', 1), line('b', 1), line('c', 1)]
    expect(priceQuote(quote({ lines, taxRate: taxRate('50') })).taxCents).toBe(2)
  })

  it('P11: each percentage charge is rounded separately', () => {
    const serviceCharges = [percentCharge('c', '50'), percentCharge('d', '50')]
    expect(priceQuote(quote({ baseFeeCents: 1, serviceCharges })).serviceChargeCents).toBe(2)
  })
})

describe('steps of the calculation', () => {
  it('P9: the quote discount applies to lines and both fees, after line discounts', () => {
    const priced = priceQuote(
      quote({
        lines: [line('a', 1000, { discount: percentDiscount('50') })],
        baseFeeCents: 300,
        travelFeeCents: 200,
        discount: percentDiscount('10'),
      }),
    )
    expect(priced.lines).toEqual([
      {
        id: 'a',
        grossCents: 1000,
        lineDiscountCents: 500,
        quoteDiscountCents: 50,
        netCents: 450,
        taxable: true,
      },
    ])
    expect(
      priced.fees.map((fee) => [fee.kind, fee.grossCents, fee.quoteDiscountCents, fee.netCents]),
    ).toEqual([
      ['BASE', 300, 30, 270],
      ['TRAVEL', 200, 20, 180],
    ])
    expect(priced.totalCents).toBe(900)
  })

  it('P8: an amount off a line applies once, not per unit', () => {
    const lines = [
      { ...line('a', 3000, { discount: amountDiscount(100) }), quantity: 3, unitPriceCents: 1000 },
    ]
    expect(priceTotal(quote({ lines }))).toBe(2900)
  })

  it('P8, P9: one discount on two lines and on the quote applies in full each time', () => {
    const discount = amountDiscount(100)
    const lines = [line('a', 1000, { discount }), line('b', 1000, { discount })]
    expect(priceTotal(quote({ lines, discount }))).toBe(1700)
  })

  it('P8, P9: a discount is at most its base', () => {
    const lines = [line('a', 100, { discount: amountDiscount(500) }), line('b', 1000)]
    expect(priceTotal(quote({ lines }))).toBe(1000)
    expect(priceTotal(quote({ lines, discount: amountDiscount(5000) }))).toBe(0)
    expect(priceTotal(quote({ lines, discount: percentDiscount('150') }))).toBe(0)
  })

  it('P11: service charges apply to the discounted subtotal without other charges, and are not discounted', () => {
    const serviceCharges = [percentCharge('c', '10'), percentCharge('d', '10'), amountCharge('e', 70)]
    const priced = priceQuote(quote({ baseFeeCents: 2000, discount: percentDiscount('50'), serviceCharges }))
    expect(priced.serviceCharges.map(({ amountCents }) => amountCents)).toEqual([100, 100, 70])
    expect(priced.totalCents).toBe(1270)
  })

  it('P11: a fixed service charge applies to an empty quote', () => {
    expect(priceTotal(quote({ serviceCharges: [amountCharge('c', 70), percentCharge('d', '10')] }))).toBe(70)
  })

  it('P12: fees and service charges are taxed only if they are taxable', () => {
    const priced = priceQuote(
      quote({
        baseFeeCents: 1000,
        baseFeeTaxable: false,
        travelFeeCents: 100,
        travelFeeTaxable: true,
        serviceCharges: [percentCharge('c', '10', true), percentCharge('d', '20', false)],
        taxRate: taxRate('10'),
      }),
    )
    expect(priced.taxableCents).toBe(100 + 110)
    expect(priced.totalCents).toBe(1100 + 110 + 220 + 21)
  })
})

describe('P13: the breakdown', () => {
  const lines = ['b', 'a', 'é', 'B', '\u{1F600}', '\uFF5E'].map((id) => line(id, 100))
  const sorted = ['B', 'a', 'b', 'é', '\u{1F600}', '\uFF5E']

  it('lists lines and charges by id in code-unit order', () => {
    const serviceCharges = lines.map(({ id }) => amountCharge(id, 1))
    const priced = priceQuote(quote({ lines, serviceCharges }))
    expect(priced.lines.map(({ id }) => id)).toEqual(sorted)
    expect(priced.serviceCharges.map(({ id }) => id)).toEqual(sorted)
  })

  it.each([
    [1, ['BASE']],
    [2, ['BASE', 'TRAVEL']],
    [4, ['BASE', 'TRAVEL', 'B', 'a']],
  ])(
    'P10: gives the spare %d of equal remainders to the base fee, the travel fee, then lines by id',
    (spare, receivers) => {
      const priced = priceQuote(
        quote({ lines, baseFeeCents: 100, travelFeeCents: 100, discount: amountDiscount(80 + spare) }),
      )
      const shares = [
        ...priced.fees.map(({ kind, quoteDiscountCents }) => [kind, quoteDiscountCents] as const),
        ...priced.lines.map(({ id, quoteDiscountCents }) => [id, quoteDiscountCents] as const),
      ]
      expect(shares.filter(([, share]) => share === 11).map(([key]) => key)).toEqual(receivers)
    },
  )

  it('lists excluded parts by subject, line and id', () => {
    const priced = priceQuote(
      quote({
        lines: [
          line('z', 1, { discount: lost('d1') }),
          line('y', 1, { itemFound: false }),
          line('b', 1, { discount: lost('d2') }),
          line('x', 1, { itemFound: false }),
          line('c', 1, { discount: lost('d0') }),
        ],
        discount: lost('q'),
        serviceCharges: [lost('s2'), amountCharge('s3', 1, 'EUR'), lost('s1')],
        taxRate: lost('t'),
      }),
    )
    expect(priced.excluded.map(({ subject, lineId, id }) => [subject, lineId, id])).toEqual([
      ['LINE', 'x', 'x'],
      ['LINE', 'y', 'y'],
      ['LINE_DISCOUNT', 'b', 'd2'],
      ['LINE_DISCOUNT', 'c', 'd0'],
      ['LINE_DISCOUNT', 'z', 'd1'],
      ['QUOTE_DISCOUNT', null, 'q'],
      ['SERVICE_CHARGE', null, 's1'],
      ['SERVICE_CHARGE', null, 's2'],
      ['SERVICE_CHARGE', null, 's3'],
      ['TAX_RATE', null, 't'],
    ])
  })
})

describe('P5: invalid input', () => {
  const invalid = [-1, 0.5, Number.NaN, 2 ** 53]
  const rejected: [string, PricingInput, string][] = [
    ...invalid.flatMap((cents): [string, PricingInput, string][] => [
      [`base fee ${cents}`, quote({ baseFeeCents: cents }), 'Not an amount'],
      [`travel fee ${cents}`, quote({ travelFeeCents: cents }), 'Not an amount'],
      [`line price ${cents}`, quote({ lines: [line('a', cents)] }), 'Not an amount'],
      [`amount off ${cents}`, quote({ discount: amountDiscount(cents) }), 'Not an amount'],
      [`service charge ${cents}`, quote({ serviceCharges: [amountCharge('c', cents)] }), 'Not an amount'],
    ]),
    [
      'a discount without an amount',
      quote({ discount: { ...amountDiscount(1), amountOff: null } }),
      'Not an amount',
    ],
    ['percentOff -1', quote({ discount: percentDiscount('-1') }), 'Not a percentage: -1'],
    ['percentage 1e1', quote({ serviceCharges: [percentCharge('c', '1e1')] }), 'Not a percentage: 1e1'],
    ['rate with seven decimals', quote({ taxRate: taxRate('8.8750001') }), 'Not a percentage: 8.8750001'],
    [
      'a service charge above 100 %',
      quote({ serviceCharges: [percentCharge('c', '100.000001')] }),
      'Above 100 %: 100.000001',
    ],
    ['a tax rate above 100 %', quote({ taxRate: taxRate('101') }), 'Above 100 %: 101'],
    ['two lines with the same id', quote({ lines: [line('a', 1), line('a', 2)] }), 'Duplicate line id: a'],
    [
      'two service charges with the same id',
      quote({ serviceCharges: [amountCharge('c', 1), lost('c')] }),
      'Duplicate service charge id: c',
    ],
    [
      'a total above the exact integers',
      quote({ baseFeeCents: 2 ** 52, travelFeeCents: 2 ** 52 }),
      'Too large for an exact number: 9007199254740992',
    ],
  ]

  it.each(rejected)('rejects %s', (_, input, message) => {
    expect(() => priceTotal(input)).toThrow(message)
    expect(() => priceQuote(input)).toThrow(message)
  })

  it('accepts a service charge and a tax rate of 100 %', () => {
    const serviceCharges = [percentCharge('c', '100', true)]
    expect(priceTotal(quote({ baseFeeCents: 10, serviceCharges, taxRate: taxRate('100') }))).toBe(40)
  })
})
