/** The invoices of a new booking, according to its payment terms. */
import { newId } from '../core/ids.ts'
import { planInvoices } from '../core/quotes/booking-invoices.ts'
import type { PlannedInvoice, Terms } from '../core/quotes/booking-invoices.ts'
import { invoiceLines } from '../core/quotes/invoice-lines.ts'
import { MONEY_MAX_CENTS } from '../core/quotes/quote-edit.ts'
import { ApiError } from '../core/requests/errors.ts'
import { insertRow } from '../codec/write.ts'
import { takeDocumentNumber } from '../records/company/queries.ts'
import { INVOICE_COLUMNS } from '../records/invoice/columns.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { loadInvoicesOfBookings } from '../records/invoice/queries.ts'
import { loadPaymentTerms } from '../records/payment-terms/object.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import type { ActionTransaction } from './action.ts'
import { subjectOf } from './subjects.ts'

/** The number of an invoice that is not issued yet. */
const DRAFT_NUMBER = 'Draft'

export async function createInvoices(
  transaction: ActionTransaction,
  bookingId: string,
  quote: EditableQuote,
  terms: Terms | null,
): Promise<void> {
  const { db, companyId, presentation, record } = transaction
  const { content, facts, price } = quote
  const invoices = planInvoices({
    totalCents: price.totalCents,
    taxCents: price.taxCents,
    terms,
    bookedAt: presentation.now,
    ...spanOf(content.serviceDays),
    timeZone: facts.timeZone ?? 'UTC',
  })
  for (const invoice of invoices) {
    await insertRow(db, INVOICE_COLUMNS, companyId, {
      id: newId('inv'),
      bookingId,
      leadId: content.leadId,
      invoiceNumber: invoice.isDraft ? DRAFT_NUMBER : await takeDocumentNumber(db, companyId, 'invoice'),
      issuedAt: invoice.isDraft ? null : presentation.now,
      dueDate: invoice.dueDate,
      currency: facts.currency,
      totalCents: invoice.totalCents,
      taxCents: invoice.taxCents,
      deductedCents: invoice.deductedCents,
      ...contentOf(invoice, quote),
    })
  }
  for (const row of await loadInvoicesOfBookings(db, companyId, [bookingId])) {
    record('invoice.created', null, subjectOf(INVOICE.present(row, presentation)))
  }
}

/** The terms as they are now. */
export async function findTerms(
  { db, companyId }: ActionTransaction,
  id: string | null,
): Promise<Terms | null> {
  if (id === null) return null
  const [terms] = await loadPaymentTerms(db, companyId, [id])
  if (terms === undefined) return null
  return {
    paymentSchedule: terms.get('paymentSchedule'),
    depositType: terms.get('depositType'),
    depositPercentage: terms.get('depositPercentage'),
    depositAmountCents: terms.get('depositAmountCents'),
    invoiceDueDays: terms.get('invoiceDueDays'),
  }
}

function spanOf(days: readonly { serviceStartTime: string; serviceEndTime: string }[]) {
  const starts = days.map(({ serviceStartTime }) => serviceStartTime).toSorted()
  const ends = days.map(({ serviceEndTime }) => serviceEndTime).toSorted()
  const [firstStart, lastEnd] = [starts[0], ends.at(-1)]
  if (firstStart === undefined || lastEnd === undefined) throw new Error('the quote has no days')
  return { firstStart, lastEnd }
}

/** A deposit has one line. Every other invoice has those of the quote. */
function contentOf({ part, totalCents, taxCents }: PlannedInvoice, { id, facts, ...quote }: EditableQuote) {
  const name = `quote ${facts.number ?? id}`
  if (part === 'deposit') {
    const amountCents = totalCents - taxCents
    return {
      description: `Deposit for ${name}`,
      discountCents: 0,
      lines: [{ description: 'Deposit', quantity: 1, unitPriceCents: null, amountCents }],
    }
  }
  const { lineDiscountCents, quoteDiscountCents } = quote.price
  const discountCents = lineDiscountCents + quoteDiscountCents
  if (discountCents > MONEY_MAX_CENTS) {
    throw new ApiError('total_too_high', {
      message: 'The discounts of this quote are too high to invoice. Lower them first.',
    })
  }
  return {
    description: part === 'balance' ? `Balance for ${name}` : name.replace(/^q/, 'Q'),
    discountCents,
    lines: invoiceLines(quote.content, quote.catalog, quote.price),
  }
}
