/** Public objects of rows, with the totals of quotes. */
import { deriveInvoice } from '../../src/core/pricing/invoice.ts'
import { priceTotal } from '../../src/core/pricing/price-total.ts'
import type { Discount, NotFound, PricingInput, PricingLine } from '../../src/core/pricing/price-total.ts'
import { leadName } from '../../src/core/lead-name.ts'
import type {
  BookingRow,
  ChargeRow,
  DiscountRow,
  EventRow,
  InvoiceRow,
  LineRow,
  QuoteRow,
  ServiceRow,
  StaffRow,
} from './rows.ts'

export interface Presentation {
  now: string
  invoiceUrl: (companyId: string, invoiceId: string) => string
  charges: ReadonlyMap<string, ChargeRow>
  staff: ReadonlyMap<string, StaffRow>
  withServices: boolean
  withStaff: boolean
}

const numberOrNull = (value: number | bigint | null) => (value === null ? null : Number(value))
const isoOrNull = (time: Date | null) => time?.toISOString() ?? null
const textOrNull = (value: { toString: () => string } | null) => (value === null ? null : value.toString())

function discountOf(id: string | null, row: DiscountRow | null): Discount | NotFound | null {
  if (id === null) return null
  if (row === null) return { id, found: false }
  const { type, currency } = row
  const [percentOff, amountOff] = [textOrNull(row.percentOff), numberOrNull(row.amountOff)]
  return { id, found: true, type: type as Discount['type'], percentOff, amountOff, currency }
}

function lineOf(line: LineRow): PricingLine {
  return {
    id: line.id,
    kind: line.kind as PricingLine['kind'],
    itemFound: line.kind === 'CUSTOM' ? null : (line.service ?? line.addon) !== null,
    priceCents: Number(line.priceCents),
    taxable: line.taxable,
    deleted: false,
    discount: discountOf(line.discountId, line.discount),
  }
}

function chargeOf(id: string, row: ChargeRow | undefined): PricingInput['serviceCharges'][number] {
  if (row === undefined) return { id, found: false }
  const { type, currency, taxable } = row
  const [percentage, amountCents] = [textOrNull(row.percentage), numberOrNull(row.amountCents)]
  return { id, found: true, type: type as Discount['type'], percentage, amountCents, currency, taxable }
}

function totalOf(quote: QuoteRow, { charges }: Presentation): number {
  const { taxRateId, taxRate } = quote
  return priceTotal({
    currency: quote.currency,
    baseFeeCents: Number(quote.baseFeeCents),
    baseFeeTaxable: quote.baseFeeTaxable,
    travelFeeCents: Number(quote.travelFeeCents),
    travelFeeTaxable: quote.travelFeeTaxable,
    lines: quote.lineItems.map(lineOf),
    discount: discountOf(quote.discountId, quote.discount),
    serviceCharges: quote.serviceChargeIds.map((id) => chargeOf(id, charges.get(id))),
    taxRate:
      taxRateId === null
        ? null
        : taxRate === null
          ? { id: taxRateId, found: false }
          : { id: taxRateId, found: true, rate: taxRate.rate.toString() },
  })
}

export function presentQuote(row: QuoteRow, presentation: Presentation) {
  const {
    lineItems,
    discount: _discount,
    taxRate: _taxRate,
    serviceChargeIds: _serviceChargeIds,
    baseFeeCents: _baseFeeCents,
    baseFeeTaxable: _baseFeeTaxable,
    travelFeeCents: _travelFeeCents,
    travelFeeTaxable: _travelFeeTaxable,
    currency,
    lead,
    location,
    serviceDays,
    booking,
    ...columns
  } = row
  return {
    object: 'quote',
    ...columns,
    currency: { isoCode: currency },
    totalPriceCents: totalOf(row, presentation),
    ...(lead === undefined ? {} : { lead: lead && { object: 'lead', name: leadName(lead), ...lead } }),
    ...(location === undefined ? {} : { location: location && { object: 'location', ...location } }),
    ...(presentation.withServices ? { services: presentServices(lineItems) } : {}),
    ...(serviceDays === undefined
      ? {}
      : { serviceDays: serviceDays.map((day) => ({ object: 'serviceDay', ...day })) }),
    ...(booking === undefined ? {} : { booking: booking && presentBooking(booking, presentation) }),
  }
}

/** Distinct services, by name. */
function presentServices(lines: readonly LineRow[]) {
  const services = new Map<string, ServiceRow>()
  for (const { service } of lines) if (service !== null) services.set(service.id, service)
  return [...services.values()]
    .filter(({ archivedAt }) => archivedAt === null)
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
    .map(({ archivedAt: _archivedAt, ...service }) => ({ object: 'service', ...service }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function presentBooking({ events, invoices, ...row }: BookingRow, presentation: Presentation) {
  return {
    object: 'booking',
    ...row,
    currency: { isoCode: row.currency },
    totalPriceCents: Number(row.totalPriceCents),
    gratuityAmountCents: numberOrNull(row.gratuityAmountCents),
    ...(events === undefined ? {} : { events: events.map((event) => presentEvent(event, presentation)) }),
    ...(invoices === undefined
      ? {}
      : { invoices: invoices.map((invoice) => presentInvoice(invoice, presentation)) }),
  }
}

function presentEvent({ staffIds, ...row }: EventRow, { staff, withStaff }: Presentation) {
  if (!withStaff) return { object: 'event', ...row }
  const members = staffIds.flatMap((id) => staff.get(id) ?? [])
  return {
    object: 'event',
    ...row,
    staff: members
      .toSorted(
        (a, b) => compare(a.lastName, b.lastName) || compare(a.firstName, b.firstName) || compare(a.id, b.id),
      )
      .map((member) => ({ object: 'staff', ...member })),
  }
}

function presentInvoice(row: InvoiceRow, { now, invoiceUrl }: Presentation) {
  const { companyId, currency, totalCents, amountPaidCents, paymentsCents, issuedAt, ...columns } = row
  const [total, amountPaid] = [Number(totalCents), Number(amountPaidCents) + Number(paymentsCents)]
  const facts = {
    total,
    amountPaid,
    issuedAt: isoOrNull(issuedAt),
    dueDate: isoOrNull(row.dueDate),
    voidedAt: isoOrNull(row.voidedAt),
  }
  return {
    object: 'invoice',
    ...columns,
    ...deriveInvoice(facts, now),
    currency: { isoCode: currency },
    total,
    amountPaid,
    url: invoiceUrl(companyId, row.id),
  }
}
