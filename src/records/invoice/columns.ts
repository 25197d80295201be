/** Invoices of bookings. Status and amount due follow from the amounts and times. */
import { z } from 'zod'
import { INVOICE_STATUSES } from '../../core/pricing/invoice.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  computed,
  currency,
  filledText,
  id,
  money,
  objects,
  ofCompany,
  publicTimes,
  quantity,
  text,
  time,
} from '../../codec/column-types.ts'
import { cents, text as publicText } from '../../codec/schemas.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'

/** The amount paid of an invoice `t`. */
export const paidCents = (t: Sql) => sql`(${t}.amount_paid_cents + ${t}.payments_cents)`

export const INVOICE_COLUMNS = defineColumns('invoice', 'invoices', {
  id: id('invoice'),
  companyId: ofCompany(),
  bookingId: id('booking').owner(),
  leadId: id('lead').nullable(),
  invoiceNumber: filledText(),
  description: text().nullable(),
  notes: text().nullable(),
  poNumber: text('Purchase order number.').nullable(),
  status: computed(z.enum(INVOICE_STATUSES)),
  currency: currency(),
  totalCents: money().internal(),
  total: computed(cents('Total amount.')),
  /** Part of the total. Null if it is unknown. */
  taxCents: money().nullable().internal(),
  /** Taken off the lines. */
  discountCents: money().default(0).internal(),
  /** Billed by another invoice of the booking, such as that of the deposit; without tax. */
  deductedCents: money().default(0).internal(),
  /** As imported. The amount paid also includes payments. */
  amountPaidCents: money().default(0).internal(),
  /** The sum of the payments that are not reversed, derived from them. */
  paymentsCents: money().default(0).internal().outsideWorld(),
  amountPaid: computed(cents('Amount paid.')),
  amountDue: computed(cents('Amount due. 0 if the invoice is void.')),
  issuedAt: time().nullable().internal(),
  dueDate: time('When the invoice is due.').nullable(),
  voidedAt: time('When the invoice was voided.').nullable(),
  url: computed(publicText('URL that opens the invoice without further authentication.')),
  lines: objects({
    description: filledText(),
    quantity: quantity().default(1),
    unitPriceCents: money().nullable(),
    amountCents: money(),
  }).default([]),
  ...publicTimes('invoice'),
})
