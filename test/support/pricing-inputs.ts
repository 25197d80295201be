/** Arbitrary quotes. Small amounts make ties and exact halves likely; ids distinguish code-unit order from other orders. */
import * as fc from 'fast-check'
import type {
  Discount,
  NotFound,
  PricingInput,
  PricingLine,
  ServiceCharge,
} from '../../src/core/pricing/price-total.ts'

const MAX_CENTS = 10 ** 11

export const cents = fc.oneof(fc.nat(9), fc.nat(100_000), fc.integer({ min: 0, max: MAX_CENTS }))

export function percentText(millionths: number): string {
  return `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`
}

const percentage = fc.oneof(
  fc.constantFrom('0', '100', '50', '12.5', '33.333333', '0.000001', '99.999999', '8.875', '8.875000'),
  fc.integer({ min: 0, max: 100_000_000 }).map(percentText),
)
const percentOff = fc.oneof(
  { weight: 9, arbitrary: percentage },
  { weight: 1, arbitrary: fc.constantFrom('100.000001', '150', '999.999999') },
)

const id = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '_', '0', 'é', '\uFF5E', '\u{1F600}'),
  minLength: 1,
  maxLength: 3,
})

const amountCurrency = fc.constantFrom('USD', 'USD', 'USD', 'EUR')
const rarely = fc.constantFrom(false, false, false, false, true)

const notFound: fc.Arbitrary<NotFound> = fc.record({ id, found: fc.constant(false as const) })
const percentDiscount: fc.Arbitrary<Discount> = percentOff.map((text) =>
  discountOf('PERCENT', text, null, null),
)
const amountDiscount: fc.Arbitrary<Discount> = fc
  .tuple(cents, amountCurrency)
  .map(([amount, currency]) => discountOf('AMOUNT', null, amount, currency))
const discount = fc.oneof(fc.constant(null), percentDiscount, amountDiscount, notFound)

export function discountOf(
  type: Discount['type'],
  text: string | null,
  amountOff: number | null,
  currency: string | null,
): Discount {
  return { id: `discount ${type}`, found: true, type, percentOff: text, amountOff, currency }
}

const serviceCharge: fc.Arbitrary<ServiceCharge | NotFound> = fc.oneof(
  fc.tuple(id, percentage, fc.boolean()).map(([chargeId, text, taxable]): ServiceCharge => ({
    id: chargeId,
    found: true,
    type: 'PERCENT',
    percentage: text,
    amountCents: null,
    currency: null,
    taxable,
  })),
  fc
    .tuple(id, cents, amountCurrency, fc.boolean())
    .map(([chargeId, amountCents, currency, taxable]): ServiceCharge => ({
      id: chargeId,
      found: true,
      type: 'AMOUNT',
      percentage: null,
      amountCents,
      currency,
      taxable,
    })),
  notFound,
)

const item = fc.oneof(
  fc.record({ kind: fc.constant('CUSTOM' as const), itemFound: fc.constant(null) }),
  fc.record({
    kind: fc.constantFrom('SERVICE' as const, 'ADDON' as const),
    itemFound: rarely.map((no) => !no),
  }),
)

export const line: fc.Arbitrary<PricingLine> = fc
  .tuple(
    item,
    fc.record({
      id,
      priceCents: cents,
      taxable: fc.boolean(),
      deleted: rarely,
      discount: fc.option(discount),
    }),
  )
  .map(([itemFields, fields]) => changed(fields, itemFields))

export const pricingInput: fc.Arbitrary<PricingInput> = fc.record({
  currency: fc.constant('USD'),
  baseFeeCents: cents,
  baseFeeTaxable: fc.boolean(),
  travelFeeCents: cents,
  travelFeeTaxable: fc.boolean(),
  lines: fc.uniqueArray(line, { selector: (row) => row.id, maxLength: 8 }),
  discount,
  serviceCharges: fc.uniqueArray(serviceCharge, { selector: (row) => row.id, maxLength: 4 }),
  taxRate: fc.oneof(
    fc.constant(null),
    percentage.map((rate) => ({ id: 'tax', found: true as const, rate })),
    notFound,
  ),
})

/** A custom line with an id that no generated line has. */
export function extraLine(
  lineId: string,
  priceCents: number,
  overrides: Partial<PricingLine> = {},
): PricingLine {
  return {
    id: `extra ${lineId}`,
    kind: 'CUSTOM',
    itemFound: null,
    priceCents,
    taxable: true,
    deleted: false,
    discount: null,
    ...overrides,
  }
}

export function changed<Row extends object, Change extends object>(row: Row, change: Change): Row & Change {
  return { ...row, ...change }
}

export function withLines(input: PricingInput, ...extra: PricingLine[]): PricingInput {
  return { ...input, lines: [...input.lines, ...extra] }
}

export function shuffled<T>(rows: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...rows], { minLength: rows.length })
}
