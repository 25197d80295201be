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

export const INVOICE_COLUMNS = defineColumns('invoice', 'invoices', {
  id: id('invoice'),
  companyId: ofCompany(),
  bookingId: id('booking').owner(),
  leadId: id('contact').nullable(),
  invoiceNumber: filledText(),
  description: text().nullable(),
  notes: text().nullable(),
  poNumber: text('Number of the purchase order.').nullable(),
  status: computed(z.enum(INVOICE_STATUSES)),
  currency: currency(),
  totalCents: money().internal(),
  total: computed(cents('What the invoice is for.')),
  amountPaidCents: money().default(0).internal(),
  amountPaid: computed(cents('What has been paid.')),
  amountDue: computed(cents('What is left to pay; 0 when void.')),
  issuedAt: time().nullable().internal(),
  dueDate: time('When it is due.').nullable(),
  voidedAt: time('When it was made void.').nullable(),
  url: computed(publicText('Opens the invoice, with no other credential.')),
  lines: objects({
    description: filledText(),
    quantity: quantity().default(1),
    amountCents: money(),
  }).default([]),
  ...publicTimes('invoice'),
})
