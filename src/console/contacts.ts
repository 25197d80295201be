/** What only contacts have: their quotes, bookings and invoices, others with the same email address, and merging. */
import { z } from 'zod'
import { leadName } from '../core/lead-name.ts'
import { isPossibleId } from '../core/ids.ts'
import { runAction } from '../actions/action.ts'
import { mergeLeads, planMerge } from '../actions/merge-leads.ts'
import type { MergePlan } from '../actions/merge-leads.ts'
import { noRecord } from '../actions/records.ts'
import { BOOKING, listBookings } from '../records/booking/object.ts'
import { listInvoices } from '../records/invoice/list.ts'
import { INVOICE } from '../records/invoice/object.ts'
import type { StoredRecord } from '../records/kind.ts'
import { LEAD_KIND } from '../records/lead/kind.ts'
import { listSameEmail } from '../records/lead/same-email.ts'
import { listQuotes } from '../records/quote/queries.ts'
import { findRecord } from '../records/record/queries.ts'
import { summarize } from './invoices.ts'
import type { BookingInvoice } from './invoices.ts'
import { presentItems } from './quotes.ts'
import type { QuoteListItem } from './quotes.ts'
import { consoleRoute } from './route.ts'

/** The newest of each. */
const RELATED_MAX = 10

interface Related<Item> {
  items: Item[]
  hasMore: boolean
}

export interface ContactBooking {
  id: string
  quoteId: string | null
  createdAt: string
  canceledAt: string | null
  currency: string
  totalPriceCents: number
}

export interface ContactRelatedAnswer {
  quotes: Related<QuoteListItem>
  bookings: Related<ContactBooking>
  invoices: Related<BookingInvoice>
}

const showRelated = consoleRoute({
  method: 'GET',
  path: '/console/contacts/:id/related',
  answer: async ({ db, companyId, id, presentation }): Promise<ContactRelatedAnswer> => {
    if ((await findRecord(db, companyId, LEAD_KIND, id)) === null) throw noRecord(LEAD_KIND)
    const page = { limit: RELATED_MAX, startingAfter: undefined }
    const none = { createdAt: null, updatedAt: null }
    const quotes = await listQuotes(
      db,
      companyId,
      { ...none, ids: { leadId: id }, serviceStartTime: null },
      page,
    )
    const bookings = await listBookings(db, companyId, { leadId: id }, page)
    const filters = { ...none, leadId: id, bookingId: undefined, status: undefined, dueDate: null }
    const invoices = await listInvoices(db, companyId, filters, page, presentation.now)
    return {
      quotes: {
        items: await presentItems(db, companyId, quotes.rows, presentation),
        hasMore: quotes.hasMore,
      },
      bookings: {
        items: bookings.rows.map((row) => summarizeBooking(BOOKING.present(row, presentation))),
        hasMore: bookings.hasMore,
      },
      invoices: {
        items: invoices.rows.map((row) => summarize(INVOICE.present(row, presentation))),
        hasMore: invoices.hasMore,
      },
    }
  },
})

function summarizeBooking(booking: ReturnType<typeof BOOKING.present>): ContactBooking {
  const { id, quoteId, createdAt, canceledAt, currency, totalPriceCents } = booking
  return { id, quoteId, createdAt, canceledAt, currency: currency.isoCode, totalPriceCents }
}

export interface SameEmailAnswer {
  contacts: { id: string; name: string }[]
}

const findSameEmail = consoleRoute({
  method: 'GET',
  path: '/console/contacts/same-email',
  input: z.strictObject({ email: z.string().max(320), except: z.string().optional() }),
  answer: async ({ db, companyId, input: { email, except } }): Promise<SameEmailAnswer> => {
    const found = await listSameEmail(db, companyId, email, except ?? null)
    return { contacts: found.map((lead) => ({ id: lead.id, name: leadName(lead) })) }
  },
})

export type MergePlanAnswer = MergePlan
export interface MergeAnswer {
  record: StoredRecord
}

const OtherId = z.string().refine(isPossibleId, 'Choose another contact.')

const showMerge = consoleRoute({
  method: 'POST',
  path: '/console/contacts/:id/merge/plan',
  input: z.strictObject({ otherId: OtherId }),
  answer: ({ db, companyId, id, input }): Promise<MergePlanAnswer> =>
    planMerge(db, companyId, { id, ...input }),
})

const merge = consoleRoute({
  method: 'POST',
  path: '/console/contacts/:id/merge',
  input: z.strictObject({ otherId: OtherId, updatedAt: z.iso.datetime(), otherUpdatedAt: z.iso.datetime() }),
  answer: async ({ action, id, input }): Promise<MergeAnswer> => ({
    record: await runAction(action, mergeLeads, { id, ...input }),
  }),
})

export const contactRoutes = [showRelated, findSameEmail, showMerge, merge]
